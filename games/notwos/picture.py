"""The board of NOTWO'S as a Diagram: single stones, the heights of stacks, and what is to do.

Below the board a newcomer reads which side joins what, and what a turn can be in this phase.
"""

from textwrap import wrap

from pbm.engine import Diagram, Mark, MarkKind, Piece, grid_points, listing

from .board import CELL, COLUMNS, NAMES, ROWS, between, chain
from .turns import (
    State,
    builds,
    distributions,
    drops,
    empty,
    heights,
    role_of,
    stock,
    threatened,
)

STONE = "o"
HEIGHTS = "0" + STONE + "23456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcde"
"""The sign for each number of stones on a cell, up to all forty: digits, then letters."""

_LABELS = tuple(COLUMNS), tuple(reversed(ROWS))
_POINTS = grid_points(*_LABELS)
_WIDTH = 66
"""Columns for the words below the board, beside the margin."""


def picture(state: State, seats: tuple[str, ...]) -> Diagram:
    """Return the board with the last turn and the winning chain marked.

    `seats` are the names of the seats; a line says which of them plays First.
    """
    return Diagram(
        *_LABELS,
        _POINTS,
        tuple(
            Piece(NAMES[c], HEIGHTS[height], None, height) for c, height in heights(state).items()
        ),
        marks=_last_turn(state) + _winning_chain(state),
        told=tuple(_words(state, seats)),
    )


def _words(state: State, seats: tuple[str, ...]) -> list[str]:
    """Return what stands below the board: the sides, what can be done now, and the stock."""
    left = f"Stock: {stock(state)}."
    if state.first is not None:
        return [
            f"First ({seats[state.first]}) wins by joining top and bottom, Second",
            f"({seats[1 - state.first]}) left and right, with a chain of single stones (o).",
            *wrap(f"{left} {_to_do(state)}", _WIDTH),
        ]
    if state.singles:
        return [
            f"{seats[state.turn]} now replies first (to join top and bottom) or second (to",
            "join left and right). Who is First has the next turn.",
            f"{left} The stones belong to nobody.",
        ]
    return [
        f"{seats[0]} puts the first two stones on any two cells, such as",
        f"b3,e5; then {seats[1]} chooses a side, first or second.",
        f"{left} The stones belong to nobody.",
    ]


def _to_do(state: State) -> str:
    """Return a sentence with a turn of each kind that is possible now; "" once it is over."""
    if state.reason:
        return ""
    building = builds(state)
    kinds = (
        ("drop a stone", drops(state)),
        ("build a stack", building if building and threatened(state) else []),
        ("distribute a stack", distributions(state)),
    )
    possible = [f"{kind} ({turns[0]})" for kind, turns in kinds if turns]
    return f"A turn now: {listing(possible)}."


def _last_turn(state: State) -> tuple[Mark, ...]:
    """Return marks where the last turn laid stones and where it captured."""
    turn = state.last
    if turn is None or turn[:2] not in CELL:
        return ()
    start, mark, end = turn[:2], turn[2:3], turn[3:]
    if mark == "-":
        bare = empty(state)
        line = between(CELL[start], CELL[end])
        kinds = [MarkKind.CAPTURED if bare >> c & 1 else MarkKind.LAST for c in line]
        return tuple(Mark(NAMES[c], kind) for c, kind in zip(line, kinds, strict=True))
    laid = {"": [start], ",": [start, end], ">": [end]}[mark]
    return tuple(Mark(name, MarkKind.LAST) for name in laid)


def _winning_chain(state: State) -> tuple[Mark, ...]:
    if state.winner is None:
        return ()
    won = chain(state.singles, role_of(state, state.winner))
    return tuple(Mark(NAMES[cell], MarkKind.WINNING) for cell in sorted(won))
