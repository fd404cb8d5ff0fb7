"""Small boards for the tests of pictures."""

from pbm.engine import Diagram, Mark, MarkKind, Piece, Point, grid_lines, grid_points
from pbm.render.boards.drawing import Drawing
from pbm.render.boards.plotting import Plotter

LAST, WINNING, CAPTURED = MarkKind.LAST, MarkKind.WINNING, MarkKind.CAPTURED


def plot(diagram: Diagram) -> Drawing:
    """Return the drawing of `diagram`, worked out from the start."""
    return Plotter().plot(diagram)


def cells(size: int = 3, pieces: tuple[Piece, ...] = (), *marks: Mark) -> Diagram:
    """Return a square board of cells, columns a, b, c from the left and row 1 at the bottom."""
    columns = tuple("abcdefghijklmnopqrs"[:size])
    rows = tuple(str(n) for n in range(size, 0, -1))
    return Diagram(columns, rows, grid_points(columns, rows), pieces, marks=marks)


def lines(size: int = 3, pieces: tuple[Piece, ...] = (), *marks: Mark) -> Diagram:
    """Return the same with stones on the crossings of lines."""
    board = cells(size, pieces, *marks)
    drawn = grid_lines(board.columns, board.rows)
    return Diagram(board.columns, board.rows, board.points, pieces, drawn, marks)


def bare(*points: Point, pieces: tuple[Piece, ...] = ()) -> Diagram:
    """Return a board without labels or lines."""
    return Diagram((), (), points, pieces)
