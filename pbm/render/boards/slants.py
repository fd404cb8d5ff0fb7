"""The slanted lines of a board in a table, as the background of the table.

A line is the diagonal of a box, and CSS draws it as a gradient that has the colour of lines only in
its midst. A program that knows no gradients shows the board without them, as with all lines.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import hypot

from pbm.render.boards.drawing import Ground, Place
from pbm.render.boards.theme import LIGHT, Role

_HALF = 1.2
"""From the middle of a line to where nothing of it is seen, in pixels."""


def background(ground: Ground, corner: float, cell: float) -> str:
    """Return what follows "background:" in the style of a table, "" if it has no slanted lines.

    In pixels `cell` is the side of a cell, and `corner` that of the cell between the labels.
    """
    if not ground.is_slanted:
        return ""
    cells = tuple(((spot.x, spot.y), (spot.column, float(spot.row))) for spot in ground.spots)
    if any(column % 1 for _, (column, _) in cells):
        return ""
    width = corner + cell * (1 + max(column for _, (column, _) in cells))
    height = corner + cell * (1 + max(row for _, (_, row) in cells))
    middle = corner + cell / 2
    # In lines of their own, because a mail may have none of over 998 octets.
    return ",\n".join(
        _layer([(middle + x * cell, middle + y * cell) for x, y in line], width, height)
        for line in _slanted(ground, dict(cells))
    )


def _layer(line: list[Place], width: float, height: float) -> str:
    """Return one line of a picture with this size: the diagonal of its box."""
    (ax, ay), (bx, by) = sorted(line)
    wide, high = bx - ax, abs(by - ay)
    half = 100 * _HALF * hypot(wide, high) / (2 * wide * high)
    to = "top right" if by > ay else "top left"
    return (
        f"linear-gradient(to {to},transparent {50 - half:.1f}%,{LIGHT[Role.LINE]},"
        f"transparent {50 + half:.1f}%) {_place(ax, wide, width)} "
        f"{_place(min(ay, by), high, height)}/{100 * wide / width:.2f}% {100 * high / height:.2f}% "
        "no-repeat"
    )


def _place(start: float, length: float, whole: float) -> str:
    """Return a background-position, 100% for a length that ends where the whole ends."""
    return f"{100 * start / (whole - length):.2f}%"


def _slanted(ground: Ground, cell: Mapping[Place, Place]) -> Iterator[tuple[Place, Place]]:
    """Yield the ends of all slanted lines, in columns and rows; a bent line is several."""
    for line in ground.lines:
        for start, end in pairwise(_corners([cell[place] for place in line])):
            if start[0] != end[0] and start[1] != end[1]:
                yield start, end


def _corners(places: list[Place]) -> list[Place]:
    """Return the first place, the last one, and those between them where the line bends."""
    bends = [b for a, b, c in zip(places, places[1:], places[2:], strict=False) if _bent(a, b, c)]
    return [places[0], *bends, places[-1]]


def _bent(a: Place, b: Place, c: Place) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9
