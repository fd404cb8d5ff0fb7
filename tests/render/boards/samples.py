"""Small boards for the tests of pictures, and what the eye tells apart."""

from pbm.engine import Diagram, Mark, MarkKind, Piece, Point, grid_lines, grid_points
from pbm.render.boards.plotted_picture import PlottedPicture
from pbm.render.boards.plotting import Plotter

LAST, WINNING, CAPTURED = MarkKind.LAST, MarkKind.WINNING, MarkKind.CAPTURED


def plot(diagram: Diagram) -> PlottedPicture:
    """Return the picture of `diagram`, worked out from the start."""
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


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, "contrast ratio")."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2.2, "relative luminance")."""
    shares = (octet / 255 for octet in bytes.fromhex(colour[1:]))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
