"""Positions of OLIX: the state, and the position after each move."""

from dataclasses import dataclass, replace

from pbm.engine import Seat

from .patterns import (
    BOARD,
    CELL,
    NOTHING,
    WINNING,
    Values,
    beside,
    best_values,
    can_raise,
    points,
)

STONES = 50
COUNT = "count"
AT_ONCE = ("o", "l", "i", "x")
"""The reasons of a win by a single pattern, in the order of the values."""


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `stones` are each seat's cells as a bit set, `values` its best O, L, I and X. `last` is
    the cell of the last stone, or COUNT while an offer to count stands. A finished game has
    a `reason`, and a `winner` unless drawn.
    """

    stones: tuple[int, int] = (0, 0)
    values: tuple[Values, Values] = (NOTHING, NOTHING)
    turn: Seat = 0
    last: str | None = None
    winner: Seat | None = None
    reason: str | None = None


def stones_left(state: State, seat: Seat) -> int:
    """Return the stones that `seat` has in hand."""
    return STONES - state.stones[seat].bit_count()


def empty(state: State) -> int:
    """Return the set of empty cells."""
    return BOARD & ~(state.stones[0] | state.stones[1])


def after_stone(state: State, seat: Seat, cell: str) -> State:
    """Return the position after a stone, with the result if that ends the game."""
    at = 1 << CELL[cell]
    own = state.stones[seat] | at
    best = state.values[seat]
    # A stone that touches no other of its player adds to nothing but an O that it lies within.
    if best[0] or beside(at) & own:
        best = best_values(own, best)
    if seat == 0:
        stones, values = (own, state.stones[1]), (best, state.values[1])
    else:
        stones, values = (state.stones[0], own), (state.values[0], best)
    after = State(stones, values, 1 - seat, cell)
    if best != state.values[seat]:
        for reason, value, enough in zip(AT_ONCE, best, WINNING, strict=True):
            if value >= enough:
                return replace(after, winner=seat, reason=reason)
    if not stones_left(after, 0) and not stones_left(after, 1):
        return counted(after, "stones_used")
    if _settled(after):
        return counted(after, "stalemate")
    return after


def after_count(state: State, seat: Seat) -> State:
    """Return the position after `count`: an offer, or the end if it accepts one."""
    after = replace(state, turn=1 - seat, last=COUNT)
    return counted(after, "agreed") if state.last == COUNT else after


def counted(state: State, reason: str) -> State:
    """Return the finished game: more points win, for `reason`; equal points are a draw."""
    black, white = points(state.values)
    if black == white:
        return replace(state, reason="equal")
    return replace(state, winner=0 if black > white else 1, reason=reason)


def _settled(state: State) -> bool:
    """Return whether neither player can still raise a best value."""
    free = empty(state)
    return not (_can_raise(state, state.turn, free) or _can_raise(state, 1 - state.turn, free))


def _can_raise(state: State, seat: Seat, free: int) -> bool:
    return can_raise(state.stones[seat], free, state.values[seat], stones_left(state, seat))
