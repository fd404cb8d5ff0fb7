"""Sets of points that tell all about their lines by four looks into tables.

A packed set is an int of 48 bits: each point has two, one for each line that it lies on, and the
three bits of a line stand together. The upright lines come first, and make the lower 24 bits the
plain set of `board`. Twelve bits are four lines, and a table of 4,096 tells all about these.
"""

from collections.abc import Sequence
from itertools import combinations

from games.morris.board import ALL, LINES, NEIGHBOURS, points

Packed = int
"""A set of points, with two bits for each."""

_UPRIGHT = sorted(line for line in LINES if points(line)[2] - points(line)[0] == 2)
_LEVEL = [line for line in LINES if line not in _UPRIGHT]
_ORDER = tuple(map(points, (*_UPRIGHT, *_LEVEL)))
"""The points of each line, in the order of the bits."""

BITS: tuple[Packed, ...] = tuple(
    sum(1 << 3 * n + line.index(point) for n, line in enumerate(_ORDER) if point in line)
    for point in range(len(NEIGHBOURS))
)
"""The packed set of each point alone."""


def packed(mask: int) -> Packed:
    """Return the packed set of the points in `mask`."""
    return sum(BITS[point] for point in points(mask))


def _told(line: Sequence[int]) -> list[int]:
    """Return, for each set of stones on a line, what `lines_of` tells of that line."""
    told = []
    for octet in range(8):
        stones = sum(1 << point for place, point in enumerate(line) if octet >> place & 1)
        rest = sum(1 << point for point in line) ^ stones
        told.append((stones << 24) * (not rest) | rest * (stones.bit_count() == 2))
    return told


def _table(lines: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return what `lines_of` tells of four lines, for each set of stones on them."""
    table = [0]
    for told in map(_told, lines):
        table = [entry | more for more in told for entry in table]
    return tuple(table)


_ONE, _TWO, _THREE, _FOUR = (_table(_ORDER[n : n + 4]) for n in (0, 4, 8, 12))


def lines_of(stones: Packed) -> int:
    """Return in the lower 24 bits where one more stone makes a mill, above them who is in one.

    Where a stone would make a mill may be taken by the other side.
    """
    return (
        _ONE[stones & 4095]
        | _TWO[stones >> 12 & 4095]
        | _THREE[stones >> 24 & 4095]
        | _FOUR[stones >> 36]
    )


def _members(first: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each set of the twelve points from `first` on, its points in ascending order."""
    table: list[tuple[int, ...]] = [()]
    for point in range(first, first + 12):
        table += [(*entry, point) for entry in table]
    return tuple(table)


_LOW, _HIGH = _members(0), _members(12)


def members(stones: Packed) -> tuple[int, ...]:
    """Return the points of a set, packed or not, in ascending order."""
    return _LOW[stones & 4095] + _HIGH[(stones & ALL) >> 12]


BESIDE: dict[int, tuple[int, ...]] = {
    sum(1 << point for point in some): some
    for near in map(points, NEIGHBOURS)
    for number in range(len(near) + 1)
    for some in combinations(near, number)
}
"""The points, in ascending order, of each set of neighbours of one point."""
