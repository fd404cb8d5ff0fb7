"""Shared by the tests of the language: a catalogue with one game, a player, a reply."""

from pbm.core.grammar import Grammar, commands, find_verb, verbs
from pbm.core.words import Credentials, Reply, Words, options_last, split_options
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.mail import IncomingMail
from tests.domain.matches import ALICE, PEOPLE
from tests.engine.noughts import game

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

PLAYER = PEOPLE[ALICE]
REPLY = Reply(PLAYER, 104, 7)
"""Alice answers the mail about board 104 that asked her for ply 7."""


def mail(*lines: str, subject: str = "") -> IncomingMail:
    return IncomingMail("alice@example.org", subject, lines)
