"""The 11 x 11 board of OLIX as bit sets.

A cell is a number, column by column from the left and upwards in each, with one number left out
above every column: a1 is 0, a11 is 10, b1 is 12. The gap is in no set of stones, so a shifted
set never runs from one column into the next.
"""

from collections.abc import Iterator

SIZE = 11
COLUMNS = "abcdefghijk"
ROWS = tuple(str(row) for row in range(1, SIZE + 1))

UP = 1
RIGHT = SIZE + 1
RISING = RIGHT + UP
FALLING = RIGHT - UP
"""The step from a cell to a neighbour, and the distance by which to shift a set."""

CELL = {
    f"{letter}{number}": x * RIGHT + y
    for x, letter in enumerate(COLUMNS)
    for y, number in enumerate(ROWS)
}
NAME = {cell: name for name, cell in CELL.items()}
SQUARES = tuple((1 << cell, name) for name, cell in CELL.items())
BOARD = sum(square for square, _ in SQUARES)


def cells_of(cells: int) -> Iterator[int]:
    """Yield the members of a set of cells, in order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def beside(cells: int) -> int:
    """Return the neighbours of these cells in all eight directions, and the gaps among them."""
    tall = cells | cells << UP | cells >> UP
    return (tall | tall << RIGHT | tall >> RIGHT) & ~cells


def line(length: int, step: int) -> int:
    """Return the set of `length` cells in a row, starting at cell 0."""
    return sum(1 << step * n for n in range(length))


def area(width: int, height: int) -> int:
    """Return the set of a whole rectangle whose lower left corner is cell 0."""
    return sum(line(height, UP) << RIGHT * x for x in range(width))


def frame(width: int, height: int) -> int:
    """Return the border of the rectangle `area`."""
    inside = area(width - 2, height - 2) << RISING if min(width, height) > 2 else 0
    return area(width, height) & ~inside
