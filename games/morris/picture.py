"""The board of Nine Men's Morris as a Diagram, like the original server's page.

Three squares of "+", "-" and "|" with a stone or a "+" on each point, letters above and
below, numbers on both sides, row 1 on top, and below the board the stones of both sides.
"""

from collections.abc import Iterator
from importlib import resources

from pbm.engine import (
    Diagram,
    GameInfo,
    Line,
    Mark,
    MarkKind,
    Plate,
    Point,
    Tally,
    stones,
)

from .board import LINE_NAMES, LINES, NAMES, names, points
from .state import State, split

COLUMNS = tuple("ABCDEFG")
ROWS = tuple("1234567")

_INDENT = "      "
POINTS = tuple(Point(name, ord(name[0]) - ord("a"), int(name[1]) - 1) for name in NAMES)
DRAWN = tuple(Line(line) for line in LINE_NAMES)
PLATE = Plate.read(
    resources.files(__package__).joinpath("board.txt").read_text("utf-8"), NAMES, "+"
)


def picture(state: State, info: GameInfo) -> Diagram:
    """Return the board with the last turn marked and, at the end, what decided the game."""
    figures = zip(state.hand, map(int.bit_count, state.stones), strict=True)
    tally = Tally.of(("in hand", "on board"), info.seats, info.signs, figures)
    return Diagram(
        COLUMNS,
        ROWS,
        POINTS,
        stones(map(names, state.stones), info.signs),
        DRAWN,
        _marks(state),
        below=("", *_stocks(tally)),
        empty="+",
        plate=PLATE,
        tally=tally,
    )


def _stocks(tally: Tally) -> Iterator[str]:
    """Yield the lines that count stones; their width is the same throughout a match."""
    for row in tally.rows:
        hand, board = row.values
        yield f"{_INDENT}{row.name} {row.symbol}: {hand} in hand, {board} on board"


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
