"""Reads a typed move of The Power of Two, and says what is wrong with it.

A turn is read as the points in it: where the piece stands, where it goes, and what is placed.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import NoReturn

from pbm.engine import (
    IllegalMoveError,
    PointReader,
    bits,
    listing,
)

from .board import (
    INNER_SLIDES,
    NEIGHBOURS,
    NUMBER,
    POINTS,
    RAYS,
    PointSet,
    point_set,
)
from .position import SIDES, State, placings, turns

READER = PointReader(
    POINTS, "cannot be read as a move; one looks like m13-j7, or m13-m5:l4 with a piece placed"
)


@dataclass(frozen=True, slots=True)
class _Slide:
    """A slide, and the occupied points that it comes next to."""

    start: int
    target: int
    around: PointSet

    def __str__(self) -> str:
        return f"{POINTS[self.start]}-{POINTS[self.target]}"

    @property
    def due(self) -> int:
        """The placements that the neighbours call for."""
        return self.around.bit_count()

    def thirds(self, neighbour: int) -> PointSet:
        """Return the free points that form a triangle with the piece and `neighbour`."""
        return NEIGHBOURS[self.target] & NEIGHBOURS[neighbour] & ~self.around

    def all_thirds(self, neighbours: PointSet) -> PointSet:
        """Return the free points that form a triangle with the piece and some of `neighbours`."""
        free = 0
        for neighbour in bits(neighbours):
            free |= self.thirds(neighbour)
        return free


def read(state: State, text: str, typed: str) -> str:
    """Return the legal turn that `text` means for the seat to move, or raise a MoveError."""
    points = READER.named(text, typed).points
    READER.ask(points, turns(state))
    start, *rest = (NUMBER[name] for name in points)
    if not rest:
        _explain_point(state, start)
    target, *placed = rest
    _check_way(state, start, target)
    slide = _Slide(start, target, (state.occupied & ~(1 << start)) & NEIGHBOURS[target])
    possible = placings(target, slide.around, state.supply(state.seat), exact=state.exact)
    if not possible:
        _explain_no_room(state, slide)
    for at, point in enumerate(placed):
        _check_placement(state, slide, point, placed[:at])
    number = len(possible[0][1])
    if not any({*placed} <= {*each} for _, each, _ in possible):
        _explain_placements(slide, point_set(placed), number)
    left = ", all that you have left" if number < slide.due else ""
    needs = f"{slide} comes next to {_names(slide.around)}, so it places {_pieces(number)}{left}."
    return READER.turn(points, (f"{slide}{notation}" for _, _, notation in possible), needs)


def _explain_point(state: State, point: int) -> NoReturn:
    """Raise the error for a single point at which no slide begins or ends."""
    name = POINTS[point]
    if state.pieces[1 - state.seat] >> point & 1:
        raise IllegalMoveError(f"The piece on {name} is {SIDES[1 - state.seat]}'s.")
    if state.pieces[state.seat] >> point & 1:
        raise IllegalMoveError(f"Your piece on {name} cannot move.")
    raise IllegalMoveError(f"None of your pieces can go to {name}.")


def _check_way(state: State, start: int, target: int) -> None:
    """Raise IllegalMoveError unless a piece of the mover can slide from start to target."""
    here, there = POINTS[start], POINTS[target]
    if not state.occupied >> start & 1:
        raise IllegalMoveError(f"There is no piece on {here}.")
    if not state.pieces[state.seat] >> start & 1:
        raise IllegalMoveError(f"The piece on {here} is {SIDES[1 - state.seat]}'s.")
    if start == target:
        raise IllegalMoveError(f"The piece has to leave {here}; there is no passing.")
    ray = next((ray for ray in RAYS[start] if target in ray), None)
    if ray is None:
        raise IllegalMoveError(f"No line leads from {here} to {there}.")
    if state.noborder and target not in dict(INNER_SLIDES[start]):
        raise IllegalMoveError(
            f"{here}-{there} is along an outer edge, where the option noborder forbids slides."
        )
    barring = next((point for point in ray if state.occupied >> point & 1), None)
    if barring == target:
        raise IllegalMoveError(f"{there} is occupied.")
    if barring is not None and ray.index(barring) < ray.index(target):
        raise IllegalMoveError(
            f"The way from {here} to {there} is blocked by the piece on {POINTS[barring]}."
        )


def _names(points: PointSet, last: str = "and") -> str:
    return listing((POINTS[point] for point in bits(points)), last=last)


def _pieces(number: int) -> str:
    return "one piece" if number == 1 else f"{number} pieces"


def _explain_no_room(state: State, slide: _Slide) -> NoReturn:
    """Raise IllegalMoveError, naming the neighbours that cannot be answered."""
    left = state.supply(state.seat)
    if state.exact and slide.due > left:
        raise IllegalMoveError(
            f"{slide} comes next to {_pieces(slide.due)} and you have {_pieces(left)} left "
            "to place; the option exact asks for one for each."
        )
    there = POINTS[slide.target]
    # Some group of neighbours has fewer points than members (Hall's theorem).
    crowded = next(
        neighbours
        for number in range(1, slide.due + 1)
        for neighbours in map(point_set, combinations(bits(slide.around), number))
        if slide.all_thirds(neighbours).bit_count() < number
    )
    if crowded.bit_count() == 1:
        raise IllegalMoveError(
            f"{slide} is not possible: no free point forms a triangle "
            f"with {there} and its neighbour {_names(crowded)}."
        )
    raise IllegalMoveError(
        f"{slide} is not possible: {there}'s neighbours {_names(crowded)} need a point each "
        f"for a triangle, and there is only {_names(slide.all_thirds(crowded))}."
    )


def _check_placement(state: State, slide: _Slide, point: int, before: list[int]) -> None:
    """Raise IllegalMoveError if nothing may be placed on `point`, whatever else is placed."""
    name = POINTS[point]
    if not slide.around:
        raise IllegalMoveError(
            f"{slide} comes next to no piece, so nothing can be placed on {name}."
        )
    if point == slide.target:
        raise IllegalMoveError(f"{name} is taken by the piece that you move there.")
    if slide.around >> point & 1 & (state.pieces[state.seat] & state.aged) >> point:
        raise IllegalMoveError(f"{name} is occupied; ageing takes that piece only after placing.")
    if state.occupied >> point & 1 and point != slide.start:
        raise IllegalMoveError(f"{name} is occupied.")
    if point in before:
        raise IllegalMoveError(f"{name} is named twice; each piece needs a point of its own.")
    if not slide.all_thirds(slide.around) >> point & 1:
        raise IllegalMoveError(
            f"{name} is not next to both the piece you moved and its neighbour "
            f"{_names(slide.around, 'or')}."
        )


def _explain_placements(slide: _Slide, placed: PointSet, number: int) -> NoReturn:
    """Raise what is wrong with placements that are each possible alone; `number` are to be."""
    if placed.bit_count() > number:
        raise IllegalMoveError(f"{slide} places {_pieces(number)}, {placed.bit_count()} are named.")
    for neighbour in bits(slide.around) if placed.bit_count() == slide.due else ():
        thirds = slide.thirds(neighbour)
        if not thirds & placed:
            raise IllegalMoveError(
                f"{_names(placed, 'or')} forms no triangle with {POINTS[slide.target]} and its "
                f"neighbour {POINTS[neighbour]}; {_names(thirds, 'or')} would."
            )
    raise IllegalMoveError(
        f"{_names(placed)} cannot answer a neighbour each; "
        f"those of {POINTS[slide.target]} are {_names(slide.around)}."
    )
