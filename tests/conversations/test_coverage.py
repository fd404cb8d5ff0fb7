"""Every command has a handler, a row, a help page, and a conversation that uses it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from pbm.core.grammar import Grammar, commands, find_verb, verbs
from pbm.core.words import Reply
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, PlayerState
from pbm.plugins import installed_games
from tests.conversations.conversation import sections_of
from tests.conversations.test_conversations import FILES
from tests.house import START, HouseUnderTest, text_of

GRAMMAR = Grammar(installed_games())


def typed_lines() -> list[str]:
    """Return every subject and line of text in the conversations."""
    lines = []
    for file in FILES:
        for section in sections_of(file.read_text("utf-8")):
            for step in section.steps:
                lines += [step.head.partition(">")[2].strip(), *step.text]
    return [line for line in lines if line]


def commands_typed() -> set[str]:
    found: set[str] = set()
    alice = Player(1, "alice", ("alice@example.org",), PlayerState.ACTIVE, START)
    for line in filter(GRAMMAR.begins_command, typed_lines()):
        for reply in (None, Reply(alice, 101, 1)):
            with suppress(NotUnderstood):
                found.add(GRAMMAR.read(line, reply).command.name)
    return found


def verbs_typed() -> set[str]:
    found = set()
    for line in typed_lines():
        for word in line.split()[:2]:
            verb = find_verb(word)
            found |= {verb.name} if verb else set()
    return found


def test_every_command_is_typed_in_a_conversation_or_answers_a_mail() -> None:
    by_typing = [command for command in commands() if command.confirms is None]
    assert {command.name for command in by_typing} <= commands_typed()


def test_every_row_of_the_grammar_is_used_in_a_conversation() -> None:
    assert {verb.name for verb in verbs()} <= verbs_typed()


def test_no_word_means_two_commands() -> None:
    words = [word for verb in verbs() for word in (verb.name, *verb.aliases)]
    assert len(set(words)) == len(words)


def test_every_command_has_a_help_page_that_a_player_can_ask_for(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    house = HouseUnderTest(tmp_path_factory.mktemp("help"))
    house.add("alice")
    for verb in verbs():
        house.clock.now += timedelta(minutes=5)
        (mail,) = house.mail("alice@example.org", f"help {verb.name}")
        page = text_of(mail)
        assert page.startswith(f"{verb.name}: ")
        assert max(map(len, page.splitlines())) <= 72
