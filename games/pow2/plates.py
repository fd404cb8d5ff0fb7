"""The text plates of the empty board, drawn from its lines.

small   each point at its letter and number, with upright and level lines only, and without
        the slanted ones
large   every line, drawn straight. On a straight line a point such as b4 or c6 lies a
        little off its letter and number, so points of one letter may stand in two columns;
        then the letter stands over both, and the same goes for numbers.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from games.pow2.board import LINES, POINTS, SIDE, column_and_row
from pbm.engine import Plate

LETTERS = tuple("abcdefghijklm")
NUMBERS = tuple(str(number) for number in range(1, SIDE + 1))

_MARGIN = "  "
"""The space between a board and the text to its left."""

_GAP = "  "
"""The space between a row's numbers and its marks, which stand beside the outermost points."""

ABOVE_BOARD = f"{_MARGIN}  {_GAP}"
"""What a line above a board begins with, so that its text starts at column a."""

_WIDTH, _HEIGHT = 61, 31
"""The large canvas: five columns and two and a half rows from each letter or number to the
next, which looks square because two columns are about as wide as a row is high."""

_NAME = "PoT"
"""What the small board shows in its empty middle."""

_LONG_LINES = tuple(line for line in LINES if len(line) > 2)
_GRID = tuple(column_and_row(name) for name in POINTS)

Place = tuple[int, int]
"""Where on a canvas: the column, then the row, both from 0."""


class _Canvas:
    """Characters to draw on."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[" "] * width for _ in range(height)]

    def put(self, at: Place, sign: str) -> None:
        """Draw `sign` unless something stands there."""
        column, row = at
        if self._rows[row][column] == " ":
            self._rows[row][column] = sign

    def plate(self, places: dict[str, Place]) -> Plate:
        """Return the drawing with the labels of `places`' columns and rows around it."""
        letters = {column: name[0] for name, (column, _) in places.items()}
        numbers = {row: name[1:] for name, (_, row) in places.items()}
        header = "".join(letters.get(column, " ") for column in range(len(self._rows[0])))
        rows = [f"{ABOVE_BOARD}{header}"]
        for row, signs in enumerate(self._rows):
            number = numbers.get(row, "")
            rows.append(f"{_MARGIN}{number:>2}{_GAP}{''.join(signs)}{_GAP}{number:>2}")
        left = len(ABOVE_BOARD)
        shifted = {name: (row + 1, column + left) for name, (column, row) in places.items()}
        return Plate((*rows, rows[0]), shifted)


@cache
def small_plate() -> Plate:
    """Return the board of level and upright lines."""
    canvas = _Canvas(2 * SIDE - 1, SIDE)
    for line in _LONG_LINES:
        for start, end in pairwise(_GRID[point] for point in line):
            for column, row, sign in _between(start, end):
                canvas.put((2 * column, row), sign)
    middle = SIDE // 2
    for column, letter in enumerate(_NAME, 2 * middle - 1):
        canvas.put((column, middle), letter)
    return canvas.plate({name: (2 * x, y) for name, (x, y) in zip(POINTS, _GRID, strict=True)})


def _between(start: Place, end: Place) -> Iterator[tuple[int, int, str]]:
    """Yield the places strictly between two of one row or column, with the sign of the line."""
    (x, y), (end_x, end_y) = sorted((start, end))
    if y == end_y:
        yield from ((column, y, "-") for column in range(x + 1, end_x))
    elif x == end_x:
        yield from ((x, row, "|") for row in range(y + 1, end_y))


@cache
def large_plate() -> Plate:
    """Return the board of all lines."""
    places = [_large_place(point) for point in range(len(POINTS))]
    canvas = _Canvas(_WIDTH, _HEIGHT)
    for place in places:
        canvas.put(place, "*")
    for line in LINES:
        for start, end in pairwise(places[point] for point in line):
            for column, row, sign in (*_between(start, end), *_slanted(start, end)):
                canvas.put((column, row), sign)
    return canvas.plate(dict(zip(POINTS, places, strict=True)))


def _large_place(point: int) -> Place:
    """Return where a point stands on the large canvas."""
    x, y = crossing(point)
    return round(x * (_WIDTH - 1) / (SIDE - 1)), round(y * (_HEIGHT - 1) / (SIDE - 1))


def crossing(point: int) -> tuple[float, float]:
    """Return where a point really lies, in letters and numbers from 0.

    The lines of three or more points begin and end exactly at letter and number; the points
    between their ends lie where two of them cross.
    """
    through = [line for line in _LONG_LINES if point in line]
    if any(point in (line[0], line[-1]) for line in through):
        return _GRID[point]
    (ax, ay), (bx, by) = (_GRID[through[0][end]] for end in (0, -1))
    (cx, cy), (dx, dy) = (_GRID[through[1][end]] for end in (0, -1))
    slant = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    along = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / slant
    return ax + along * (bx - ax), ay + along * (by - ay)


def _slanted(start: Place, end: Place) -> Iterator[tuple[int, int, str]]:
    """Yield the places strictly between two that share no row or column, with their signs.

    One sign per row; a line from one row to the next has no row between, and is drawn as a
    level line with a step in its middle.
    """
    (x, y), (end_x, end_y) = sorted((start, end), key=lambda place: place[1])
    if x == end_x or y == end_y:
        return
    if end_y - y == 1:
        low, high = sorted((x, end_x))
        for column in range(low + 1, high):
            yield column, (y if abs(column - x) < abs(column - end_x) else end_y), "-"
        return
    sign = "\\" if x < end_x else "/"
    for row in range(y + 1, end_y):
        yield round(x + (end_x - x) * (row - y) / (end_y - y)), row, sign
