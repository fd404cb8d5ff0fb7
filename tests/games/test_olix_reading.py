"""What people type at OLIX, and what the refusals tell them."""

import pytest

from games.olix import game
from games.olix.positions import State
from pbm.engine import IllegalMoveError, IncompleteMoveError, MoveError, MoveSyntaxError
from tests.games.test_olix_rules import after, nearly_full
from tests.tables import each

START = game.start(game.info.setup())
STARTED = after(START, "f6", "i10")


def read(state: State, text: str) -> str:
    return game.parse(state, state.turn, text)


@each(
    ("text", "move"),
    [
        ("k11", "k11"),
        ("K 11", "k11"),
        ("k-11", "k11"),
        ("i\u00a02", "i2"),
        ("place d4", "d4"),
        ("a01", "a1"),
        ("Count", "count"),
        (" COUNT ", "count"),
    ],
)
def test_a_move_is_read_in_many_forms(text: str, move: str) -> None:
    assert read(STARTED, text) == move


@each(
    ("text", "words"),
    [
        ("f6", "on f6 there is one of Black"),
        ("i10", "on i10 there is one of White"),
        ("l3", "no cell l3 on this board; the columns are a to k"),
        ("a12", "no cell a12"),
        ("f111", "no cell f111"),
        ("a0", "the rows 1 to 11"),
    ],
)
def test_a_refusal_names_the_rule(text: str, words: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        read(STARTED, text)
    assert words in str(refused.value)


def test_a_column_alone_is_told_its_empty_cells() -> None:
    with pytest.raises(IncompleteMoveError) as refused:
        read(STARTED, "F")
    assert refused.value.candidates == tuple(f"f{row}" for row in range(1, 12) if row != 6)


def test_with_no_stone_in_hand_the_error_says_what_is_left() -> None:
    with pytest.raises(IllegalMoveError, match="only move left to you is count"):
        read(after(nearly_full(50, 48, extra="k1 k2 k3"), "k11"), "k10")


@each("text", ["", "hello", "z", "counting", "6f", "f6 f7", "\U0001f3b2"])
def test_what_is_no_move_is_said_to_be_unreadable(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        read(STARTED, text)


def test_an_overlong_text_is_refused() -> None:
    with pytest.raises(MoveError, match="too long"):
        read(STARTED, "f6" * 5_000)


def test_a_seat_that_is_not_to_move_is_told_so() -> None:
    with pytest.raises(IllegalMoveError, match="not White's turn"):
        game.parse(STARTED, 1, "c4")
