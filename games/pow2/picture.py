"""A position of The Power of Two as a Diagram."""

from importlib import resources

from pbm.engine import Diagram, Line, Mark, MarkKind, Piece, Plate, Point, Tally, bits

from .board import LINES, POINTS, SIDE, column_and_row, crossing
from .position import ALL_16, SIDES, State, points_of

_LETTERS = tuple("abcdefghijklm")
_NUMBERS = tuple(str(number) for number in range(1, SIDE + 1))

_POINTS = tuple(
    Point(name, *column_and_row(name), crossing(point)) for point, name in enumerate(POINTS)
)
_LINES = tuple(Line(tuple(POINTS[point] for point in line)) for line in LINES)

_FRESH, _AGED = "OX", "ox"

_EMPTY = "*"

STYLES = ("large", "small")

PLATES = {
    style: Plate.read(
        resources.files(__package__).joinpath(f"{style}.txt").read_text("utf-8"), POINTS, _EMPTY
    )
    for style in STYLES
}
"""The empty board by style. The small one has each point at its letter and number, and no slanted
lines. The large one draws every line straight. On a straight line a point such as b4 or c6 lies a
little off its letter and number, so points of one letter may be in two columns, and the letter is
above both; the same goes for numbers."""

_ABOVE = " " * 6
"""The margin of the lines above a board, whose text begins at column a."""

_NOBODY = f"{_ABOVE}Empty  {_EMPTY}"
"""The line with the sign of an empty point, which only a board of letters has."""

_LIVES = 2
"""The lives of a fresh piece; an aged one has lost one of them."""


def diagram(state: State, style: str) -> Diagram:
    """Return the board of `state`, above it whose signs are whose, below it what a turn is."""
    return Diagram(
        _LETTERS,
        _NUMBERS,
        _POINTS,
        pieces=_pieces(state),
        lines=_LINES,
        marks=_marks(state),
        above=(*(_side(state, seat) for seat in range(len(SIDES))), _NOBODY, ""),
        empty=_EMPTY,
        plate=PLATES[style],
        tally=Tally.of(("in supply",), SIDES, tuple(_AGED), [[state.supply(s)] for s in (0, 1)]),
        told=() if state.ended else _TURN,
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
    return f"{_ABOVE}{SIDES[seat]:<5}  {signs}; {state.supply(seat):2} of 16 in supply"


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
