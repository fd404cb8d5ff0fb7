"""The 8 x 8 board of NOTWO'S as bit sets and tables, and chains of stones.

A cell is a number, column by column from the left and upwards in each: a1 is 0, a2 is 1, h8 is
63. So the numbers are in the order of the names, and bit n of a set stands for cell n.
"""

from pbm.engine import bits

SIZE = 8
COLUMNS = "abcdefgh"
ROWS = "12345678"
CELLS = range(SIZE * SIZE)
BOARD = (1 << SIZE * SIZE) - 1

NAMES = tuple(f"{letter}{number}" for letter in COLUMNS for number in ROWS)
CELL = {name: cell for cell, name in enumerate(NAMES)}

TOP = sum(1 << cell for cell in CELLS if cell % SIZE == SIZE - 1)
BOTTOM = sum(1 << cell for cell in CELLS if cell % SIZE == 0)
LEFT = sum(1 << cell for cell in CELLS if cell < SIZE)
RIGHT = sum(1 << cell for cell in CELLS if cell >= SIZE * (SIZE - 1))

FIRST, SECOND = 0, 1
"""The roles: First joins top and bottom, Second joins left and right."""

EDGES = ((TOP, BOTTOM), (LEFT, RIGHT))
"""The two edges that each role joins."""

DIRECTIONS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))

_NOT_TOP = BOARD & ~TOP
_NOT_BOTTOM = BOARD & ~BOTTOM


def _ray(cell: int, step: tuple[int, int]) -> tuple[int, ...]:
    """Return the cells from the next one to the edge of the board."""
    x, y = cell // SIZE + step[0], cell % SIZE + step[1]
    cells = []
    while 0 <= x < SIZE and 0 <= y < SIZE:
        cells.append(x * SIZE + y)
        x, y = x + step[0], y + step[1]
    return tuple(cells)


RAYS = tuple(tuple(_ray(cell, step) for step in DIRECTIONS) for cell in CELLS)
"""For each cell, the cells that follow it in each of the eight directions."""

REACH = tuple(max(map(len, rays)) for rays in RAYS)
"""For each cell, the height of the highest stack that could be distributed from there."""


def between(start: int, end: int) -> tuple[int, ...]:
    """Return the cells after `start` up to and including `end`; () if they are in no line."""
    for ray in RAYS[start]:
        if end in ray:
            return ray[: ray.index(end) + 1]
    return ()


def spread(cells: int) -> int:
    """Return the cells and all their neighbours; an inner cell has eight."""
    tall = cells | (cells & _NOT_TOP) << 1 | (cells & _NOT_BOTTOM) >> 1
    return (tall | tall << SIZE | tall >> SIZE) & BOARD


def connected(stones: int, cells: int) -> int:
    """Return the stones that are connected to stones on `cells`, such as an edge."""
    region = stones & cells
    while True:
        grown = spread(region) & stones
        if grown == region:
            return region
        region = grown


def joins(stones: int, role: int) -> bool:
    """Return whether a chain of `stones` joins the two edges of `role`."""
    one, other = EDGES[role]
    return bool(stones & one and stones & other and connected(stones, one) & other)


def links(stones: int, role: int) -> int:
    """Return the cells on which one more stone would join the two edges of `role`.

    Such a cell lies on one edge or beside stones connected to it, and likewise for the other edge.
    """
    one, other = EDGES[role]
    return near(stones, one) & near(stones, other) & ~stones


def near(stones: int, edge: int) -> int:
    """Return the cells that are on an edge or beside stones connected to it."""
    return edge | spread(connected(stones, edge))


def chain(stones: int, role: int) -> tuple[int, ...]:
    """Return the cells of a shortest chain between the edges of `role`; () if there is none."""
    one, other = EDGES[role]
    layers = [stones & one]
    seen = layers[0]
    while layers[-1] and not layers[-1] & other:
        layers.append(spread(layers[-1]) & stones & ~seen)
        seen |= layers[-1]
    if not layers[-1]:
        return ()
    path = [next(bits(layers[-1] & other))]
    for layer in reversed(layers[:-1]):
        path.append(next(bits(spread(1 << path[-1]) & layer)))
    return tuple(path)
