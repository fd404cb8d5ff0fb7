"""The help pages as they are mailed: narrow, in ASCII, and in line with the grammar."""

import email
import email.policy
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.core.grammar import Grammar, verbs
from pbm.core.words import Reply
from pbm.domain.invitations import Terms
from pbm.domain.mail import unflowed
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.engine import AnyGame
from pbm.features.help import page as help_page
from pbm.mail.writing import game_page
from pbm.plugins import installed_games
from pbm.render.marks import plain
from tests.domain.matches import NOW
from tests.engine.noughts import game as noughts
from tests.mail.writing.samples import ADDRESS, COMPOSER, TO

FOLDER = Path(__file__).parent
CATALOGUE = installed_games()
GAMES = [game.info.key for game in CATALOGUE]
WOUND = Terms().read({"time": "700d+36h/2000d"})
WORDS = [name for verb in verbs() for name in (verb.name, *verb.aliases)]


def printed(written: str, game: AnyGame) -> str:
    """Return the text of a help page, without the marks around its boards."""
    return plain(game_page.printed(written, game).text)


def mailed(topic: str, periods: Periods = USUAL_PERIODS) -> EmailMessage:
    """Return the mail that answers `help TOPIC`."""
    letter = help_page(TO, topic, CATALOGUE, periods)
    content = COMPOSER.compose(letter, "uid", "word", NOW).content
    return email.message_from_bytes(content, _class=EmailMessage, policy=email.policy.default)


def page(topic: str, periods: Periods = USUAL_PERIODS) -> str:
    """Return the text of the mail that answers `help TOPIC`."""
    part = mailed(topic, periods).get_body(("plain",))
    assert part is not None
    return unflowed(str(part.get_content()).replace("\r\n", "\n"))


def test_a_page_fits_a_terminal_and_is_plain_ascii() -> None:
    for topic in ("", "commands", "tutorial", "time", *WORDS, *CATALOGUE.names):
        text = page(topic)
        assert text.isascii(), topic
        assert max(map(len, text.split("\n"))) <= 72, topic
    assert max(map(len, page("time", Periods(vacation=366, terms=WOUND)).split("\n"))) <= 72
    assert len(page("time").rstrip().split("\n")) <= 25


def test_the_first_page_names_every_game_and_the_list_of_commands_every_command() -> None:
    assert all(key in page("") for key in GAMES)
    assert all(f"\n  {verb.name} " in page("commands") for verb in verbs())


def test_a_commands_page_tells_its_words_and_shows_a_line_that_works() -> None:
    for verb in verbs():
        text = page(verb.name.upper())
        words = " ".join(text.split())
        assert verb.summary in words
        assert verb.usage in words
        lines = text.split("\n")
        example = lines[lines.index(f"For example, to {ADDRESS}:") + 2].strip()
        assert Grammar(CATALOGUE).read(example, None).verb == verb.name


@pytest.mark.parametrize("key", GAMES)
def test_a_games_page_has_its_options_its_examples_and_lines_that_work(key: str) -> None:
    lines = page(key).split("\n")
    for option in CATALOGUE.get(key).info.options:
        assert any(f"-{option.name}={option.default}" in line for line in lines)
    source = re.compile(r"#|```|game \w+$|result|board( \w+)?$")
    assert not list(filter(source.match, lines))
    assert not [line for line in lines if "`" in line or "**" in line or " ! " in line]
    assert any(" is refused: " in line for line in lines)
    for line in lines:
        if "your-password" in line:
            quoted = re.search('"(.*)"', line)
            assert Grammar(CATALOGUE).read(quoted[1] if quoted else line.strip(), None).credentials


@pytest.mark.parametrize("key", GAMES)
def test_each_board_of_a_games_page_is_a_picture(key: str) -> None:
    boards = re.findall("^board", CATALOGUE.help_page(key), re.MULTILINE)
    (html,) = (part for part in mailed(key).walk() if part.get_content_type() == "text/html")
    pictures = re.findall('<img src="cid:', html.get_content())
    assert len(pictures) == len(boards) > 1


def test_what_the_first_page_shows_is_read_by_the_grammar() -> None:
    grammar = Grammar(CATALOGUE)
    shown = [line.strip() for line in page("").split("\n") if line.startswith("  ")]
    reply = Reply(TO, None, 0)
    commands = [line for line in shown if grammar.begins_command(line) and "  " not in line]
    assert [grammar.read(line, reply).verb for line in commands[:5]] == [
        "robot",
        "seek",
        "challenge",
        "challenge",
        "games",
    ]


def test_the_page_on_time_tells_the_vacation_that_this_server_allows() -> None:
    words = " ".join(page("time", Periods(vacation=1)).split())
    assert "You can take 1 day in a calendar year" in words


def test_the_page_of_a_game_is_told_without_marks_and_its_examples_in_words() -> None:
    written = (FOLDER / "noughts.md").read_text("utf-8")
    assert printed(written, noughts) == (FOLDER / "noughts.txt").read_text("utf-8")


def test_a_long_row_of_moves_is_broken_between_moves_and_not_within_one() -> None:
    moves = ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"]
    turns = [f"{n + 1} {noughts.info.seats[n % 2]} {move}" for n, move in enumerate(moves)]
    example = "\n".join(["```transcript", "game noughts", *turns, "result draw full", "```"])
    first, second, _, ended = printed(example, noughts).rstrip().split("\n")
    assert first.startswith("    1. Cross b2  2. Nought a1  3.")
    assert second.endswith("9. Cross c3")
    assert len(first) <= 72
    assert ended == "The game is a draw: the board is full."


def test_an_example_that_cannot_be_played_is_shown_as_it_was_written() -> None:
    for inside in (
        "game noughts size=3\n1 Cross b2\nresult open",
        "game noughts\n1 Kross b2\nresult open",
        "game noughts\n1 Cross b2",
        "nothing of the kind",
    ):
        shown = inside.replace("\n", "\n    ")
        written = f"Look:\n\n```transcript\n{inside}\n```\n"
        assert printed(written, noughts) == f"Look:\n\n    {shown}\n"


def test_a_block_of_another_kind_is_indented_and_an_open_one_loses_its_marks() -> None:
    written = "```text\n# b2\n```\nThen\n```\nb3\n"
    assert printed(written, noughts) == '    # b2\n\nThen\n"\nb3\n'
