"""A position of The Power of Two as a Diagram."""

from games.pow2.board import LINES, POINTS, bits, column_and_row
from games.pow2.plates import (
    ABOVE_BOARD,
    LETTERS,
    NUMBERS,
    crossing,
    large_plate,
    small_plate,
)
from games.pow2.position import ALL_16, SIDES, State, points_of
from pbm.engine import Diagram, Line, Mark, MarkKind, Piece, Point, Tally, TallyRow

_POINTS = tuple(
    Point(name, *column_and_row(name), crossing(point)) for point, name in enumerate(POINTS)
)
_LINES = tuple(Line(tuple(POINTS[point] for point in line)) for line in LINES)

_FRESH, _AGED = "OX", "ox"

_EMPTY = "*"

_NOBODY = f"{ABOVE_BOARD}Empty  {_EMPTY}"
"""The line with the sign of an empty point, which only a board of letters has."""

_LIVES = 2
"""What a fresh piece has; an aged one has lost one of them."""


def diagram(state: State, *, large: bool) -> Diagram:
    """Return the board of `state`, above it whose signs are whose, below it what a turn is."""
    return Diagram(
        LETTERS,
        NUMBERS,
        _POINTS,
        pieces=_pieces(state),
        lines=_LINES,
        marks=_marks(state),
        above=(*(_side(state, seat) for seat in range(len(SIDES))), _NOBODY, ""),
        empty=_EMPTY,
        plate=large_plate() if large else small_plate(),
        tally=_tally(state),
        told=() if state.ended else _TURN,
    )


def _tally(state: State) -> Tally:
    """Return the pieces of both sides that are in supply."""
    return Tally(
        ("in supply",),
        tuple(
            TallyRow(side, (str(state.supply(seat)),), _AGED[seat], seat)
            for seat, side in enumerate(SIDES)
        ),
    )


_TURN = (
    "Slide a piece along a line to an empty point, like m13-j7.",
    "Every piece that it meets calls for a new one of yours, on a",
    "point next to both: m13-m5:l4. Then it and your own that it met",
    "age: fresh ones turn aged, aged ones go back to the supply.",
    "You win when all 16 of your pieces are on the board.",
)


def _side(state: State, seat: int) -> str:
    """Return the line with the signs of a side and its pieces in supply."""
    signs = f"{_FRESH[seat]} fresh, {_AGED[seat]} aged"
    return f"{ABOVE_BOARD}{SIDES[seat]:<5}  {signs}; {state.supply(seat):2} of 16 in supply"


def _pieces(state: State) -> tuple[Piece, ...]:
    """Return the pieces of both seats: capital letters are fresh, small ones aged."""
    return tuple(
        Piece(
            POINTS[point],
            (_AGED if state.aged >> point & 1 else _FRESH)[seat],
            seat,
            _LIVES - (state.aged >> point & 1),
        )
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
