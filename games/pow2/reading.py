"""Reads a typed move of The Power of Two, and tells the player what is wrong with it.

A turn is read as the points in it: where the piece stands, where it goes, and what is placed,
with any of - : , ; . > / +, blanks, "to" or "and" between them, or nothing at all.
"""

import re
from dataclasses import dataclass
from itertools import combinations
from typing import NoReturn

from games.pow2.board import INNER_RAYS, NUMBER, POINTS, RAYS, PointSet, bits, point_set
from games.pow2.placing import ending, third_points
from games.pow2.position import SIDES, State, met, points_of, possible_endings, turns
from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveSyntaxError,
    listing,
    quote,
)

_NAME = re.compile(r"[a-z][0-9]{1,3}")
_TURN = re.compile(r"(?:[a-z][0-9]{1,3}(?:[-:,;.>/+&]|to|and)*+)++")


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
        return third_points(self.target, neighbour, self.around)

    def all_thirds(self, neighbours: PointSet) -> PointSet:
        """Return the free points that form a triangle with the piece and some of `neighbours`."""
        free = 0
        for neighbour in bits(neighbours):
            free |= self.thirds(neighbour)
        return free


def read(state: State, text: str, typed: str) -> str:
    """Return the legal turn that `text` means for the seat to move, or raise a MoveError.

    `typed` is `text` folded and without spaces.
    """
    points = _points_in(text, typed)
    if len(points) == 1:
        _ask_for_slide(state, points[0])
    start, target, *placed = points
    _check_way(state, start, target)
    slide = _Slide(start, target, met(state, start, target))
    possible = [f"{slide}{known}" for known in possible_endings(state, target, slide.around)]
    if not possible:
        _explain_no_room(state, slide)
    for at, point in enumerate(placed):
        _check_placement(state, slide, point, placed[:at])
    turn = f"{slide}{ending(point_set(placed))}"
    if turn not in possible:
        _explain_placements(slide, point_set(placed), possible)
    return turn


def _points_in(text: str, typed: str) -> list[int]:
    """Return the points named in `typed`, one or more; raise MoveErrors if it is no move."""
    if not _TURN.fullmatch(typed):
        raise MoveSyntaxError(
            f"{quote(text)} cannot be read as a move; one looks like m13-j7, "
            "or m13-m5:l4 with a piece placed."
        )
    names = _NAME.findall(typed)
    for name in names:
        if name not in NUMBER:
            raise IllegalMoveError(f"There is no point {name} on this board; {_there(name)}.")
    return [NUMBER[name] for name in names]


def _there(name: str) -> str:
    """Return which points there are with the letter of `name`, for the end of a sentence."""
    beside = [point for point in POINTS if point[0] == name[0]]
    if beside:
        return f"those with {name[0]} are {listing(beside, last='and')}"
    return "the letters run from a to m"


def _ask_for_slide(state: State, point: int) -> NoReturn:
    """Raise the error for a single point, which lacks the other end of the slide."""
    name = POINTS[point]
    if state.pieces[1 - state.seat] >> point & 1:
        raise IllegalMoveError(f"The piece on {name} is {SIDES[1 - state.seat]}'s.")
    if state.pieces[state.seat] >> point & 1:
        leaving = [turn for turn in turns(state) if points_of(turn)[0] == point]
        if not leaving:
            raise IllegalMoveError(f"Your piece on {name} cannot move.")
        raise IncompleteMoveError(f"Where does the piece on {name} go?", leaving)
    coming = [turn for turn in turns(state) if points_of(turn)[1] == point]
    if not coming:
        raise IllegalMoveError(f"None of your pieces can go to {name}.")
    raise IncompleteMoveError(f"Which piece goes to {name}?", coming)


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
    if state.noborder and ray not in INNER_RAYS[start]:
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


def _explain_placements(slide: _Slide, placed: PointSet, possible: list[str]) -> NoReturn:
    """Raise what is wrong with placements that are each possible alone."""
    number = points_of(possible[0])[2].bit_count()
    if placed.bit_count() > number:
        raise IllegalMoveError(f"{slide} places {_pieces(number)}, {placed.bit_count()} are named.")
    fitting = [turn for turn in possible if points_of(turn)[2] & placed == placed]
    if fitting:
        left = ", all that you have left" if number < slide.due else ""
        raise IncompleteMoveError(
            f"{slide} comes next to {_names(slide.around)}, so it places {_pieces(number)}{left}.",
            fitting,
        )
    if placed.bit_count() == slide.due:
        _check_each_answered(slide, placed)
    raise IllegalMoveError(
        f"{_names(placed)} cannot answer a neighbour each; "
        f"those of {POINTS[slide.target]} are {_names(slide.around)}."
    )


def _check_each_answered(slide: _Slide, placed: PointSet) -> None:
    """Raise IllegalMoveError if no placement forms a triangle with one of the neighbours."""
    for neighbour in bits(slide.around):
        thirds = slide.thirds(neighbour)
        if not thirds & placed:
            raise IllegalMoveError(
                f"{_names(placed, 'or')} forms no triangle with {POINTS[slide.target]} and its "
                f"neighbour {POINTS[neighbour]}; {_names(thirds, 'or')} would."
            )
