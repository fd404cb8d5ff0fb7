"""A position of The Power of Two, and what the pieces in it can do.

After a slide, one new piece is placed for each occupied neighbour. Rule text, phase b), made
precise in help.md: each placement is next to the piece that moved and to the neighbour that it
answers, and different neighbours need different points. All of that depends only on the destination
and on which of its neighbours are occupied, so it is computed once for each such pair and kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from pbm.engine import Seat, bits

from .board import (
    INNER_SLIDES,
    NEIGHBOURS,
    NUMBER,
    POINTS,
    SLIDES,
    PointSet,
    Slides,
    point_set,
)

PIECES = 16
"""Pieces of each side; a side that ends its turn with all of them on the board wins."""

SIDES = ("Light", "Dark")
"""The sides in seat order; Light begins."""

ALL_16, NO_MOVE = "all_16", "no_move"
"""The reasons to end."""

CORNERS = point_set([NUMBER["m1"], NUMBER["m13"]]), point_set([NUMBER["a1"], NUMBER["a13"]])
"""Two fresh pieces of each side, with which the game begins."""


@dataclass(frozen=True, slots=True)
class State:
    """The points of each seat's pieces, which of all these are aged, and the match's options.

    `last` and `removed` describe the turn just played, for the picture. `ended` is the reason
    once the game is over; then the seat that is not to move has won.
    """

    pieces: tuple[PointSet, PointSet]
    aged: PointSet = 0
    seat: Seat = 0
    exact: bool = False
    noborder: bool = False
    last: str | None = None
    removed: PointSet = 0
    ended: str | None = None

    @property
    def occupied(self) -> PointSet:
        """The points of all pieces."""
        return self.pieces[0] | self.pieces[1]

    def supply(self, seat: Seat) -> int:
        """Return how many pieces of `seat` are not on the board."""
        return PIECES - self.pieces[seat].bit_count()


def ways(state: State) -> tuple[Slides, ...]:
    """Return for each point the slides that begin there, with what must be empty for each."""
    return INNER_SLIDES if state.noborder else SLIDES


Placing = tuple[PointSet, tuple[int, ...], str]
"""The placements of a turn: as a set, as points, and in notation, ":a13,d10" or empty."""


def placings(target: int, around: PointSet, supply: int, *, exact: bool) -> tuple[Placing, ...]:
    """Return what may be placed beside the occupied points `around`, in the order of notation.

    A `supply` below their number is placed whole, on points of a set that would have answered them
    all. The result is empty if the slide is illegal: they cannot all be answered, or the option
    `exact` asks for more than the supply.
    """
    due = around.bit_count()
    if due > supply:
        if exact:
            return ()
        due = supply
    return _placings(target, around, due)


@cache
def _placings(target: int, around: PointSet, number: int) -> tuple[Placing, ...]:
    free = tuple(bits(NEIGHBOURS[target] & ~around))
    full = [
        answer
        for answer in map(point_set, combinations(free, around.bit_count()))
        if _can_answer(target, around, answer)
    ]
    parts = map(point_set, combinations(free, number))
    return tuple(
        (part, tuple(bits(part)), ending(part))
        for part in parts
        if any(part & answer == part for answer in full)
    )


def _can_answer(target: int, around: PointSet, placed: PointSet) -> bool:
    """Return whether each point of `around` can be answered by a different point of `placed`."""
    if not around:
        return True
    first = (around & -around).bit_length() - 1
    thirds = NEIGHBOURS[first] & NEIGHBOURS[target] & placed
    return any(_can_answer(target, around & (around - 1), placed ^ 1 << p) for p in bits(thirds))


def ending(placed: PointSet) -> str:
    """Return the part of the notation that names the placements; empty if there are none."""
    return ":" + ",".join(POINTS[point] for point in bits(placed)) if placed else ""


@cache
def _placed_by(names: str) -> PointSet:
    """Return the points that an ending names, without its colon: "a13,d10"."""
    return point_set(NUMBER[name] for name in names.split(","))


def open_slides(state: State) -> Iterator[tuple[int, int, PointSet]]:
    """Yield the start and target of each slide over empty points, and what it meets, in order."""
    occupied = state.occupied
    ways_from = ways(state)
    for start in bits(state.pieces[state.seat]):
        others = occupied ^ 1 << start
        for target, way in ways_from[start]:
            if not occupied & way:
                yield start, target, others & NEIGHBOURS[target]


def turns(state: State) -> Iterator[str]:
    """Yield each legal turn of the seat to move, in the order of notation."""
    supply = state.supply(state.seat)
    for start, target, around in open_slides(state):
        slide = f"{POINTS[start]}-{POINTS[target]}"
        if around:
            for _, _, notation in placings(target, around, supply, exact=state.exact):
                yield slide + notation
        else:
            yield slide


def can_turn(state: State) -> bool:
    """Return whether the seat to move has a legal turn."""
    supply = state.supply(state.seat)
    return any(
        not around or placings(target, around, supply, exact=state.exact)
        for _, target, around in open_slides(state)
    )


def points_of(turn: str) -> tuple[int, int, PointSet]:
    """Return where a turn in canonical notation starts and ends its slide, and what it fills."""
    slide, _, placed = turn.partition(":")
    start, _, target = slide.partition("-")
    return NUMBER[start], NUMBER[target], _placed_by(placed) if placed else 0


def after(state: State, turn: str) -> State:
    """Return the position after a legal `turn` of the seat to move."""
    start, target, placed = points_of(turn)
    own = state.pieces[state.seat] ^ 1 << start
    aged = state.aged
    if aged >> start & 1:
        aged ^= 1 << start | 1 << target
    # Only a turn that places ages pieces: the one that moved, and own neighbours that it met.
    ageing = own & NEIGHBOURS[target] | 1 << target if placed else 0
    removed = ageing & aged
    own = (own | 1 << target | placed) ^ removed
    pieces = (own, state.pieces[1]) if state.seat == 0 else (state.pieces[0], own)
    reached = State(
        pieces,
        (aged | ageing) ^ removed,
        1 - state.seat,
        state.exact,
        state.noborder,
        turn,
        removed,
    )
    if own.bit_count() == PIECES:
        return replace(reached, ended=ALL_16)
    if not can_turn(reached):
        return replace(reached, ended=NO_MOVE)
    return reached
