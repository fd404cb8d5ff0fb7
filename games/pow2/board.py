"""The board of The Power of Two: its points, lines and neighbours, as numbers and bit sets.

The lines are data, `board.json`, because the figures of the rule text are lost and the board is
a reconstruction (help.md explains it): a better source would change only that file.

A point is a number, its place in the order of notation (by letter, then by number: b4 comes
before b10), so that sorting numbers sorts names. A set of points is an integer, 1 << point.
"""

import json
from collections.abc import Iterable
from importlib import resources

PointSet = int
"""A set of points, one bit for each."""

SIDE = 13
"""Letters, and numbers, along one side of the board."""


def point_set(points: Iterable[int]) -> PointSet:
    """Return the set of these points."""
    return sum({1 << point for point in points})


def column_and_row(name: str) -> tuple[int, int]:
    """Return the column and row of the point called `name`, from 0; row 1 is at the top."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


_NAMED_LINES = json.loads(resources.files(__package__).joinpath("board.json").read_text("utf-8"))[
    "lines"
]
"""The lines of the board as names, each in order from end to end."""

POINTS: tuple[str, ...] = tuple(
    sorted({name for line in _NAMED_LINES for name in line}, key=column_and_row)
)
"""The name of each point."""

NUMBER: dict[str, int] = {name: point for point, name in enumerate(POINTS)}
"""The number of each named point."""

LINES: tuple[tuple[int, ...], ...] = tuple(
    tuple(NUMBER[name] for name in line) for line in _NAMED_LINES
)
"""The points of each line, in order."""


def _is_border(line: tuple[int, ...]) -> bool:
    """Return whether a line is one of the four outer edges."""
    places = [column_and_row(POINTS[point]) for point in line]
    return any({place[axis] for place in places} in ({0}, {SIDE - 1}) for axis in (0, 1))


BORDERS: frozenset[tuple[int, ...]] = frozenset(line for line in LINES if _is_border(line))
"""The four outer edges, along which the option noborder forbids slides."""


Rays = tuple[tuple[int, ...], ...]


def _rays(point: int, lines: Iterable[tuple[int, ...]]) -> Rays:
    """Return the points ahead on each line through `point`, in each direction that has any."""
    through = [(line, line.index(point)) for line in lines if point in line]
    both_ways = [ahead for line, at in through for ahead in (line[at + 1 :], line[:at][::-1])]
    return tuple(ahead for ahead in both_ways if ahead)


RAYS: tuple[Rays, ...] = tuple(_rays(point, LINES) for point in range(len(POINTS)))
"""The ways out of each point along all lines."""

Slides = tuple[tuple[int, PointSet], ...]


def _slides(rays: Rays) -> Slides:
    """Return each point of the rays, in order, with the set of points on the way up to it."""
    ahead = [ray[:length] for ray in rays for length in range(1, len(ray) + 1)]
    return tuple(sorted((path[-1], point_set(path)) for path in ahead))


SLIDES: tuple[Slides, ...] = tuple(map(_slides, RAYS))
"""Where a piece may come from each point along all lines, and what must be empty for it."""

INNER_SLIDES: tuple[Slides, ...] = tuple(
    _slides(_rays(point, [line for line in LINES if line not in BORDERS]))
    for point in range(len(POINTS))
)
"""The same without the outer edges."""

NEIGHBOURS: tuple[PointSet, ...] = tuple(point_set(ray[0] for ray in rays) for rays in RAYS)
"""The neighbours of each point: the nearest along each way out."""


def crossing(point: int) -> tuple[float, float]:
    """Return where a point really lies, in letters and numbers from 0.

    The lines of three or more points begin and end exactly at letter and number; the points
    between their ends lie where two of them cross.
    """
    through = [line for line in LINES if len(line) > 2 and point in line]
    if any(point in (line[0], line[-1]) for line in through):
        return column_and_row(POINTS[point])
    (ax, ay), (bx, by) = (column_and_row(POINTS[through[0][end]]) for end in (0, -1))
    (cx, cy), (dx, dy) = (column_and_row(POINTS[through[1][end]]) for end in (0, -1))
    slant = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    along = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / slant
    return ax + along * (bx - ax), ay + along * (by - ay)
