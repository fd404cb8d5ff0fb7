"""The 32 dark cells of a board for draughts, the pieces on them, and what a side can do.

Sets of cells are ints, see pbm/engine/grid.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from pbm.engine import Cells, Line, Seat, bits, frozen, square

_ALL = square(8, from_below=True)
_DARK = tuple(point for point in _ALL.points if (point.column + point.row) % 2)
_DIAGONALS = tuple(
    Line(names)
    for way in (1, -1)
    for start in range(-7, 15)
    if len(names := tuple(p.name for p in _DARK if p.column - way * p.row == start)) > 1
)
GRID = replace(
    _ALL, points=_DARK, full=sum(_ALL.at[point.name] for point in _DARK), lines=_DIAGONALS
)
"""The board, without the light cells, on which nothing ever is; pieces go along its lines."""

NAMES = {GRID.at[point.name]: point.name for point in _DARK}

_UP, _DOWN = (GRID.step + 1, GRID.step - 1), (1 - GRID.step, -GRID.step - 1)
_WAYS = (_UP, _DOWN)
"""The ways of the men of each seat, as shifts to the left; kings go all four."""

_CROWN = (GRID.edges[0], GRID.edges[2])
"""The row where a man of each seat becomes a king."""

_Jump = tuple[tuple[Cells, ...], Cells]
"""The cells that a piece stands on, and those that it jumps."""


@frozen
class Turn:
    """A turn: the cells that the piece stands on, from first to last, and those that it jumps."""

    path: tuple[Cells, ...]
    taken: Cells = 0

    @classmethod
    def read(cls, notation: str) -> "Turn":
        """Return the turn that is written so; a jump passes the cell between two others."""
        jumps = notation.split("x")
        path = tuple(GRID.at[name] for name in (jumps if jumps[1:] else notation.split("-")))
        steps = pairwise(path) if jumps[1:] else ()
        return cls(path, sum(1 << (a.bit_length() + b.bit_length()) // 2 - 1 for a, b in steps))

    def __str__(self) -> str:
        return ("x" if self.taken else "-").join(map(NAMES.__getitem__, self.path))


@frozen
class Position:
    """The pieces of both seats, which of all these are kings, and the seat to move."""

    pieces: tuple[Cells, Cells]
    kings: Cells = 0
    mover: Seat = 0

    def turns(self) -> list[Turn]:
        """Return all turns, which are jumps if there are any."""
        own, other = self.pieces[self.mover], self.pieces[1 - self.mover]
        cells = [1 << n for n in bits(own)]
        jumps = [Turn(*jump) for at in cells for jump in self._jumps((at,), other)]
        free = GRID.full & ~(own | other)
        return jumps or [
            Turn((at, to)) for at in cells for way in self.ways(at) if (to := _next(at, way) & free)
        ]

    def ways(self, at: Cells) -> tuple[int, ...]:
        """Return the ways of the piece on a cell."""
        return _UP + _DOWN if at & self.kings else _WAYS[self.mover]

    def _jumps(self, path: tuple[Cells, ...], other: Cells) -> Iterator[_Jump]:
        """Yield each way to go on from the end of a path by jumps over some of `other`.

        A man that becomes a king jumps no further in the same turn.
        """
        start, at = path[0], path[-1]
        if at & _CROWN[self.mover] and not start & self.kings:
            return
        free = GRID.full & ~(self.pieces[self.mover] ^ start | other)
        for way in self.ways(start):
            over = _next(at, way) & other
            to = _next(over, way) & free
            if to:
                further = [
                    (whole, taken | over) for whole, taken in self._jumps((*path, to), other ^ over)
                ]
                yield from further or [((*path, to), over)]

    def after(self, turn: Turn) -> "Position":
        """Return the position after a turn."""
        start, end = turn.path[0], turn.path[-1]
        own = self.pieces[self.mover] & ~start | end
        other = self.pieces[1 - self.mover] & ~turn.taken
        kings = self.kings & ~(start | turn.taken)
        if start & self.kings or end & _CROWN[self.mover]:
            kings |= end
        return Position((other, own) if self.mover else (own, other), kings, 1 - self.mover)

    def settles(self, turn: Turn) -> bool:
        """Return whether no position before the turn can come back: it takes, or a man moves."""
        return bool(turn.taken or not turn.path[0] & self.kings)

    @property
    def key(self) -> int:
        """A number that is unique for the pieces, while the same side is to move."""
        width = len(GRID.names)
        return (self.pieces[0] << width | self.pieces[1]) << width | self.kings


def _next(cells: Cells, way: int) -> Cells:
    return cells << way if way > 0 else cells >> -way


def first_position() -> Position:
    """Return the twelve men of both seats, on the three rows that are next to them."""
    top, bottom = GRID.edges[0], GRID.edges[2]
    for _ in range(2):
        top, bottom = top | top >> GRID.step, bottom | bottom << GRID.step
    return Position((bottom & GRID.full, top & GRID.full))


def backward(seat: Seat, at: Cells) -> list[Cells]:
    """Return the next cells on the ways that a man of `seat` does not go."""
    return [_next(at, way) for way in _WAYS[1 - seat]]
