"""What must be placed after a slide: one new piece for each occupied neighbour.

Rule text, phase b), made precise in help.md: each placement is next to the piece that moved and
to the neighbour that it answers, and different neighbours need different points. All of that
depends only on the destination and on which of its neighbours are occupied, so the answers are
computed once for each such pair and kept.
"""

from functools import cache
from itertools import combinations

from games.pow2.board import NEIGHBOURS, NUMBER, POINTS, PointSet, bits, point_set


def third_points(target: int, neighbour: int, around: PointSet) -> PointSet:
    """Return the free points that form a triangle with `target` and `neighbour`.

    `around` are the occupied neighbours of `target`.
    """
    return NEIGHBOURS[target] & NEIGHBOURS[neighbour] & ~around


def can_answer(target: int, around: PointSet, placed: PointSet) -> bool:
    """Return whether each point of `around` can be answered by a different point of `placed`."""
    if not around:
        return True
    first = (around & -around).bit_length() - 1
    thirds = NEIGHBOURS[first] & NEIGHBOURS[target] & placed
    return any(can_answer(target, around & (around - 1), placed ^ 1 << p) for p in bits(thirds))


@cache
def full_answers(target: int, around: PointSet) -> tuple[PointSet, ...]:
    """Return each set of points that answers all of `around`, in the order of notation."""
    free = bits(NEIGHBOURS[target] & ~around)
    sets = map(point_set, combinations(free, around.bit_count()))
    return tuple(placed for placed in sets if can_answer(target, around, placed))


@cache
def answers(target: int, around: PointSet, number: int) -> tuple[PointSet, ...]:
    """Return each set of `number` points that may be filled after a slide to `target`, in order.

    Empty if the neighbours cannot all be answered: then the slide is illegal. A `number` below
    that of the neighbours is all that the supply holds: these pieces go to points of a set that
    would have answered all neighbours.
    """
    full = full_answers(target, around)
    if number == around.bit_count():
        return full
    free = bits(NEIGHBOURS[target] & ~around)
    parts = map(point_set, combinations(free, number))
    return tuple(part for part in parts if any(part & placed == part for placed in full))


@cache
def endings(target: int, around: PointSet, number: int) -> tuple[str, ...]:
    """Return how the notation of a slide to `target` may continue, in order: ":a13,d10"."""
    return tuple(map(ending, answers(target, around, number)))


def ending(placed: PointSet) -> str:
    """Return the part of the notation that names the placements; empty if there are none."""
    return ":" + ",".join(POINTS[point] for point in bits(placed)) if placed else ""


@cache
def placed_by(names: str) -> PointSet:
    """Return the points that an ending names, without its colon: "a13,d10"."""
    return point_set(NUMBER[name] for name in names.split(","))
