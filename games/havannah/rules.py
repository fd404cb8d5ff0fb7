"""Havannah (Christian Freeling, 1979): a ring, a bridge or a fork wins.

A move is the name of the cell where a stone is laid, column letter and row number: `c3`. Rows count
from the top. The server provides the pie rule.
"""

from functools import cache, reduce
from operator import or_

from pbm.engine import Cells, GameInfo, Grid, LayingGame, Option, Seat, hexagon

SIZES = tuple(str(size) for size in range(4, 11))


class Havannah(LayingGame):
    """The rules, for every size of board."""

    info = GameInfo(
        key="havannah",
        title="Havannah",
        seats=("White", "Black"),
        signs=("o", "x"),
        summary="Lay stones; a ring, a bridge between two corners or a fork of three sides wins.",
        reasons={
            "ring": "a chain runs around a cell",
            "bridge": "a chain joins two corners",
            "fork": "a chain joins three sides",
            "full": "the board is full",
        },
        example="c3",
        options=(Option("size", "8", SIZES, "cells on a side"),),
        swap_after=1,
        family="connection",
        credits="Christian Freeling, 1979",
        first={"size": "5"},
    )

    def grid(self, size: int) -> Grid:
        return hexagon(size)

    def won(self, grid: Grid, seat: Seat, stones: Cells, at: Cells) -> str:
        """Return the first of the three that a chain of `at` is."""
        del seat  # both want the same
        chains = grid.chain(at, stones)
        if _is_bridge(grid, chains):
            return "bridge"
        if _is_fork(grid, chains):
            return "fork"
        return "ring" if _is_ring(grid, chains) else ""


@cache
def _sides(grid: Grid) -> tuple[Cells, ...]:
    """Return the six sides, to which the corners do not belong."""
    corners = reduce(or_, grid.corners)
    return tuple(edge & ~corners for edge in grid.edges)


def _is_bridge(grid: Grid, chains: Cells) -> bool:
    corners = [corner for corner in grid.corners if corner & chains]
    return any(
        grid.joins(chains, one, reduce(or_, corners[n + 1 :])) for n, one in enumerate(corners[:-1])
    )


def _is_fork(grid: Grid, chains: Cells) -> bool:
    """Return whether a stone is in chains from three sides: these are one chain."""
    one = two = 0
    for side in _sides(grid):
        reached = grid.chain(side, chains)
        if reached & two:
            return True
        two |= reached & one
        one |= reached
    return False


def _is_ring(grid: Grid, chains: Cells) -> bool:
    """Return whether a cell is cut off from the edge, or a stone has stones on all six sides."""
    others = grid.full & ~chains
    edge = reduce(or_, grid.edges)
    if grid.chain(edge, others) != others:
        return True
    return bool(chains & ~edge & ~grid.near(others))


game = Havannah()
