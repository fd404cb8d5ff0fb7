"""A position of The Power of Two, and what the pieces in it can do.

The moves of a position are generated here, for the game object, the reader of typed moves and
the picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.pow2.board import (
    INNER_RAYS,
    NEIGHBOURS,
    NUMBER,
    POINTS,
    RAYS,
    PointSet,
    bits,
    point_set,
)
from games.pow2.placing import endings
from pbm.engine import Seat

PIECES = 16
"""Pieces of each side; a side that ends its turn with all of them on the board wins."""

SIDES = ("Light", "Dark")
"""The sides in seat order; Light begins."""

ALL_16, NO_MOVE = "all_16", "no_move"
"""The reasons to end."""

_STARTS = (("m1", "m13"), ("a1", "a13"))


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


def first_position(*, exact: bool, noborder: bool) -> State:
    """Return the start: two fresh pieces of each side in the corners, Light to move."""
    light, dark = (point_set(map(NUMBER.__getitem__, names)) for names in _STARTS)
    return State((light, dark), exact=exact, noborder=noborder)


def destinations(state: State, start: int) -> list[int]:
    """Return the points in order that a piece on `start` can slide to, whatever it meets there.

    Rule text, phase a): any distance along a line, over empty points.
    """
    occupied = state.occupied
    reached = []
    for ray in (INNER_RAYS if state.noborder else RAYS)[start]:
        for point in ray:
            if occupied >> point & 1:
                break
            reached.append(point)
    reached.sort()
    return reached


def met(state: State, start: int, target: int) -> PointSet:
    """Return the occupied neighbours of `target` for a piece that comes from `start`."""
    return (state.occupied & ~(1 << start)) & NEIGHBOURS[target]


def possible_endings(state: State, target: int, around: PointSet) -> tuple[str, ...]:
    """Return each way to write the placements beside the occupied points `around`.

    One empty string if nothing stands there; an empty tuple if the slide is illegal.
    """
    due, supply = around.bit_count(), state.supply(state.seat)
    if state.exact and due > supply:
        return ()
    return endings(target, around, min(due, supply))


def turns(state: State) -> Iterator[str]:
    """Yield each legal turn of the seat to move, in the order of notation."""
    for start in bits(state.pieces[state.seat]):
        name = POINTS[start]
        for target in destinations(state, start):
            slide = f"{name}-{POINTS[target]}"
            for ending in possible_endings(state, target, met(state, start, target)):
                yield slide + ending


def points_of(turn: str) -> tuple[int, int, PointSet]:
    """Return where a turn in canonical notation starts and ends its slide, and what it fills."""
    slide, _, placed = turn.partition(":")
    start, target = slide.split("-")
    names = placed.split(",") if placed else ()
    return NUMBER[start], NUMBER[target], point_set(NUMBER[name] for name in names)


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
    if next(turns(reached), None) is None:
        return replace(reached, ended=NO_MOVE)
    return reached
