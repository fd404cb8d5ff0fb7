"""The rules of Gomoku, on the kit of pbm for games in which both sides lay stones.

Notation: columns from a on the left, rows from 1 below; `h8` lays a stone on h8.
"""

from pbm.engine import Cells, GameInfo, Grid, LayingGame, Option, Seat, square

ROW = 5


class Gomoku(LayingGame):
    """Gomoku for two, in its free form: six in a row win as well."""

    info = GameInfo(
        key="gomoku",
        title="Gomoku",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Lay stones; five of yours in a row win.",
        reasons={"row": "five stones in a row", "full": "the board is full"},
        example="c3",
        options=(
            Option("size", "15", ("5", "9", "13", "15", "19"), "lines on a side of the board"),
        ),
        swap_after=1,
        family="lines and patterns",
        credits="Traditional, from East Asia.",
        first={"size": "9"},
    )
    on_lines = True

    def grid(self, size: int) -> Grid:
        """Return a square board whose rows are counted from below."""
        return square(size, from_below=True)

    def won(self, grid: Grid, seat: Seat, stones: Cells, at: Cells) -> str:
        """Return "row" if five stones or more lie in a row."""
        del seat, at  # both sides want the same, anywhere
        return "row" if grid.line(stones, ROW) else ""

    def deciding(self, grid: Grid, stones: Cells, at: Cells) -> Cells:
        """Return the stones in rows of five or more."""
        del at
        return grid.line(stones, ROW)


game = Gomoku()
