"""The command language: what each line asks for (lines.txt), and that any line gets an answer."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import NotUnderstood
from tests.readings import answers
from tests.service.houses import (
    GRAMMAR,
    PLAYER,
    REPLY,
    Credentials,
    Reply,
    Words,
    find_verb,
    options_last,
    split_options,
    verbs,
)

LINES = Path(__file__).with_name("lines.txt").read_text("utf-8")


def asked(line: str, reply: Reply | None = None) -> str:
    """Return the name of the command, its arguments, and the credentials."""
    request = GRAMMAR.read(line, reply)
    given = {name: value for name, value in request.arguments.items() if value is not None}
    if request.command.needs_game:
        given["game"] = request.game
    named = (f" {name}={value!r}" for name, value in sorted(given.items()))
    return f"{request.command.name}{''.join(named)}{by(request.credentials)}"


def by(credentials: Credentials | None) -> str:
    return f" by {credentials.userid} {credentials.password}" if credentials else ""


def refused(line: str) -> str:
    """Return "refused" if a line is no command in a reply; an example that it gives is one."""
    with pytest.raises(NotUnderstood) as refusal:
        GRAMMAR.read(line, REPLY)
    if refusal.value.example:
        GRAMMAR.read(refusal.value.example, REPLY)
    return "refused"


def split(line: str) -> str:
    options = split_options(line.split())
    return f"{' '.join(options.words)} {options.game} {options.match}"


def board(line: str) -> str:
    words = Words(line.split())
    return f"{words.board_number()} {words.rest}"


def credentials(line: str, least_rest: str = "0", proven: bool = True) -> str:
    words = Words(line.split())
    found = by(words.credentials(PLAYER if proven else None, least_rest=int(least_rest)))
    return f"{found} {words.rest}".strip()


def move(line: str) -> str:
    text, ply = Words(line.split()).text_and_ply()
    return f"{text} {ply}"


DOORS: Mapping[str, Callable[..., str]] = {
    "line": asked,
    "reply": lambda line: asked(line, REPLY),
    "no reply": refused,
    "options": split,
    "board": board,
    "proven": credentials,
    "unproven": lambda line: credentials(line, proven=False),
    "move": move,
    "last": lambda line: " ".join(options_last(line.split())),
}


def read(door: str, *columns: str) -> str:
    return DOORS[door](*columns)


def test_a_line_is_read_as_the_table_says() -> None:
    assert answers(LINES, read, NotUnderstood) == LINES


def test_a_verb_is_known_by_every_name_in_any_case_and_by_its_own_shortenings() -> None:
    for verb in verbs():
        for name in (verb.name, *verb.aliases):
            for form in (name, name.upper(), name.capitalize(), f"{name[:1]}\u200b{name[1:]}"):
                assert find_verb(form) is verb, form
        for length in range(1, len(verb.name)):
            shortened = find_verb(verb.name[:length])
            if verb.least and length >= verb.least:
                assert shortened is verb
            else:
                assert shortened is not verb or verb.name[:length] in verb.aliases
    words = [word for verb in verbs() for word in verb.words]
    assert len(words) == len(set(words)), "no word means two commands"


def test_the_example_of_a_verb_is_read_as_that_verb_and_can_be_carried_out() -> None:
    for verb in verbs():
        example = verb.example_for("noughts").replace("gonnect", "noughts")
        assert GRAMMAR.read(example, None).verb == verb.name


def test_a_refusal_gives_an_example_with_a_game_that_there_is() -> None:
    for line in ("challenge a b c", "noughts challenge"):
        with pytest.raises(NotUnderstood) as refusal:
            GRAMMAR.read(line, None)
        assert "GAME" not in refusal.value.example
    with pytest.raises(NotUnderstood) as refusal:
        GRAMMAR.read("noughts challenge alice", REPLY)
    assert refusal.value.example == "noughts challenge alice your-password bob"


WORDS = st.one_of(
    st.sampled_from([*(verb.name for verb in verbs()), "mvoe", "pie", "noughts", "NOUGHTS"]),
    st.sampled_from(
        ["104", "#104", "104#7", "#7", "alice", "alice-pw", "b2", "-a=b", "--c", "all"]
    ),
    st.text(max_size=12),
)
ANY_LINE = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=60)


@given(ANY_LINE, st.sampled_from([None, REPLY]))
def test_any_line_is_read_or_not_understood(line: str, reply: Any) -> None:
    for whole in (line, f"move {line}"):
        try:
            GRAMMAR.read(whole, reply)
        except NotUnderstood as error:
            sentence = str(error)
        else:
            sentence = "."
        assert sentence.endswith((".", "?"))


@given(ANY_LINE)
def test_any_line_is_looked_at_for_a_command_and_for_near_ones(line: str) -> None:
    if GRAMMAR.begins_command(line):
        first = next(
            word for word in line.split() if not word.startswith(("-", "\u2013", "\u2014"))
        )
        assert find_verb(first) or GRAMMAR.catalogue.find(first)
    assert len(GRAMMAR.resembles_command(line)) <= 3


@given(st.text(alphabet="abc1-#", min_size=1, max_size=8), st.lists(st.just("G7"), max_size=3))
def test_a_password_after_ones_own_userid_is_never_left_for_a_move(
    password: str, move: list[str]
) -> None:
    taken = Words(["Alice", f"pw{password}", *move])
    taken.credentials(PLAYER, least_rest=1)
    assert taken.rest == move
