"""Y (Claude Shannon, about 1950): a chain that touches all three sides of a triangle wins.

A move is the name of the cell where a stone is laid, column letter and row number: `c3`. Rows count
from the top. The server provides the pie rule.
"""

from pbm.engine import Cells, GameInfo, Grid, LayingGame, Option, Seat, triangle

SIZES = tuple(str(size) for size in range(5, 20))


class GameOfY(LayingGame):
    """The rules, for every size of board."""

    info = GameInfo(
        key="ygame",
        title="The Game of Y",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Lay stones; a chain that touches all three sides of the triangle wins.",
        reasons={"chain": "a chain touches all three sides"},
        example="c3",
        options=(Option("size", "13", SIZES, "cells on a side"),),
        swap_after=1,
        family="connection",
        credits="Claude Shannon, about 1950; Craige Schensted and Charles Titus, 1953",
        first={"size": "9"},
    )

    def grid(self, size: int) -> Grid:
        return triangle(size)

    def won(self, grid: Grid, seat: Seat, stones: Cells, at: Cells) -> str:
        """Return "chain" if one touches the top, the right and the left side."""
        del seat, at  # both want the same; from side to side is shorter than from the last stone
        top, right, left = grid.edges
        return "chain" if grid.joins(grid.chain(top, stones), right, left) else ""


game = GameOfY()
