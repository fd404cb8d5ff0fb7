"""Reply tokens: who may answer a mail, for what, without a password.

A token is what stands after "+" in the Reply-To of a mail: 32 small base32 letters made of
what the mail is about and a MAC over it. It counts only together with the From address of the
player it names, which `identity` checks. It names the player and not their seat, because the
pie rule changes seats.
"""

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import dataclass
from enum import IntEnum

from pbm.domain.player import Errand, PlayerId

_LAYOUT = struct.Struct(">BIIH")
_MAC_BYTES = 9
_LENGTH = 32
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


class TokenKind(IntEnum):
    """What a token lets its holder answer."""

    BOARD = 1
    INVITATION = 2
    SIGNUP = 3
    ERRAND = 4
    PLAYER = 5


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says: `number` is a board, or the id of a signup or errand; `ply` is due.

    A token of the kind PLAYER says only who answers a mail about several boards.
    """

    kind: TokenKind
    number: int
    player: int = 0
    ply: int = 0


def player_token(player: PlayerId) -> Token:
    """Return the token with which `player` answers a mail that is not about one board."""
    return Token(TokenKind.PLAYER, 0, player)


def errand_token(errand: Errand) -> Token:
    """Return the token with which an errand is confirmed."""
    return Token(TokenKind.ERRAND, errand.id, errand.player)


class TokenMint:
    """Makes and reads tokens under one secret key of at least 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that a token can have, in letters."""
        return (_LENGTH,)

    @property
    def starts(self) -> frozenset[str]:
        """The two letters that a token can begin with: they hold its kind."""
        kinds = ((kind, rest << 5) for kind in TokenKind for rest in range(8))
        return frozenset(base64.b32encode(bytes(pair))[:2].decode().lower() for pair in kinds)

    def veil(self, word: str, name: str) -> str:
        """Return another word of base32 letters that only this key can turn back.

        Doing it again under the same `name` does. A name is used for one word only.
        """
        mask = hmac.digest(self._key, b"pbm stored token" + name.encode(), hashlib.sha512)
        pairs = zip(word, mask[: len(word)], strict=True)
        return "".join(_ALPHABET[_ALPHABET.index(letter) ^ (m & 31)] for letter, m in pairs)

    def write(self, token: Token) -> str:
        """Return the word for `token`."""
        body = _LAYOUT.pack(token.kind, token.number, token.player, token.ply)
        return base64.b32encode(body + self._mac(body)).decode("ascii").lower()

    def read(self, word: str) -> Token | None:
        """Return the token that `word` is, or None if it is not one of ours."""
        if len(word) != _LENGTH or not word.isascii():
            return None
        try:
            raw = base64.b32decode(word.upper())
        except binascii.Error:
            return None
        body, mac = raw[: _LAYOUT.size], raw[_LAYOUT.size :]
        if not hmac.compare_digest(mac, self._mac(body)):
            return None
        kind, number, player, ply = _LAYOUT.unpack(body)
        return Token(TokenKind(kind), number, player, ply)

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._key, b"pbm reply token" + body, hashlib.sha256)[:_MAC_BYTES]
