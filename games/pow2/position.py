"""A position of The Power of Two, and what the pieces in it can do.

The moves of a position are generated here, for the game object, the reader of typed moves and
the picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.pow2.board import (
    INNER_SLIDES,
    NEIGHBOURS,
    NUMBER,
    POINTS,
    SLIDES,
    PointSet,
    Slides,
    bits,
    point_set,
)
from games.pow2.placing import endings, placed_by
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


def ways(state: State) -> tuple[Slides, ...]:
    """Return for each point the slides that begin there, with what must be empty for each."""
    return INNER_SLIDES if state.noborder else SLIDES


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
    for start, target, around in open_slides(state):
        slide = f"{POINTS[start]}-{POINTS[target]}"
        if around:
            for ending in possible_endings(state, target, around):
                yield slide + ending
        else:
            yield slide


def can_turn(state: State) -> bool:
    """Return whether the seat to move has a legal turn."""
    for _, target, around in open_slides(state):
        if not around or possible_endings(state, target, around):
            return True
    return False


def points_of(turn: str) -> tuple[int, int, PointSet]:
    """Return where a turn in canonical notation starts and ends its slide, and what it fills."""
    slide, _, placed = turn.partition(":")
    start, _, target = slide.partition("-")
    return NUMBER[start], NUMBER[target], placed_by(placed) if placed else 0


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
