"""The help pages as they are mailed: narrow, in ASCII, and in line with the grammar."""

import email
import email.policy
import re

import pytest

from pbm.domain.mail import unflowed
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.features.help import page as help_page
from pbm.plugins import installed_games
from pbm.service.command import Command
from pbm.service.grammar import Grammar, verbs
from pbm.service.line import Reply
from tests.domain.matches import NOW
from tests.mail.writing.notices import ADDRESS, COMPOSER, TO
from tests.tables import each

CATALOGUE = installed_games()
GAMES = [game.info.key for game in CATALOGUE]
WORDS = [name for verb in verbs() for name in (verb.name, *verb.aliases)]
TOPICS = ["", "commands", "tutorial", "time", *WORDS, *CATALOGUE.names]


def page(topic: str, periods: Periods = USUAL_PERIODS) -> str:
    """Return the text of the mail that answers `help TOPIC`."""
    letter = help_page(TO, topic, CATALOGUE, periods)
    content = COMPOSER.compose(letter, "uid", "word", NOW).content
    mail = email.message_from_bytes(content, policy=email.policy.default)
    part = mail.get_body(("plain",))
    assert part is not None
    return unflowed(str(part.get_content()).replace("\r\n", "\n"))


@each("topic", TOPICS)
def test_a_page_fits_a_terminal_and_is_plain_ascii(topic: str) -> None:
    text = page(topic)
    assert text.isascii()
    assert max(map(len, text.split("\n"))) <= 72


def test_the_first_page_says_where_to_write_and_names_every_game() -> None:
    text = page("")
    assert ADDRESS in text
    assert all(key in text for key in GAMES)


def test_the_list_of_commands_names_every_one() -> None:
    text = page("commands")
    assert all(f"\n  {verb.name} " in text for verb in verbs())


@each("verb", verbs(), ids=lambda verb: verb.name)
def test_a_commands_page_tells_its_words_and_shows_a_line_that_works(verb: Command) -> None:
    text = page(verb.name.upper())
    words = " ".join(text.split())
    assert verb.summary in words
    assert verb.usage in words
    lines = text.split("\n")
    example = lines[lines.index(f"For example, to {ADDRESS}:") + 2].strip()
    assert Grammar(CATALOGUE).read(example, None).verb == verb.name


@each("key", GAMES)
def test_a_games_page_ends_with_its_options_as_a_challenge_takes_them(key: str) -> None:
    text = page(key)
    game = CATALOGUE.get(key)
    for option in game.info.options:
        assert f"-{option.name}={option.default}" in text


@each("key", GAMES)
def test_a_games_page_has_no_marks_of_markdown_and_no_lines_for_tests(key: str) -> None:
    lines = page(key).split("\n")
    assert not [line for line in lines if line.startswith(("#", "```", "game ", "result", "board"))]
    assert not [line for line in lines if "`" in line or "**" in line or " ! " in line]
    assert any(" is refused: " in line for line in lines)


@each("key", GAMES)
def test_the_commands_on_a_games_page_are_read_by_the_grammar(key: str) -> None:
    commands = [line.strip() for line in page(key).split("\n") if "your-password" in line]
    bare = [re.search('"(.*)"', line) for line in commands]
    for line, quoted in zip(commands, bare, strict=True):
        assert Grammar(CATALOGUE).read(quoted[1] if quoted else line, None).credentials


@pytest.mark.parametrize(("topic", "meant"), [("mvoee", "move"), ("gonect", "gonnect")])
def test_an_unknown_topic_gets_near_names_and_the_first_page(topic: str, meant: str) -> None:
    text = page(topic)
    assert text.startswith(f"There is no help on that. Did you mean {meant}")
    assert page("").strip() in text


def test_an_unknown_topic_is_not_repeated() -> None:
    assert "hunter2" not in page("hunter2")


def test_what_the_first_page_shows_is_read_by_the_grammar() -> None:
    grammar = Grammar(CATALOGUE)
    shown = [line.strip() for line in page("").split("\n") if line.startswith("  ")]
    reply = Reply(TO, None, 0)
    commands = [line for line in shown if grammar.begins_command(line) and "  " not in line]
    assert [grammar.read(line, reply).verb for line in commands[:4]] == [
        "robot",
        "seek",
        "challenge",
        "games",
    ]


def test_the_page_on_time_tells_the_usual_terms_and_fits_a_screen() -> None:
    text = page("time")
    assert page("clocks") == text
    assert len(text.rstrip().split("\n")) <= 25
    words = " ".join(text.split())
    for phrase in (
        "after 7 days you are reminded, once",
        "2 days before the end you are warned, once",
        "after 21 days you lose the match",
        "--nagtime=3",
        "vacation 10 days",
        "You may take 30 days in a calendar year",
        "nobody loses in the next three hours either",
        "for 30 days at most",
    ):
        assert phrase in words


@each("topic", ["nag", "Forfeit", "deadlines", "totaltime", "--nagtime", "zone", "clock"])
def test_help_on_any_word_about_time_is_the_page_on_time(topic: str) -> None:
    assert page(topic) == page("time")


def test_the_page_on_time_tells_the_vacation_that_this_server_allows() -> None:
    text = page("time", Periods(vacation=1))
    assert "You may take 1 day\nin a calendar year" in text
    assert max(map(len, page("time", Periods(vacation=366)).split("\n"))) <= 72


@each("option", ["nagtime", "forfeittime", "totaltime", "unrated"])
def test_the_page_of_challenge_has_a_line_on_each_term_of_a_match(option: str) -> None:
    assert f"\n--{option}" in page("challenge")
