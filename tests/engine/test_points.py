"""The reader of turns that are points, as a game of a stranger would use it."""

import pytest

from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
    PointReader,
)
from tests.tables import each

READER = PointReader(
    [f"{letter}{row}" for letter in "abcx" for row in (1, 2, 10)][:-1],
    "cannot be read; a turn looks like a1-b2",
    signs={"takes": "x", "x": "x"},
    words=("move",),
    noun="field",
    piece="stone",
    most=3,
)
TURNS = ("a1-b2", "a1-b2xc1", "a1-b2xc10", "a10-b2", "b1-c2xa1,c10")


@each(
    ("typed", "points", "signs"),
    [
        ("a1b2", ("a1", "b2"), ("", "")),
        ("a1-b2", ("a1", "b2"), ("-", "")),
        ("a1tob2", ("a1", "b2"), ("->", "")),
        ("a1->b2takesc1", ("a1", "b2", "c1"), ("->", "x", "")),
        ("a1,andtakesc1x", ("a1", "c1"), ("x", "x")),
        ("a-1,b02", ("a1", "b2"), ("", "")),
    ],
)
def test_points_are_read_with_the_signs_behind_them(
    typed: str, points: tuple[str, ...], signs: tuple[str, ...]
) -> None:
    named = READER.named(typed, typed)
    assert (named.word, named.points, named.signs) == ("", points, signs)


def test_a_word_may_stand_before_them() -> None:
    assert READER.named("move a1", "movea1").word == "move"


@each("typed", ["hello", "a1-b2-c1-a2", "a1--b2", "1a", "movea1move"])
def test_what_names_no_points_is_quoted_with_how_a_turn_looks(typed: str) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        READER.named(typed, typed)
    assert str(refused.value) == f'"{typed}" cannot be read; a turn looks like a1-b2.'


@each(
    ("typed", "words"),
    [
        ("x3", "There is no field x3 on this board; column x has x1 and x2."),
        ("a3", "columns are a to x without d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u,"),
        ("z1-a1", "no field z1 on this board; the columns are a to x"),
        ("a1-b999", "the rows 1 to 10."),
    ],
)
def test_a_missing_point_is_told_what_there_is(typed: str, words: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        READER.named(typed, typed)
    assert words in str(refused.value)


@each(
    ("point", "sentence"),
    [
        ("a10", "Where does the stone on a10 go: a10-b2?"),
        ("c2", "Which stone goes to c2: b1-c2xa1,c10?"),
    ],
)
def test_a_point_alone_is_asked_for_the_other_end(point: str, sentence: str) -> None:
    with pytest.raises(IncompleteMoveError) as refused:
        READER.ask((point,), TURNS)
    assert str(refused.value) == sentence


@each("points", [("a1", "b2"), ("c10",)])
def test_nothing_is_asked_of_two_points_or_of_one_without_a_turn(points: tuple[str, ...]) -> None:
    READER.ask(points, TURNS)


@each(
    ("points", "turn"),
    [(("a1", "b2"), "a1-b2"), (("b1", "c2", "c10", "a1"), "b1-c2xa1,c10")],
)
def test_a_turn_is_found_by_its_points(points: tuple[str, ...], turn: str) -> None:
    assert READER.turn(points, TURNS, "Add more.") == turn


@each(
    ("points", "kind", "candidates"),
    [
        (("b1", "c2", "c10"), "incomplete", ("b1-c2xa1,c10",)),
        (("a1",), "incomplete", ("a1-b2", "a1-b2xc1", "a1-b2xc10")),
        (("b2", "a1"), "illegal", ()),
        (("a1", "b2", "c2"), "illegal", ()),
    ],
)
def test_points_without_a_turn_of_their_own_are_refused(
    points: tuple[str, ...], kind: str, candidates: tuple[str, ...]
) -> None:
    with pytest.raises(MoveError) as refused:
        READER.turn(points, TURNS, "Add more.")
    assert (refused.value.kind, refused.value.candidates) == (kind, candidates)
