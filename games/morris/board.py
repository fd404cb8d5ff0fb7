"""The board of Nine Men's Morris: its points, its lines, and sets of points as bits.

A point is a number from 0 to 23, in the order of its name (a1, a4, a7, b2, ... g7). A set of
points, such as the stones of one side, is an int whose bit p stands for point p. So one or two
operations on ints show whether a point is free or next to another, and a few looks into tables
where stones close mills (`closing`).
"""

from collections.abc import Iterable
from typing import TypeVar

LINE_NAMES = (
    ("a1", "d1", "g1"), ("a7", "d7", "g7"), ("a1", "a4", "a7"), ("g1", "g4", "g7"),
    ("b2", "d2", "f2"), ("b6", "d6", "f6"), ("b2", "b4", "b6"), ("f2", "f4", "f6"),
    ("c3", "d3", "e3"), ("c5", "d5", "e5"), ("c3", "c4", "c5"), ("e3", "e4", "e5"),
    ("d1", "d2", "d3"), ("d5", "d6", "d7"), ("a4", "b4", "c4"), ("e4", "f4", "g4"),
)  # fmt: skip
"""The 16 lines: the sides of the outer, middle and inner square, and the four spokes."""

NAMES = tuple(sorted({name for line in LINE_NAMES for name in line}))
"""The 24 points by number."""

MASKS = {"": 0} | {name: 1 << point for point, name in enumerate(NAMES)}
"""The set that holds only the named point; the empty name gives the empty set."""

ALL = (1 << len(NAMES)) - 1
"""The set of all points."""

LINES = tuple(sum(MASKS[name] for name in line) for line in LINE_NAMES)
"""The lines as sets of three points, in the order of LINE_NAMES."""


def _neighbours(name: str) -> int:
    """Return the points that follow or precede `name` on one of its lines."""
    near = 0
    for first, middle, last in LINE_NAMES:
        if name in (first, last):
            near |= MASKS[middle]
        elif name == middle:
            near |= MASKS[first] | MASKS[last]
    return near


NEIGHBOURS = tuple(map(_neighbours, NAMES))
"""For each point, the points that a stone on it may move to."""

_HALF = len(NAMES) // 2
_LOWER_HALF = (1 << _HALF) - 1
"""Tables have an entry for each set of 12 points, so two of them cover all 24."""

T = TypeVar("T", int, tuple[int, ...])


def _table(none: T, of_points: Iterable[T]) -> tuple[T, ...]:
    """Return, for each set of 12 points, the sum of the values of its points."""
    table = [none]
    for value in of_points:
        table += [entry + value for entry in table]
    return tuple(table)


_LOW, _HIGH = (_table((), [(point,) for point in range(n, n + _HALF)]) for n in (0, _HALF))


def points(mask: int) -> tuple[int, ...]:
    """Return the points of the set `mask` in ascending order."""
    return _LOW[mask & _LOWER_HALF] + _HIGH[mask >> _HALF]


def names(mask: int) -> list[str]:
    """Return the names of the points of the set `mask` in ascending order."""
    return [NAMES[point] for point in points(mask)]


# In the order of names, each upright line is three bits side by side. The board is the same when
# it is turned over along the diagonal from a1 to g7, which makes upright lines of level ones.
_OVER = [1 << point for point in sorted(range(len(NAMES)), key=lambda p: NAMES[p][::-1])]
_OVER_LOW, _OVER_HIGH = _table(0, _OVER[:_HALF]), _table(0, _OVER[_HALF:])


def _turned_over(mask: int) -> int:
    """Return the mirror image of a set of points; that of the image is the set itself."""
    return _OVER_LOW[mask & _LOWER_HALF] | _OVER_HIGH[mask >> _HALF]


_CLOSING_ONE = (0b000, 0b000, 0b000, 0b100, 0b000, 0b010, 0b001, 0b111)
"""For each set of stones on a line, the points whose two others have stones."""

_UPRIGHT = tuple(
    sum(_CLOSING_ONE[stones >> at & 7] << at for at in range(0, _HALF, 3))
    for stones in range(1 << _HALF)
)
"""The same for four upright lines."""

_LEVEL_LOW = tuple(map(_turned_over, _UPRIGHT))
_LEVEL_HIGH = tuple(_turned_over(closing << _HALF) for closing in _UPRIGHT)


def closing(stones: int) -> int:
    """Return the points that make a mill with two others of one side's `stones`.

    A stone that comes to one of them closes a mill; one that is there already is in a mill.
    Leaving a mill and coming back counts again (rule text, "Moving"), so only the position matters.
    """
    over = _OVER_LOW[stones & _LOWER_HALF] | _OVER_HIGH[stones >> _HALF]
    return (
        _UPRIGHT[stones & _LOWER_HALF]
        | _UPRIGHT[stones >> _HALF] << _HALF
        | _LEVEL_LOW[over & _LOWER_HALF]
        | _LEVEL_HIGH[over >> _HALF]
    )
