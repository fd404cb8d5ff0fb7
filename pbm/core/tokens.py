"""Reply tokens: with one, a player can answer a mail without a password.

A token is the word after "+" in the Reply-To of a mail: 42 small base32 letters for the subject
of the mail, the time when it was made, and a MAC over both. It counts only together with the From
address of the player that it names, and only for some commands (pbm.core.identity). It names the
player and not their seat, because the pie rule changes seats.
"""

import hashlib
import hmac
import struct
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import lru_cache

from pbm.domain.confirmations import ConfirmationRequest
from pbm.domain.mail import Leaving
from pbm.domain.player import PlayerId
from pbm.domain.questions import Question
from pbm.engine import frozen

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


class TokenKind(IntEnum):
    """The kind of mail that a token answers: three bits of it."""

    LEAVE = 0
    BOARD = 1
    INVITATION = 2
    SIGNUP = 3
    CONFIRMATION = 4
    PLAYER = 5
    MESSAGE = 6
    TALK = 7


@frozen
class Token:
    """The content of a token: `number` is a board, or the id of a signup or request; `ply` is due.

    `undos` counts how often moves were taken back on the board, modulo 256, so that the same ply
    after an undo is another moment. A token of the kind PLAYER only says who answers a mail about
    several boards, or that asks something: then its `question` is not 0. In one of the kind
    MESSAGE, `number` is the player whose words are answered.
    TALK is a BOARD whose mail only passed on what somebody wrote there. LEAVE stops mails of the
    kind `ply`, a Mailing, and proves nothing else. A PLAYER without a player was a test of the
    operator in earlier versions: it proves nothing, so give it no other meaning.
    """

    kind: TokenKind
    number: int
    player: int = 0
    ply: int = 0
    undos: int = 0

    @property
    def question(self) -> int:
        """The id of the question that the mail asks, or 0 if it asks none."""
        if self.kind is not TokenKind.PLAYER:
            return 0
        return self.number << 24 | self.ply << 8 | self.undos


@frozen
class DatedToken:
    """A token that was read; `made_at` is as in `token_time`."""

    token: Token
    made_at: datetime


def token_time(moment: datetime) -> datetime:
    """Return `moment` as it is in a token: in hundredths of a second."""
    return _EPOCH + (moment - _EPOCH) // _TICK * _TICK


def player_token(player: PlayerId) -> Token:
    """Return the token with which `player` answers a mail that is not about one board."""
    return Token(TokenKind.PLAYER, 0, player)


QUESTIONS = 2**48
"""The ids of questions are below this: 24 bits of the number, 16 of the ply, 8 of the undos."""


def question_token(question: Question) -> Token:
    """Return the token with which the player of `question` answers the mail that asks it."""
    number, rest = question.id >> 24, question.id & 0xFFFFFF
    return Token(TokenKind.PLAYER, number, question.player, rest >> 8, rest & 0xFF)


def message_token(sender: PlayerId, reader: PlayerId) -> Token:
    """Return the token with which `reader` answers what `sender` wrote to them, and no more."""
    return Token(TokenKind.MESSAGE, sender, reader)


def leave_token(leaving: Leaving, player: PlayerId) -> Token:
    """Return the token with which `player` stops such mails."""
    return Token(TokenKind.LEAVE, leaving.number, player, leaving.mailing)


def leave_veil(message_id: str) -> str:
    """Return the name for veiling the second token of a mail, in its unsubscribe button."""
    return f"leave {message_id}"


def confirmation_token(request: ConfirmationRequest) -> Token:
    """Return the token that confirms the request."""
    return Token(TokenKind.CONFIRMATION, request.id, request.player)


_LAYOUT = struct.Struct(">IIHBQ")
"""Number, player, ply, undos, and kind and time in one number of which five bytes are written."""

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
_TICK = timedelta(milliseconds=10)
_TIME_BITS = 37  # until 2069
_UNWRITTEN = slice(11, 14)

_MAC_BYTES = 10
_RETURN_BYTES = 15

_LATEST = 256
"""Words that are remembered: those of a few batches of mails."""

LETTERS = 42
"""The length of a token."""

STARTS = ("aa", "ab", "ac", "ad")
"""The two letters that a token can begin with: the highest byte of its number is 0."""


class _Key:
    """A secret key, prepared for each purpose, which halves the time of each use."""

    def __init__(self, secret: bytes) -> None:
        self._dated = hmac.new(secret, b"pbm dated reply token", hashlib.sha256)
        self._stored = hmac.new(secret, b"pbm stored token", hashlib.sha512)
        self._returned = hmac.new(secret, b"pbm returned mail", hashlib.sha256)

    def mac(self, body: bytes) -> bytes:
        """Return the MAC of a token with this body."""
        return _digest(self._dated, body)[:_MAC_BYTES]

    def return_word(self, name: str) -> str:
        """Return the word to which reports on the mail of this `name` come back."""
        return _word(_digest(self._returned, name.encode())[:_RETURN_BYTES])

    def masked(self, word: str, name: str) -> str:
        """Return `word` with its letters turned by a keystream; doing it twice changes nothing."""
        mask = _digest(self._stored, name.encode())
        if len(word) > len(mask):
            raise ValueError("a word is longer than what masks it")
        # All letters at once, as numbers of one byte for each.
        letters = int.from_bytes(word.encode("ascii").translate(_TO_VALUES), "big")
        turned = letters ^ int.from_bytes(mask[: len(word)].translate(_FIVE_BITS), "big")
        return turned.to_bytes(len(word), "big").translate(_TO_LETTERS).decode("ascii")


