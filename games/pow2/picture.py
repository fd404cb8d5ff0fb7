"""A position of The Power of Two as a Diagram."""

from games.pow2.board import LINES, POINTS, bits, column_and_row
from games.pow2.plates import ABOVE_BOARD, LETTERS, NUMBERS, large_plate, small_plate
from games.pow2.position import ALL_16, SIDES, State, points_of
from pbm.engine import Diagram, Line, Mark, MarkKind, Piece, Point

_POINTS = tuple(Point(name, *column_and_row(name)) for name in POINTS)
_LINES = tuple(Line(tuple(POINTS[point] for point in line)) for line in LINES)

_FRESH, _AGED = "OX", "ox"


def diagram(state: State, *, large: bool) -> Diagram:
    """Return the board of `state` with the pieces in supply above it."""
    supplies = "   ".join(f"{side} {state.supply(seat):2}" for seat, side in enumerate(SIDES))
    return Diagram(
        LETTERS,
        NUMBERS,
        _POINTS,
        pieces=_pieces(state),
        lines=_LINES,
        marks=_marks(state),
        above=(f"{ABOVE_BOARD}In supply:  {supplies}", ""),
        empty="*",
        plate=large_plate() if large else small_plate(),
    )


def _pieces(state: State) -> tuple[Piece, ...]:
    """Return the pieces of both seats: capital letters are fresh, small ones aged."""
    return tuple(
        Piece(POINTS[point], (_AGED if state.aged >> point & 1 else _FRESH)[seat], seat)
        for seat in range(len(SIDES))
        for point in bits(state.pieces[seat])
    )


def _marks(state: State) -> tuple[Mark, ...]:
    """Return marks on the pieces that ageing took, the points of the last turn, and what won.

    A win by sixteen pieces marks all of them; if the game ended for lack of moves, the pieces
    that are shut in decided it.
    """
    marks = [Mark(POINTS[point], MarkKind.CAPTURED) for point in bits(state.removed)]
    if state.last is not None:
        start, target, placed = points_of(state.last)
        turn = [start, target, *bits(placed & ~(1 << start))]
        marks += [Mark(POINTS[point], MarkKind.LAST) for point in turn]
    if state.ended is not None:
        deciding = state.pieces[1 - state.seat if state.ended == ALL_16 else state.seat]
        marks += [Mark(POINTS[point], MarkKind.WINNING) for point in bits(deciding)]
    return tuple(marks)
