"""Hex (Piet Hein, 1942): a chain from your one edge to the other wins.

A move is the name of the cell where a stone is laid, column letter and row number: `c3`. Rows count
from the top. The server provides the pie rule.
"""

from pbm.engine import Cells, GameInfo, Grid, Laid, LayingGame, Option, Seat, rhombus

SIZES = tuple(str(size) for size in range(5, 15))


class Hex(LayingGame):
    """The rules, for every size of board."""

    info = GameInfo(
        key="hex",
        title="Hex",
        seats=("Vertical", "Horizontal"),
        signs=("x", "o"),
        summary="Lay stones; a chain that joins your two edges of a rhombus wins.",
        reasons={"chain": "a chain joins two opposite edges"},
        example="c3",
        options=(Option("size", "11", SIZES, "cells on an edge"),),
        swap_after=1,
        family="connection",
        credits="Piet Hein, 1942, and John Nash, 1948",
        first={"size": "7"},
    )

    def grid(self, size: int) -> Grid:
        return rhombus(size)

    def told(self, state: Laid) -> tuple[str, ...]:
        last = self.grid(state.size).columns[-1]
        return (
            f"Vertical (x) joins row 1 to row {state.size},",
            f"Horizontal (o) column a to column {last}.",
        )

    def won(self, grid: Grid, seat: Seat, stones: Cells, at: Cells) -> str:
        """Return "chain" if it joins top and bottom, for Vertical, or left and right."""
        del at  # from edge to edge is shorter than from the last stone to both
        one, other = grid.edges[seat], grid.edges[seat + 2]
        return "chain" if grid.joins(stones, one, other) else ""


game = Hex()
