"""The rules of Hex.

Notation: columns a-k from the left, rows 1-11 from the top; `c3` puts a stone on c3. Each row
stands half a cell further to the right than the one above, so a cell has six neighbours.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pbm.engine import (
    BaseGame,
    Diagram,
    GameInfo,
    IllegalMoveError,
    Mark,
    MarkKind,
    Option,
    Piece,
    Plate,
    Point,
    Result,
    Seat,
    Setup,
    Viewer,
)

COLUMNS = "abcdefghijk"
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
INDENT = 10

Cell = tuple[int, int]
"""Column and row, both counted from 0."""


@dataclass(frozen=True, slots=True)
class State:
    """A position: the stones in the order in which they were laid, so that seats alternate."""

    size: int
    stones: tuple[str, ...] = ()


class Hex(BaseGame[State, str]):
    """Hex for two. A move is a str, the name of a cell."""

    info = GameInfo(
        key="hex",
        title="Hex",
        seats=("Vertical", "Horizontal"),
        signs=("x", "o"),
        summary="Lay stones; a chain that joins your two edges wins.",
        reasons={"chain": "a chain joins two opposite edges"},
        example="b2",
        options=(Option("size", "11", ("5", "7", "9", "11"), "cells on an edge"),),
        swap_after=1,
        credits="Piet Hein, 1942, and John Nash, 1948.",
    )

    def start(self, setup: Setup) -> State:
        """Return the empty board."""
        return State(int(setup["size"]))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """Return the seat whose turn it is."""
        return () if self.result(state) else (len(state.stones) % 2,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        """Yield the free cells, row by row from the top."""
        if seat in self.to_move(state):
            taken = set(state.stones)
            yield from (name for name in map(name_of, cells(state.size)) if name not in taken)

    def parse(self, state: State, seat: Seat, text: str) -> str:
        """Return the cell that is meant; raise an error that names the rule if it is illegal."""
        typed = self.readable(text)
        if typed in state.stones:
            raise IllegalMoveError(f"{typed} is already occupied.")
        return super().parse(state, seat, text)

    def play(self, state: State, seat: Seat, move: str) -> State:
        """Return the position with one more stone."""
        del seat  # the seats alternate
        return replace(state, stones=(*state.stones, move))

    def result(self, state: State) -> Result | None:
        """Return the win of the player who has just moved; there are no draws in Hex."""
        return Result((last_mover(state),), "chain") if chain(state) else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        """Return the slanted board with the last stone marked, and the chain that won."""
        del viewer  # all see the same
        return Diagram(
            tuple(COLUMNS[: state.size]),
            tuple(str(row + 1) for row in range(state.size)),
            tuple(Point(name_of(cell), *cell) for cell in cells(state.size)),
            tuple(Piece(name, "xo"[n % 2], n % 2) for n, name in enumerate(state.stones)),
            marks=(
                *(Mark(name, MarkKind.LAST) for name in state.stones[-1:]),
                *(Mark(name, MarkKind.WINNING) for name in chain(state)),
            ),
            plate=slanted(state.size),
        )


def cells(size: int) -> Iterator[Cell]:
    """Yield the cells, row by row from the top."""
    return ((column, row) for row in range(size) for column in range(size))


def name_of(cell: Cell) -> str:
    """Return what players type for `cell`."""
    return f"{COLUMNS[cell[0]]}{cell[1] + 1}"


def cell_of(name: str) -> Cell:
    """Return the cell that `name_of` calls `name`."""
    return COLUMNS.index(name[0]), int(name[1:]) - 1


def last_mover(state: State) -> Seat:
    """Return the seat that laid the last stone."""
    return (len(state.stones) - 1) % 2


def chain(state: State) -> tuple[str, ...]:
    """Return the stones that join two edges by the last one laid, () if it joined none.

    Seat 0 joins the top to the bottom, seat 1 the left to the right.
    """
    if not state.stones:
        return ()
    seat = last_mover(state)
    held = {cell_of(name): name for name in state.stones[seat::2]}
    group = connected(cell_of(state.stones[-1]), held.keys())
    edges = {cell[1 - seat] for cell in group} & {0, state.size - 1}
    return tuple(held[cell] for cell in sorted(group)) if len(edges) == 2 else ()


def connected(start: Cell, held: AbstractSet[Cell]) -> set[Cell]:
    """Return the cells in `held` that can be reached from `start` through neighbours."""
    group, border = {start}, [start]
    while border:
        x, y = border.pop()
        fresh = {(x + dx, y + dy) for dx, dy in NEIGHBOURS} & held - group
        group |= fresh
        border += fresh
    return group


def slanted(size: int) -> Plate:
    """Return the empty board, each row half a cell to the right of the one above."""
    letters = " ".join(COLUMNS[:size])
    rows = [f"{'':{INDENT - 1}}{letters}"]
    for row in range(size):
        dots = " ".join("." * size)
        rows.append(f"{row + 1:>{INDENT - 2 + row}}  {dots}  {row + 1}")
    rows.append(f"{'':{INDENT + size}}{letters}")
    places = {name_of((x, y)): (y + 1, INDENT + 2 * x + y) for x, y in cells(size)}
    return Plate(tuple(rows), places)


game = Hex()
