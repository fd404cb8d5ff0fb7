"""What people type at NOTWO'S, and what the refusals tell them."""

import time

import pytest

from games.notwos import game
from games.notwos.turns import State
from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
)
from tests.games.test_notwos_rules import ROW_FIVE, at
from tests.tables import each

START = game.start(game.info.setup())
PLACED = game.play(START, 0, "b3,e5")
THREATENED = at(f"{ROW_FIVE} d4 d3", a1=3)
STACKED = at("d5", b3=3)


def read(state: State, text: str) -> str:
    return game.parse(state, state.turn, text)


@each("text", ["b3,e5", "E5,B3", "b3 e5", "e5 - b3", "b3;e5", "b3 and e5", "place b3, e5", "b3/e5"])
def test_the_opening_is_read_in_either_order_and_with_any_separator(text: str) -> None:
    assert read(START, text) == "b3,e5"


@each(
    ("text", "side"),
    [("first", "first"), ("Vertical", "first"), ("2nd", "second"), (" SECOND ", "second")],
)
def test_sides_are_read_by_their_names(text: str, side: str) -> None:
    assert read(PLACED, text) == side


@each("text", ["c4", "C 4", "drop c4", "Drop\u00a0C4", "place c4"])
def test_a_drop_is_read(text: str) -> None:
    assert read(STACKED, text) == "c4"


@each(
    "text",
    [
        "g5>c5",
        "G5 > C5",
        "g5->c5",
        "g5 => c5",
        "g5\u2192c5.",
        "g5 \u2013> c5",
        "build g5 c5",
        "build g5-c5",
        "g5 to c5",
    ],
)
def test_a_build_is_read(text: str) -> None:
    assert read(THREATENED, text) == "g5>c5"


@each(
    "text",
    [
        *("b3-e6", "B3 - E6", "b3 \u2013 e6", "b3\u2014e6", "b3 e6", "b3:e6"),
        *("distribute b3 to e6", "b3\u2192e6", "b3->e6", "b3 => e6."),
    ],
)
def test_a_distribution_is_read(text: str) -> None:
    assert read(STACKED, text) == "b3-e6"


@each(
    ("state", "text", "words"),
    [
        (START, "b3,b3", "two different cells"),
        (START, "first", "place the two opening stones"),
        (START, "b3>e5", "nothing to build or distribute yet; the game opens with two stones"),
        (START, "build b3 e5", "such as b3,e5."),
        (START, "b3->b5", "nothing to build"),
        (START, "distribute b3 to b5", "nothing to build"),
        (PLACED, "swap", "now choose your side: first"),
        (PLACED, "c4", "choose your side: first"),
        (STACKED, "second", "already chosen"),
        (STACKED, "i3", "no cell i3"),
        (STACKED, "b3-e16", "no cell e16"),
        (STACKED, "d5", "d5 holds one stone"),
        (at("h8", b3=3), "b3", "b3 holds a stack of 3"),
        (at("a1", h8=39), "c4", "no stone left in the stock"),
        (STACKED, "drop c4-c6", "one stone on one empty cell"),
        # Building
        (at("a5 b5 c5"), "a5>c5", "only allowed when the opponent threatens to win"),
        (at("a5 b5 c5"), "a5>c5", "Second could not win now"),
        (THREATENED, "a5>b5", "at least three stones"),
        (THREATENED, "a5>a5", "two different ones"),
        (THREATENED, "a5>c6", "not in one straight line"),
        (THREATENED, "d5>d2", "d2 does not qualify"),
        (THREATENED, "e5>e8", "e6, e7 and e8 do not qualify"),
        (THREATENED, "a5>g5", "has at most 6 cells in one direction"),
        (THREATENED, "a1>a3", "a build takes single stones only."),
        (STACKED, "b3>e6", "to distribute the stack write b3-e6."),
        (THREATENED, "a5-c5", "to build from there write a5>c5"),
        # Distributing
        (STACKED, "b3-b6", "nothing would be captured"),
        (STACKED, "b3-e3", "nothing would be captured"),
        (STACKED, "b3-b1", "over the edge: towards b1 the board has only 2 cells"),
        (STACKED, "b3-d5", "towards d5 the last one lies on e6, not on d5"),
        (STACKED, "b3-c5", "not in one straight line"),
        (STACKED, "c3-f3", "c3 is empty"),
        # The advice names nothing that would itself be refused.
        (STACKED, "d5-d5", "d5 holds one stone."),
        (STACKED, "d5-d7", "d5 holds one stone."),
        (STACKED, "d5-", "nothing can be built or distributed"),
    ],
)
def test_a_refusal_names_the_rule(state: State, text: str, words: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        read(state, text)
    assert words in str(refused.value)


@each(
    ("state", "text", "candidates"),
    [
        (STACKED, "b3", ("b3-e6",)),
        (STACKED, "b3-", ("b3-e6",)),
        (STACKED, "distribute b3", ("b3-e6",)),
        (THREATENED, "d3>", ("d3>d5",)),
        (THREATENED, "d4", ()),
        (THREATENED, "d3", ("d3>d5",)),
    ],
)
def test_half_a_turn_is_told_how_it_can_go_on(
    state: State, text: str, candidates: tuple[str, ...]
) -> None:
    kind = IncompleteMoveError if candidates else IllegalMoveError
    with pytest.raises(kind) as refused:
        read(state, text)
    assert refused.value.candidates == candidates


def test_one_opening_stone_is_told_all_that_can_go_with_it() -> None:
    with pytest.raises(IncompleteMoveError) as refused:
        read(START, "b3")
    assert set(refused.value.candidates) == {t for t in game.legal_moves(START, 0) if "b3" in t}
    # Those that begin as the player began come first.
    assert refused.value.candidates[:2] == ("b3,b4", "b3,b5")
    assert str(refused.value).endswith("and 43 more.")


@each("state", [START, PLACED, STACKED])
@each("text", ["", "hello", "b3-e6-h8", "\U0001f3b2", "3b", "b3--e6--"])
def test_what_is_no_turn_is_said_to_be_unreadable(state: State, text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        read(state, text)


@each("text", ["", "Hello  Bob", "b3 " * 300])
@each(("state", "example"), [(START, "b3,e5"), (PLACED, "first"), (STACKED, "c4")])
def test_what_cannot_be_read_is_answered_by_an_example_of_the_phase(
    state: State, example: str, text: str
) -> None:
    with pytest.raises(MoveSyntaxError) as refused:
        read(state, text)
    assert example in str(refused.value)
    assert "ello" not in text or '"Hello Bob" cannot be read' in str(refused.value)


def test_ten_thousand_characters_are_refused_at_once() -> None:
    began = time.process_time()
    for _ in range(20):
        with pytest.raises(MoveError):
            read(STACKED, "b3-" * 3_400)
    assert time.process_time() - began < 1


def test_a_seat_that_is_not_to_move_is_told_so() -> None:
    with pytest.raises(IllegalMoveError, match="not Second's turn"):
        game.parse(STACKED, 1, "c4")
