"""Boards of squares or hexagons as bit sets: what rules and random games of a board game look up.

A set of cells is an int. Row by row from the top, each cell takes one bit, the first cell the
highest. After each row comes one more bit that is never set, so that a shift cannot run from a
row's end into the next: a few shifts move or widen a whole set of cells at once.

`square`, `chessboard`, `rhombus`, `hexagon` and `triangle` make the boards, each once. A cell is
named by the letter of its column and the number of its row.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress

from pbm.engine.diagram import Diagram, Line, Mark, MarkKind, Piece, Point, grid_lines
from pbm.engine.points import PointReader

Cells = int
"""A set of cells."""

_AS_FLAGS = bytes.maketrans(b"01", b"\0\1")
"""From the digits of a number to what is false and true."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The constants of a board.

    `columns` and `rows` are the labels, from left to right and from top to bottom. `lean` is 0 for
    squares. The cells of the others are hexagons: 1 where each row stands half a cell further right
    than the one above, -1 where further left.

    `names` are those of the cells in the order of the bits from the highest, "" for bits that are
    no cells; `at` gives the set of one cell by its name. `step` is the distance in bits to the cell
    below, and `slant` that to the third pair of neighbours of a hexagon. `edges` are the sides of
    the board, clockwise from the top, and `corners` the cells where an edge meets the next one.
    The `shaded` cells are drawn darker.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    lean: int
    names: tuple[str, ...]
    at: Mapping[str, Cells]
    full: Cells
    step: int
    slant: int
    edges: tuple[Cells, ...]
    corners: tuple[Cells, ...]
    points: tuple[Point, ...]
    lines: tuple[Line, ...]
    shaded: frozenset[str] = frozenset()

    def named(self, cells: Cells) -> list[str]:
        """Return the names of `cells`, row by row from the top, from left to right."""
        flags = f"{cells:0{len(self.names)}b}".encode("ascii").translate(_AS_FLAGS)
        return list(compress(self.names, flags))

    def near(self, cells: Cells) -> Cells:
        """Return the neighbours of all `cells`; those may include cells of the set itself."""
        step, slant = self.step, self.slant
        wide = cells << 1 | cells >> 1 | cells << step | cells >> step
        if slant:
            wide |= cells << slant | cells >> slant
        return wide & self.full

    def diagonal(self, cells: Cells) -> Cells:
        """Return the diagonal neighbours of all `cells` on a board of squares."""
        tall = cells << self.step | cells >> self.step
        return (tall << 1 | tall >> 1) & self.full

    def chain(self, seed: Cells, stones: Cells) -> Cells:
        """Return the chains among `stones` that the stones of `seed` belong to."""
        step, slant = self.step, self.slant
        grown, wider = 0, seed & stones
        while wider != grown:
            grown = wider
            wider |= grown << 1 | grown >> 1 | grown << step | grown >> step
            if slant:
                wider |= grown << slant | grown >> slant
            wider &= stones
        return grown

    def chains(self, stones: Cells) -> Iterator[Cells]:
        """Yield each chain of `stones`."""
        while stones:
            chain = self.chain(stones & -stones, stones)
            yield chain
            stones ^= chain

    def joins(self, stones: Cells, one: Cells, other: Cells) -> bool:
        """Return whether a chain of `stones` leads from a cell of `one` to a cell of `other`."""
        return bool(self.chain(one & stones, stones) & other)

    def choked(self, stones: Cells, empty: Cells) -> Cells:
        """Return the chains of `stones` that have none of the `empty` cells beside them."""
        return stones & ~self.chain(self.near(empty), stones)

    def territory(self, stones: tuple[Cells, Cells]) -> tuple[Cells, Cells]:
        """Return for each side the regions of empty cells that only its `stones` touch."""
        empty = self.full & ~(stones[0] | stones[1])
        without_first, without_second = (self.choked(empty, side) for side in stones)
        return without_second & ~without_first, without_first & ~without_second

    @property
    def directions(self) -> tuple[int, ...]:
        """The distances in bits along rows, columns and diagonals; a hexagon has its three axes."""
        if self.lean:
            return 1, self.step, self.slant
        return 1, self.step, self.step - 1, self.step + 1

    def line(self, stones: Cells, length: int) -> Cells:
        """Return the `stones` in rows of `length` or more, along any of the `directions`."""
        found = 0
        for step in self.directions:
            starts = stones
            for n in range(1, length):
                starts &= stones >> step * n
            for n in range(length if starts else 0):
                found |= starts << step * n
        return found

    def ray(self, at: Cells, step: int, through: Cells) -> Cells:
        """Return the cells `through` which a line leads from `at`; a negative `step` goes right."""
        found = 0
        at = (at << step if step > 0 else at >> -step) & through
        while at:
            found |= at
            at = (at << step if step > 0 else at >> -step) & through
        return found

    def flanked(self, at: Cells, own: Cells, other: Cells) -> Cells:
        """Return the cells of `other` between `at` and one of `own`, along any direction."""
        found = 0
        for step in self.directions:
            if (at << step | at >> step) & other:
                for way in (step, -step):
                    passed = self.ray(at, way, other)
                    end = passed | at
                    if passed and (end << step if way > 0 else end >> step) & own:
                        found |= passed
        return found

    def flanking(self, own: Cells, other: Cells) -> Cells:
        """Return the empty cells where a stone of `own` would flank some of `other`."""
        found = 0
        for step in self.directions:
            left, right = own << step & other, own >> step & other
            while left or right:
                left, right = left << step, right >> step
                found |= left | right
                left, right = left & other, right & other
        return found & self.full & ~(own | other)

    def diagram(
        self,
        sides: Iterable[Cells],
        signs: Iterable[str],
        marks: Iterable[tuple[Cells, MarkKind]] = (),
        told: tuple[str, ...] = (),
        *,
        on_lines: bool = False,
    ) -> Diagram:
        """Return the board with the stones of each seat; of two marks on a cell the last wins."""
        pieces = tuple(
            Piece(name, sign, seat)
            for seat, (cells, sign) in enumerate(zip(sides, signs, strict=True))
            for name in self.named(cells)
        )
        marked = tuple(Mark(name, kind) for cells, kind in marks for name in self.named(cells))
        lines = self.lines if on_lines else ()
        return Diagram(
            self.columns, self.rows, self.points, pieces, lines, marked, told=told, lean=self.lean,
            shaded=self.shaded,
        )  # fmt: skip


