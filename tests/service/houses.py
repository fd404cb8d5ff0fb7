"""Shared by the tests of the language: a catalogue with one game, a player, a reply."""

import base64
import hashlib
import hmac
import struct

from pbm.core.grammar import Grammar, commands, find_verb, verbs
from pbm.core.words import Credentials, Reply, Words, options_last, split_options
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.mail import IncomingMail
from pbm.server.token_keys import load_keys
from tests.domain.matches import ALICE, PEOPLE
from tests.doors import TokenKind
from tests.engine.noughts import game
from tests.house import ADDRESS, HouseUnderTest

__all__ = [
    "Credentials",
    "Reply",
    "Words",
    "commands",
    "find_verb",
    "options_last",
    "split_options",
    "verbs",
]

CATALOGUE = Catalogue([InstalledGame(game, "# Noughts\n")])
GRAMMAR = Grammar(CATALOGUE)

BOARD, SIGNUP = TokenKind.BOARD, TokenKind.SIGNUP

PLAYER = PEOPLE[ALICE]
REPLY = Reply(PLAYER, 104, 7)
"""Alice answers the mail about board 104 that asked her for ply 7."""


def mail(*lines: str, subject: str = "") -> IncomingMail:
    return IncomingMail("alice@example.org", subject, lines)


def word_of_before(key: bytes, kind: TokenKind, number: int, player: int = 0, ply: int = 0) -> str:
    """Return a reply token as the server wrote it when it had no date, made under this key."""
    body = struct.pack(">BIIH", kind, number, player, ply)
    mac = hmac.digest(key, b"pbm reply token" + body, hashlib.sha256)[:9]
    return base64.b32encode(body + mac).decode().lower()


def old_address(house: HouseUnderTest, kind: TokenKind, number: int, *rest: int) -> str:
    """Return a reply address as the server made them before tokens had a date."""
    local, _, domain = ADDRESS.partition("@")
    key = load_keys(house.folder / "key").keys[0].secret
    return f"{local}+{word_of_before(key, kind, number, *rest)}@{domain}"
