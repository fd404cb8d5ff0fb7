"""Every command has a handler, a row, a help page, and a conversation that uses it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, PlayerState
from pbm.plugins import installed_games
from pbm.service.commands import VERBS, Grammar, Reply, find_verb
from pbm.service.commands.accounts import Confirm, ConfirmErrand
from pbm.service.commands.line import AtBoard, Command
from pbm.service.commands.mailings import Leave
from pbm.service.handlers import handlers
from tests.conversations.test_conversations import FILES, steps_of
from tests.house import START, HouseUnderTest, text_of
from tests.tables import each

GRAMMAR = Grammar(installed_games())

BY_TOKEN = {Confirm, ConfirmErrand, Leave}
"""Commands that only the reply to a certain mail gives, without a word of the grammar."""


def typed_lines() -> list[str]:
    """Return every subject and line of text in the conversations."""
    lines = []
    for file in FILES:
        for _, head, text, _ in steps_of(file.read_text("utf-8")):
            lines += [head.partition(">")[2].strip(), *text]
    return [line for line in lines if line]


def commands_typed() -> set[type[Command]]:
    found: set[type[Command]] = set()
    alice = Player(1, "alice", ("alice@example.org",), PlayerState.ACTIVE, START)
    for line in filter(GRAMMAR.begins_command, typed_lines()):
        for reply in (None, Reply(alice, 101, 1)):
            with suppress(NotUnderstood):
                found.add(type(GRAMMAR.read(line, reply).command))
    return found


def verbs_typed() -> set[str]:
    found = set()
    for line in typed_lines():
        for word in line.split()[:2]:
            verb = find_verb(word)
            found |= {verb.name} if verb else set()
    return found


def test_every_command_has_a_handler() -> None:
    # By name, because a dataclass with slots is made twice, and both stay subclasses for a while.
    kinds = {*Command.__subclasses__(), *AtBoard.__subclasses__()}
    assert {c.__name__ for c in handlers()} == {c.__name__ for c in kinds} - {AtBoard.__name__}


def test_every_command_can_be_typed_and_is_in_a_conversation() -> None:
    assert set(handlers()) - commands_typed() == BY_TOKEN


@each("verb", VERBS, ids=lambda verb: verb.name)
def test_every_row_of_the_grammar_is_used_in_a_conversation(verb: object) -> None:
    assert getattr(verb, "name", "") in verbs_typed()


def test_no_word_means_two_commands() -> None:
    words = [word for verb in VERBS for word in (verb.name, *verb.aliases)]
    assert len(set(words)) == len(words)


def test_every_command_has_a_help_page_that_a_player_can_ask_for(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    house = HouseUnderTest(tmp_path_factory.mktemp("help"))
    house.add("alice")
    for verb in VERBS:
        house.clock.now += timedelta(minutes=5)
        (mail,) = house.mail("alice@example.org", f"help {verb.name}")
        page = text_of(mail)
        assert page.startswith(f"{verb.name}: ")
        assert max(map(len, page.splitlines())) <= 72