@cache
def reader(grid: Grid, noun: str = "cell", words: tuple[str, ...] = ()) -> PointReader:
    """Return what reads the name of one cell, which players call `noun`, behind a word or none."""
    unread = (
        f"is not the name of a {noun}; a move is a letter and a number, like {grid.points[0].name}"
    )
    return PointReader(grid.at, unread, noun=noun, words=words, most=1)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_Holds = Callable[[int, int], bool]
"""Says of a column and a row, from 0, whether something is there."""


@cache
def square(size: int, columns: str = _LETTERS, *, from_below: bool = False) -> Grid:
    """Return a board of squares; row 1 is at the top unless they are counted `from_below`."""
    rows = range(size, 0, -1) if from_below else range(1, size + 1)
    return _made(columns[:size], rows, 0, lambda _x, _y: True, _four_edges(size))


@cache
def chessboard(size: int = 8) -> Grid:
    """Return a board of squares that are light and dark in turn, as a1 is; row 1 is below."""
    board = square(size, from_below=True)
    dark = (p.name for p in board.points if (p.column + size - p.row) % 2)
    return replace(board, shaded=frozenset(dark))


@cache
def rhombus(size: int) -> Grid:
    """Return a board of hexagons with as many rows as columns, which leans to the right."""
    return _made(_LETTERS[:size], range(1, size + 1), 1, lambda _x, _y: True, _four_edges(size))


@cache
def triangle(size: int) -> Grid:
    """Return a triangle of hexagons with a corner below; its edges are top, right and left."""
    last = size - 1
    edges: tuple[_Holds, ...] = (
        lambda _x, y: y == 0,
        lambda x, y: x + y == last,
        lambda x, _y: x == 0,
    )
    return _made(_LETTERS[:size], range(1, size + 1), 1, lambda x, y: x + y <= last, edges)


@cache
def hexagon(size: int) -> Grid:
    """Return a hexagon of hexagons with `size` cells on each edge."""
    wide, last = 2 * size - 1, size - 1
    edges: tuple[_Holds, ...] = (
        lambda _x, y: y == 0,
        lambda x, y: x - y == last,
        lambda x, _y: x == wide - 1,
        lambda _x, y: y == wide - 1,
        lambda x, y: y - x == last,
        lambda x, _y: x == 0,
    )
    return _made(_LETTERS[:wide], range(1, wide + 1), -1, lambda x, y: abs(x - y) <= last, edges)


def _four_edges(size: int) -> tuple[_Holds, ...]:
    """Return the top, right, bottom and left edge."""
    last = size - 1
    return (
        lambda _x, y: y == 0,
        lambda x, _y: x == last,
        lambda _x, y: y == last,
        lambda x, _y: x == 0,
    )


def _made(
    columns: str, numbers: Iterable[int], lean: int, has: _Holds, edges: Iterable[_Holds]
) -> Grid:
    """Return the board of those cells that it `has`."""
    rows, step = tuple(map(str, numbers)), len(columns) + 1
    points = tuple(
        Point(f"{letter}{row}", x, y)
        for y, row in enumerate(rows)
        for x, letter in enumerate(columns)
        if has(x, y)
    )
    names = [""] * step * len(rows)
    for point in points:
        names[point.row * step + point.column] = point.name
    at = {name: 1 << len(names) - 1 - n for n, name in enumerate(names) if name}
    sides = [sum(at[p.name] for p in points if on(p.column, p.row)) for on in edges]
    return Grid(
        tuple(columns),
        rows,
        lean,
        tuple(names),
        at,
        sum(at.values()),
        step,
        step - lean if lean else 0,
        tuple(sides),
        tuple(one & other for one, other in zip(sides, sides[1:] + sides[:1], strict=True)),
        points,
        () if lean else grid_lines(tuple(columns), rows),
    )
