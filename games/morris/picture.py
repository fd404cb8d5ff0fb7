"""The board of Nine Men's Morris as a Diagram, like the original server's page.

Three squares of "+", "-" and "|" with a stone or a "+" on each point, letters above and
below, numbers on both sides, row 1 on top, and below the board the stones of both sides.
"""

from games.morris.board import LINE_NAMES, LINES, NAMES, names, points
from games.morris.state import State, split
from pbm.engine import (
    Diagram,
    GameInfo,
    Line,
    Mark,
    MarkKind,
    Piece,
    Plate,
    Point,
    Tally,
    TallyRow,
)

COLUMNS = tuple("ABCDEFG")
ROWS = tuple("1234567")

_INDENT = "      "
_BOARD = """\
         A   B   C   D   E   F   G
      1  +-----------+-----------+  1
         |           |           |
      2  |   +-------+-------+   |  2
         |   |       |       |   |
      3  |   |   +---+---+   |   |  3
         |   |   |       |   |   |
      4  +---+---+       +---+---+  4
         |   |   |       |   |   |
      5  |   |   +---+---+   |   |  5
         |   |       |       |   |
      6  |   +-------+-------+   |  6
         |           |           |
      7  +-----------+-----------+  7
         A   B   C   D   E   F   G
"""

POINTS = tuple(Point(name, ord(name[0]) - ord("a"), int(name[1]) - 1) for name in NAMES)
DRAWN = tuple(Line(line) for line in LINE_NAMES)
PLATE = Plate.read(_BOARD, NAMES, "+")


def picture(state: State, info: GameInfo) -> Diagram:
    """Return the board with the last turn marked and, at the end, what decided the game."""
    return Diagram(
        COLUMNS,
        ROWS,
        POINTS,
        tuple(
            Piece(name, info.signs[seat], seat)
            for seat in range(len(info.seats))
            for name in names(state.stones[seat])
        ),
        DRAWN,
        _marks(state),
        below=("", *(_stock(state, info, seat) for seat in range(len(info.seats)))),
        empty="+",
        plate=PLATE,
        tally=_tally(state, info),
    )


def _stock(state: State, info: GameInfo, seat: int) -> str:
    """Return the line that counts a side's stones; its width is the same throughout a match."""
    side = f"{info.seats[seat]} {info.signs[seat]}"
    on_board = state.stones[seat].bit_count()
    return f"{_INDENT}{side}: {state.hand[seat]} in hand, {on_board} on board"


def _tally(state: State, info: GameInfo) -> Tally:
    """Return the stones of both sides that are in hand and on the board."""
    return Tally(
        ("in hand", "on board"),
        tuple(
            TallyRow(side, (str(state.hand[seat]), str(state.stones[seat].bit_count())), sign, seat)
            for seat, (side, sign) in enumerate(zip(info.seats, info.signs, strict=True))
        ),
    )


def _marks(state: State) -> tuple[Mark, ...]:
    origin, to, taken = split(state.last)
    kinds = (
        (origin | to, MarkKind.LAST),
        (taken, MarkKind.CAPTURED),
        (_deciding(state, to), MarkKind.WINNING),
    )
    return tuple(Mark(NAMES[point], kind) for mask, kind in kinds for point in points(mask))


def _deciding(state: State, to: int) -> int:
    """Return the mill that left the loser two stones, or the stones that are shut in."""
    if state.reason == "no_move":
        return state.stones[state.mover]
    decided = 0
    if state.reason == "two_left":
        winner = state.stones[1 - state.mover]
        for line in LINES:
            if line & to and winner & line == line:
                decided |= line
    return decided
