"""The board of OLIX as a Diagram: stones, best values, and the patterns that decided the game."""

from pbm.engine import Diagram, Mark, MarkKind, Result, Tally, bits, grid_points, stones

from .patterns import CELL, COLUMNS, NAME, ROWS, WINNING, points, structure
from .positions import COUNT, State, empty, stones_left

_LABELS = tuple(COLUMNS), tuple(reversed(ROWS))
_POINTS = grid_points(*_LABELS)
_MARGIN = " " * 6

_MEANT = (
    "The table counts the stones in the largest O (border of a",
    "rectangle), L (angle), I (row or column) and X (diagonal).",
    "An O of 10, L of 9, I of 8 or X of 8 wins at once. Otherwise the",
    "most points win: for each pattern, the stones of the larger one.",
)
"""The meaning of the table."""


def picture(
    state: State, result: Result | None, seats: tuple[str, ...], signs: tuple[str, ...]
) -> Diagram:
    """Return the board with marks on the last stone and, at the end, on what won or counted."""
    figures = [
        (*(value or "-" for value in best), counted, stones_left(state, seat))
        for seat, (best, counted) in enumerate(zip(state.values, points(state.values), strict=True))
    ]
    tally = Tally.of(("O", "L", "I", "X", "points", "stones left"), seats, signs, figures)
    last = (Mark(state.last, MarkKind.LAST),) if state.last in CELL else ()
    return Diagram(
        *_LABELS,
        _POINTS,
        stones((map(NAME.__getitem__, bits(own)) for own in state.stones), signs),
        marks=last + _decisive(state, result),
        below=("", *_table(tally)),
        tally=tally,
        told=(*_MEANT, *_to_do(state, seats)),
    )


def _table(tally: Tally) -> list[str]:
    """Return a tally as lines of text."""
    lines = [f"{_MARGIN}{'':9}  O  L  I  X   points   stones left"]
    for row in tally.rows:
        *best, counted, left = row.values
        values = "".join(f"{value:>3}" for value in best)
        lines.append(f"{_MARGIN}{row.name} ({row.symbol}){values}   {counted:>6}   {left:>11}")
    return lines


def _to_do(state: State, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines that say what a turn can be, while the game goes on."""
    mover, other = seats[state.turn], seats[1 - state.turn]
    if state.reason:
        return ()
    if state.last == COUNT:
        return (
            f"{other} offers to count the points now; {mover} accepts by count,",
            "or puts a stone on an empty cell and plays on.",
        )
    if not stones_left(state, state.turn):
        return (f"{mover} has no stone left and can only reply count.",)
    return (
        f"{mover} puts a stone on an empty cell, such as {_example(state)}, or replies",
        "count to offer to end the game and count the points.",
    )


def _example(state: State) -> str:
    """Return an empty cell near the middle, where games begin."""
    free = empty(state)
    middle = CELL["f6"]
    return NAME[min(bits(free), key=lambda cell: (abs(cell - middle), cell))]


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
    return tuple(Mark(NAME[cell], MarkKind.WINNING) for cell in bits(deciding))
