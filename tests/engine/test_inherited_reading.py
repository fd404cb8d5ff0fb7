"""How a game that writes no reading of its own reads what people type."""

from collections.abc import Iterator
from typing import Any

import pytest

from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    Seat,
    advance,
    begin,
    read_move,
)
from tests.engine.noughts import Noughts, State, game
from tests.tables import each


class Sliding(Noughts):
    """Its moves are written as slides, one of them with an arrow of its own."""

    __module__ = "tests.engine.noughts"

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        yield from ("a1-b2", "a1-b3", "c1>c2", "b1=>b3")


START = game.start(game.info.setup())


@each(
    ("typed", "move"),
    [
        ("A1 \u2192 B2", "a1-b2"),
        ("a1->b2", "a1-b2"),
        ("a1=>b2.", "a1-b2"),
        ("a1\u2013b2!", "a1-b2"),
        ("c1 \u27a1\ufe0f c2", "c1>c2"),
        ("b1=>b3", "b1=>b3"),
        ("c2", "c1>c2"),
    ],
)
def test_arrows_dashes_and_a_full_stop_are_read(typed: str, move: str) -> None:
    assert Sliding().parse(START, 0, typed) == move


@each("typed", ["a1", "1-b1", "0-b1", "b1"])
def test_a_part_of_a_number_is_no_part_of_a_move(typed: str) -> None:
    class Wide(Noughts):
        def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
            yield from ("a10-b10", "c3-c4")

    with pytest.raises(IllegalMoveError, match="is not a legal move"):
        Wide().parse(START, 0, typed)
    assert Wide().parse(START, 0, "b10") == "a10-b10"


@each(("typed", "whole"), [("b", "b3, b2 or b1"), ("B.", "b3, b2 or b1"), ("1", "a1, b1 or c1")])
def test_half_a_name_is_completed_by_the_legal_moves(typed: str, whole: str) -> None:
    with pytest.raises(IncompleteMoveError) as refused:
        game.parse(START, 0, typed)
    assert str(refused.value) == f'"{typed}" is only a part of a move: {whole}.'


def test_a_text_that_begins_many_moves_is_incomplete_and_all_are_candidates() -> None:
    class Wide(Noughts):
        def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
            yield from (f"a1-{letter}{n}" for letter in "bc" for n in range(1, 6))

    with pytest.raises(IncompleteMoveError) as begun:
        Wide().parse(START, 0, "a1")
    assert len(begun.value.candidates) == 10


@each("typed", ["pass", "I pass.", "Passing!"])
def test_a_pass_is_refused_where_a_game_cannot_read_it(typed: str) -> None:
    class Strict(Noughts):
        def parse(self, state: State, seat: Seat, text: str) -> str:
            return self.readable("" if "pass" in text.lower() else text)

    with pytest.raises(IllegalMoveError) as refused:
        read_move(Strict(), START, 0, typed)
    assert str(refused.value) == (
        "There is no passing in Noughts and Crosses; the side to move must play."
    )


def test_a_game_that_knows_a_pass_may_have_it() -> None:
    class Passing(Noughts):
        def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
            yield from (*super().legal_moves(state, seat), "pass")

    assert read_move(Passing(), START, 0, "Pass.") == "pass"


class Asked(Noughts):
    """Noughts and Crosses that notes what it is asked to read."""

    def __init__(self) -> None:
        self.asked: list[tuple[State, Seat, str]] = []

    def parse(self, state: State, seat: Seat, text: str) -> str:
        self.asked.append((state, seat, text))
        return super().parse(state, seat, text)


def test_a_move_that_is_read_again_is_asked_of_the_game_once() -> None:
    asked = Asked()
    assert [read_move(asked, START, 0, " B2") for _ in range(3)] == ["b2"] * 3
    assert asked.asked == [(START, 0, " B2")]


def test_another_game_position_or_text_is_read_anew() -> None:
    one, other = Asked(), Asked()
    corner = game.play(START, 0, "a1")
    assert read_move(one, START, 0, "b2") == "b2"
    assert read_move(one, START, 0, "b3") == "b3"
    assert read_move(one, corner, 1, "b3") == "b3"
    assert read_move(other, corner, 1, "b3") == "b3"
    assert (len(one.asked), len(other.asked)) == (3, 1)


def test_what_is_illegal_for_one_seat_or_now_is_refused_though_it_was_just_read() -> None:
    asked = Asked()
    assert read_move(asked, START, 0, "b2") == "b2"
    for state, seat in ((START, 1), (game.play(START, 0, "b2"), 1)):
        for _ in range(2):
            with pytest.raises(MoveError):
                read_move(asked, state, seat, "b2")


def test_a_swap_with_a_full_stop_is_a_swap() -> None:
    position, _ = advance(game, begin(game, game.info.setup()), 0, "b2")
    assert advance(game, position, 1, "Swap.")[1].text == "swap"


def test_the_moves_of_a_position_are_looked_up_once() -> None:
    class Counting(Noughts):
        calls = 0

        def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
            self.calls += 1
            return super().legal_moves(state, seat)

    counting, state = Counting(), START
    assert [counting.parse(state, 0, move) for move in ("a1", "B2", "c3")] == ["a1", "b2", "c3"]
    assert counting.calls == 1
    after: Any = counting.play(state, 0, "a1")
    with pytest.raises(MoveError):
        counting.parse(after, 1, "a1")
    assert counting.parse(state, 0, "a1") == "a1"
