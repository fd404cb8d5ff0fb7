"""The board of NOTWO'S as a Diagram: single stones, the heights of stacks, stock and sides."""

from games.notwos.board import CELL, COLUMNS, NAMES, ROWS, between, chain
from games.notwos.turns import State, empty, heights, role_of, stock
from pbm.engine import Diagram, Mark, MarkKind, Piece, grid_points

STONE = "o"
HEIGHTS = "0" + STONE + "23456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcde"
"""The sign for each number of stones on a cell, up to all forty: digits, then letters."""

_LABELS = tuple(COLUMNS), tuple(reversed(ROWS))
_POINTS = grid_points(*_LABELS)
_MARGIN = " " * 6


def picture(state: State, seats: tuple[str, ...]) -> Diagram:
    """Return the board with the last turn and the winning chain marked.

    `seats` are the names of the seats; a line says which of them plays First.
    """
    return Diagram(
        *_LABELS,
        _POINTS,
        tuple(Piece(NAMES[c], HEIGHTS[height], None) for c, height in heights(state).items()),
        marks=_last_turn(state) + _winning_chain(state),
        below=("", f"{_MARGIN}Stock: {stock(state)}", f"{_MARGIN}{_sides(state, seats)}"),
    )


def _sides(state: State, seats: tuple[str, ...]) -> str:
    if state.first is None:
        # As wide as the later line, so that all positions are equally wide.
        return "First (Vertical), Second (Horizontal): still undecided"
    return f"First (Vertical): {seats[state.first]}, Second (Horizontal): {seats[1 - state.first]}"


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