def _digest(begun: hmac.HMAC, rest: bytes) -> bytes:
    whole = begun.copy()
    whole.update(rest)
    return whole.digest()


class TokenMint:
    """Makes tokens under a secret key of at least 32 bytes; reads those of `others` as well."""

    def __init__(self, key: bytes, *others: bytes) -> None:
        self._secrets: tuple[bytes, ...] = ()
        self.use(key, *others)

    def use(self, key: bytes, *others: bytes) -> None:
        """Make tokens under `key` from now on, and read no others than those of these keys."""
        if self._secrets != (key, *others):
            self._secrets = (key, *others)
            self._keys = tuple(map(_Key, self._secrets))
            self._latest = lru_cache(maxsize=_LATEST)(self._read_word)

    def veil(self, word: str, name: str) -> str:
        """Return another word of base32 letters that only the keys can turn back.

        `unveil` does, under the same `name`. A name is used for one word only.
        """
        return self._keys[0].masked(word, name)

    def unveil(self, word: str, name: str) -> str:
        """Return the token that was veiled under `name`; any other word is returned as it is."""
        words = (key.masked(word, name) for key in self._keys)
        return next((token for token in words if self._read_word(token)), word)

    def return_word(self, name: str) -> str:
        """Return the word to which reports on the mail of this `name` come back."""
        return self._keys[0].return_word(name)

    def return_words(self, name: str) -> tuple[str, ...]:
        """Return the words of that mail under each of the keys; one of them may be in use."""
        return tuple(key.return_word(name) for key in self._keys)

    def issue(self, token: Token, now: datetime) -> str:
        """Return the word for `token`, made now."""
        time = token.kind << _TIME_BITS | (now - _EPOCH) // _TICK
        fields = _LAYOUT.pack(token.number, token.player, token.ply, token.undos % 256, time)
        body = fields[: _UNWRITTEN.start] + fields[_UNWRITTEN.stop :]
        return _word(body + self._keys[0].mac(body))

    def read(self, word: str) -> DatedToken | None:
        """Return the token of this server that `word` is, or None.

        The latest words are remembered: each is read for the prefetch, and when its mail is played.
        """
        return self._latest(word)

    def is_token_like(self, word: str) -> bool:
        """Return whether `word` has the form of a token, but is not one of this server."""
        form = len(word) == LETTERS and set(word.lower()) <= _IN_ALPHABET
        return form and self.read(word) is None

    def _read_word(self, word: str) -> DatedToken | None:
        raw = _raw(word.lower()) if word.isascii() and len(word) == LETTERS else None
        return None if raw is None else self._read(raw)

    def _read(self, raw: bytes) -> DatedToken | None:
        body, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if not any(hmac.compare_digest(mac, key.mac(body)) for key in self._keys):
            return None
        fields = body[: _UNWRITTEN.start] + bytes(3) + body[_UNWRITTEN.start :]
        number, player, ply, undos, time = _LAYOUT.unpack(fields)
        kind, ticks = divmod(time, 1 << _TIME_BITS)
        token = Token(TokenKind(kind), number, player, ply, undos)
        return DatedToken(token, _EPOCH + ticks * _TICK)


_TO_VALUES = bytes.maketrans(_ALPHABET.encode("ascii"), bytes(range(32)))
_TO_LETTERS = bytes.maketrans(bytes(range(32)), _ALPHABET.encode("ascii"))
_FIVE_BITS = bytes(byte & 31 for byte in range(256))


_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)


def _word(raw: bytes) -> str:
    """Return `raw` as base32 (RFC 4648) in small letters, without padding.

    This and `_raw` take less time than the module base64, which counts in each mail.
    """
    letters = -(-len(raw) * 8 // 5)
    even = letters + letters % 2
    number = int.from_bytes(raw, "big") << (5 * even - 8 * len(raw))
    pairs = [_PAIRS[number >> at & 1023] for at in range(5 * even - 10, -1, -10)]
    return "".join(pairs)[:letters]


_IN_ALPHABET = frozenset(_ALPHABET)

_TO_DIGITS = str.maketrans(_ALPHABET, "0123456789abcdefghijklmnopqrstuv")
"""To the digits that `int` reads; it knows no others of base 32."""


def _raw(word: str) -> bytes | None:
    """Return the bytes of a word of `_word`, or None for any other word."""
    if not set(word) <= _IN_ALPHABET:
        return None
    octets = len(word) * 5 // 8
    number = int(word.translate(_TO_DIGITS), 32)
    # The last letter has bits to spare: only one of the words for these bytes is a token.
    spare = len(word) * 5 - octets * 8
    whole = number >> spare
    return whole.to_bytes(octets, "big") if whole << spare == number else None
