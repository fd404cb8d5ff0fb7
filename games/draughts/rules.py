"""English draughts, or checkers: jump over all pieces of the other side, or shut them in.

A move names the cells that a piece stands on, from first to last: `c3-d4`, or `c3xe5xg7` for two
jumps. Columns are a to h from the left, rows 1 to 8 from below. Source of the rules: those of the
World Checkers Draughts Federation, which numbers the cells instead.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from pbm.engine import (
    BaseGame,
    Cells,
    Diagram,
    GameInfo,
    IllegalMoveError,
    IncompleteMoveError,
    MarkKind,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    bits,
    chessboard,
    frozen,
    listing,
)

_ALL = chessboard()
_DARK = tuple(point for point in _ALL.points if point.name in _ALL.shaded)
NAMES = {_ALL.at[point.name]: point.name for point in _DARK}
GRID = replace(_ALL, points=_DARK, full=sum(NAMES))
"""The board, without the light cells, on which nothing ever is."""

WAYS = (GRID.step + 1, GRID.step - 1), (1 - GRID.step, -GRID.step - 1)
"""The ways of the men of each seat, as shifts to the left; kings go all four."""

CROWN = GRID.edges[0], GRID.edges[2]
"""The row where a man of each seat becomes a king."""

REPEATS = 3
"""A position that comes up so often, with the same side to move, is a draw."""

QUIET_LIMIT = 80
"""Turns in a row in which no man moves and no piece is taken that make a draw."""

READER = PointReader(
    NAMES.values(),
    "cannot be read as a move; one looks like c3-d4, or c3xe5 for a jump",
    signs=dict.fromkeys(("x", ":", "\xd7"), "x"),
    noun="dark cell",
    most=13,
)

Board = tuple[Cells, Cells, Cells]
"""The pieces of Black, those of White, and which of all these are kings."""


@frozen
class State:
    """A position with all that the rules need.

    `boards` are those, this one included, since a man moved or a piece was taken: no earlier one
    can come back. `last` is the turn that led here, "" at the start. `reason` says why the game is
    over, "" while it goes on.
    """

    boards: tuple[Board, ...]
    mover: Seat = 0
    last: str = ""
    reason: str = ""


class Draughts(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="draughts",
        title="English Draughts",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Jump over pieces to take them; a side that cannot move has lost.",
        reasons={
            "taken": "all pieces of the opponent are taken",
            "shut_in": "the opponent cannot move",
            "repetition": "the same position came up for the third time",
            "quiet": f"in {QUIET_LIMIT} turns no man moved and no piece was taken",
        },
        example="c3-d4",
        aliases=("checkers",),
        family="capture",
        credits="Traditional; played in England since the 16th century or before",
    )

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
        black, white = (
            sum(at for at, name in NAMES.items() if name[1] in rows) for rows in ("123", "678")
        )
        return State(((black, white, 0),))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        return iter(turns(state.boards[-1], seat) if seat in self.to_move(state) else ())

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        points = READER.named(text, typed).points
        paths = {turn: tuple(re.split("[-x]", turn)) for turn in self.legal_moves(state, seat)}
        READER.ask(points, paths)
        # A jump may be named by its beginning, or by its first and last cell.
        meant = [
            turn
            for turn, path in paths.items()
            if points in (path[: len(points)], (path[0], path[-1]))
        ]
        for turn in meant:
            if paths[turn] == points or len(meant) == 1:
                return turn
        if meant:
            raise IncompleteMoveError("A jump goes as far as it can; name each cell.", meant)
        if not GRID.at[points[0]] & state.boards[-1][seat]:
            raise IllegalMoveError(f"You have no piece on {points[0]}.")
        raise IllegalMoveError(
            f"Where a piece can jump, one must, and as far as it can: {listing(paths)}."
            if any("x" in turn for turn in paths)
            else f"{points[0]} can only go to a free next cell on a diagonal; only kings go back."
        )

    def play(self, state: State, seat: Seat, move: str) -> State:
        board = state.boards[-1]
        path, taken = path_of(move)
        start, end = path[0], path[-1]
        was_king = start & board[2]
        own, other = board[seat] & ~start | end, board[1 - seat] & ~taken
        kings = board[2] & ~(start | taken)
        if was_king or end & CROWN[seat]:
            kings |= end
        after = (other, own, kings) if seat else (own, other, kings)
        boards = (*(state.boards if was_king and not taken else ()), after)
        return State(boards, 1 - seat, move, _reason(boards, 1 - seat))

    def result(self, state: State) -> Result | None:
        lost = state.reason in ("taken", "shut_in")
        return Result((1 - state.mover,) if lost else (), state.reason) if state.reason else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        *pieces, kings = state.boards[-1]
        path, taken = path_of(state.last) if state.last else ([], 0)
        marks = [(sum({*path}), MarkKind.LAST), (taken, MarkKind.CAPTURED)]
        if state.reason in ("taken", "shut_in"):
            deciding = pieces[state.mover] or pieces[1 - state.mover]
            marks.append((deciding, MarkKind.WINNING))
        told = ("A king is a capital letter or a stack.",) if kings else ()
        drawn = GRID.diagram(pieces, self.info.signs, marks, told)
        shown = tuple(
            replace(piece, symbol=piece.symbol.upper(), height=2)
            if GRID.at[piece.at] & kings
            else piece
            for piece in drawn.pieces
        )
        return replace(drawn, pieces=shown)


def turns(board: Board, seat: Seat) -> list[str]:
    """Return all turns of `seat`, which are jumps if there are any."""
    own, other, kings = board[seat], board[1 - seat], board[2]
    free = GRID.full & ~(own | other)
    steps, jumps = list[tuple[Cells, ...]](), list[tuple[Cells, ...]]()
    for at in (1 << n for n in bits(own)):
        ways, end = (WAYS[0] + WAYS[1], 0) if at & kings else (WAYS[seat], CROWN[seat])
        steps += [(at, to) for way in ways if (to := _next(at, way) & free)]
        jumps += _jumps((at,), ways, other, free | at, end)
    sign = "x" if jumps else "-"
    return [sign.join(map(NAMES.__getitem__, path)) for path in jumps or steps]


def _jumps(
    path: tuple[Cells, ...], ways: tuple[int, ...], other: Cells, free: Cells, end: Cells
) -> Iterator[tuple[Cells, ...]]:
    """Yield each way to go on from a path by jumps over some of `other`, up to the cells `end`."""
    goes_on = False
    for way in () if path[-1] & end else ways:
        over = _next(path[-1], way) & other
        if to := _next(over, way) & free:
            goes_on = True
            yield from _jumps((*path, to), ways, other ^ over, free, end)
    if path[1:] and not goes_on:
        yield path


def _next(cells: Cells, way: int) -> Cells:
    return cells << way if way > 0 else cells >> -way


def path_of(turn: str) -> tuple[list[Cells], Cells]:
    """Return the cells that the piece stands on, and those that it jumps, between two others."""
    path = [GRID.at[name] for name in re.split("[-x]", turn)]
    steps = pairwise(path) if "x" in turn else ()
    return path, sum(1 << (a.bit_length() + b.bit_length()) // 2 - 1 for a, b in steps)


def _reason(boards: tuple[Board, ...], mover: Seat) -> str:
    """Return why the game is over for the side to move, or ""; a loss comes before a draw."""
    if not turns(boards[-1], mover):
        return "shut_in" if boards[-1][mover] else "taken"
    if len(boards) > QUIET_LIMIT:
        return "quiet"
    return "repetition" if boards[::-2].count(boards[-1]) >= REPEATS else ""


game = Draughts()
