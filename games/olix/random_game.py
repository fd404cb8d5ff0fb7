"""Whole random games of OLIX on bare integers: what a robot's playouts are made of.

A random game is a shuffle of the empty cells, and nothing is judged on the way. For stones stay
where they are, so values only grow: if nobody has a winning pattern when all stones are laid,
nobody ever had one, and otherwise halving finds the stone that completed the first.

Every empty cell is as likely as any other; `count` comes only if there is no stone left, because it
would end every second game before it is played. Where a game ends because neither player can
raise a value, which is rare, this one goes on to the last stone. It ends the same: what cannot be
raised stays as it is.
"""

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from operator import or_

from pbm.engine import Chance, Seat

from .patterns import NAME, SQUARES, WINNING, Values, best_values, points
from .positions import COUNT, State, empty, stones_left

_NOTATION: Mapping[int, str] = {0: COUNT} | {1 << cell: name for cell, name in NAME.items()}
"""The notation of each turn. A turn is the cell that it fills as a set, or 0 for `count`."""


def play_on(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the moves of both, `longest` at most, and who wins; None if nobody does by then."""
    turns = _turns(state, chance)
    end = min(len(turns), longest)
    winner: Seat | None = None
    values = []
    for n, seat in enumerate((state.turn, 1 - state.turn)):
        stones = list(accumulate(turns[n:end:2], or_, initial=state.stones[seat]))
        values.append(best_values(stones[-1], state.values[seat]))
        if _wins(values[-1]):
            first = bisect_left(stones, 1, key=lambda own: _wins(best_values(own)))
            end, winner = 2 * first - 1 + n, seat
    if winner is None and end == len(turns):
        ours, theirs = points((values[0], values[1]))
        if ours != theirs:
            winner = state.turn if ours > theirs else 1 - state.turn
    return [_NOTATION[turn] for turn in turns[:end]], winner


def _turns(state: State, chance: Chance) -> list[int]:
    """Return random turns of both from `state` until their stones are used or both count."""
    own, other = stones_left(state, state.turn), stones_left(state, 1 - state.turn)
    if not own and state.last == COUNT:
        return [0]
    free = empty(state)
    cells = [square for square, _ in SQUARES if free & square]
    cells.sort(key=lambda _: chance.random())
    both = 2 * min(own, other)
    alone = [turn for cell in cells[both : own + other] for turn in (0, cell)]
    # Who has stones alone begins, or follows on a `count`.
    return cells[:both] + alone[own > other :]


def _wins(values: Values) -> bool:
    """Return whether one of these values wins at once."""
    return any(value >= enough for value, enough in zip(values, WINNING, strict=True))
