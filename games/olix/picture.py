"""The board of OLIX as a Diagram: stones, best values, and the patterns that decided the game."""

from games.olix.board import CELL, COLUMNS, NAME, ROWS, cells_of
from games.olix.patterns import WINNING, points, structure
from games.olix.positions import State, stones_left
from pbm.engine import Diagram, Mark, MarkKind, Piece, Result, grid_points

_LABELS = tuple(COLUMNS), tuple(reversed(ROWS))
_POINTS = grid_points(*_LABELS)
_MARGIN = " " * 6


def picture(
    state: State, result: Result | None, seats: tuple[str, ...], signs: tuple[str, ...]
) -> Diagram:
    """Return the board with marks on the last stone and, at the end, on what won or counted."""
    last = (Mark(state.last, MarkKind.LAST),) if state.last in CELL else ()
    return Diagram(
        *_LABELS,
        _POINTS,
        tuple(
            Piece(NAME[cell], signs[seat], seat)
            for seat in range(2)
            for cell in cells_of(state.stones[seat])
        ),
        marks=last + _decisive(state, result),
        below=("", *_table(state, seats, signs)),
    )


def _table(state: State, seats: tuple[str, ...], signs: tuple[str, ...]) -> list[str]:
    """Return the best values of both, what they would count now, and the stones in hand."""
    counted = points(state.values)
    lines = [f"{_MARGIN}{'':9}  O  L  I  X   points   stones left"]
    for seat, name in enumerate(seats):
        best = "".join(f"{value or '-':>3}" for value in state.values[seat])
        left = stones_left(state, seat)
        lines.append(f"{_MARGIN}{name} ({signs[seat]}){best}   {counted[seat]:>6}   {left:>11}")
    return lines


def _decisive(state: State, result: Result | None) -> tuple[Mark, ...]:
    """Return marks on the patterns that won at once, or on one of each kind that counts."""
    if result is None:
        return ()
    deciding = 0
    for pattern, pair in enumerate(zip(*state.values, strict=True)):
        at_once = WINNING[pattern] if result.scores is None else 1
        for seat, value in enumerate(pair):
            if value == max(pair) and value >= at_once:
                deciding |= structure(state.stones[seat], pattern, value)
    return tuple(Mark(NAME[cell], MarkKind.WINNING) for cell in cells_of(deciding))
