"""A position of Nine Men's Morris, and what a side can do in it.

Sides are seats: 0 is White, 1 is Black. Sets of points are ints, see board.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pbm.engine import Seat

from .board import ALL, MASKS, NAMES, NEIGHBOURS, closing, names, points

STONES = 9
"""Stones that each side brings to the board."""


@dataclass(frozen=True, slots=True)
class State:
    """A position with all that the rules need.

    `since` lists the positions since the last stone was placed or taken, including this one, as
    `key` packs them. No position can come back after a stone is placed or taken, so older ones
    do not matter, and the length counts the quiet plies. `last` is the turn that led here, "" at
    the start; `reason` says why the game is over, "" while it goes on.
    """

    stones: tuple[int, int] = (0, 0)
    hand: tuple[int, int] = (STONES, STONES)
    mover: Seat = 0
    take_any: bool = False
    since: tuple[int, ...] = (0,)
    last: str = ""
    reason: str = ""

    @property
    def free(self) -> int:
        """The points without a stone."""
        return ALL & ~(self.stones[0] | self.stones[1])


def key(white: int, black: int, mover: Seat) -> int:
    """Return a number that is unique for the stones of both sides and the side to move."""
    return white | black << 24 | mover << 48


def split(move: str) -> tuple[int, int, int]:
    """Return the origin, destination and taken stone of a turn, as sets of at most one point."""
    step, _, taken = move.partition("x")
    origin, _, to = step.rpartition("-")
    return MASKS[origin], MASKS[to], MASKS[taken]


def may_jump(state: State, seat: Seat) -> bool:
    """Return whether `seat` has placed all its stones and has three left (rule text, "Jumping")."""
    return not state.hand[seat] and state.stones[seat].bit_count() == 3


def steps(state: State, seat: Seat) -> Iterator[tuple[str, bool]]:
    """Yield each way to bring a stone to a free point, and whether it closes a mill."""
    own, free = state.stones[seat], state.free
    if state.hand[seat]:
        mills = closing(own)
        for to in points(free):
            yield NAMES[to], bool(mills >> to & 1)
        return
    anywhere = may_jump(state, seat)
    for origin in points(own):
        near = free if anywhere else free & NEIGHBOURS[origin]
        mills = closing(own ^ 1 << origin) if near else 0
        for to in points(near):
            yield f"{NAMES[origin]}-{NAMES[to]}", bool(mills >> to & 1)


def takeable(state: State, seat: Seat) -> int:
    """Return the stones of the opponent that a mill of `seat` may take."""
    stones = state.stones[1 - seat]
    return outside_mills(stones, closing(stones), take_any=state.take_any)


def outside_mills(stones: int, mills: int, *, take_any: bool) -> int:
    """Return those of one side's `stones` that may be taken; `mills` is what `closing` returns.

    These are the stones outside mills; if there are none, all of them with take=any.
    """
    outside = stones & ~mills
    return stones if take_any and not outside else outside


def turns(state: State, seat: Seat) -> Iterator[str]:
    """Yield each whole turn open to `seat` once, by origin, destination and taken stone."""
    if state.reason or seat != state.mover:
        return
    # If nothing may be taken, a mill takes nothing: the step alone is the turn.
    takes = [f"x{name}" for name in names(takeable(state, seat))] or [""]
    for step, closes in steps(state, seat):
        if closes:
            for take in takes:
                yield step + take
        else:
            yield step
