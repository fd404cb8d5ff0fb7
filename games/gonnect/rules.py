"""Gonnect (Joao Pedro Neto, 2000): Go without passing, won by a chain from side to side.

A move is the name of the point where a stone is laid, column letter and row number: `G7`.
Columns are letters without I, rows count from the bottom. The server provides the pie rule.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from math import exp
from operator import xor
from statistics import median
from typing import Any

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    IllegalMoveError,
    Mark,
    MarkKind,
    Option,
    Piece,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    from_plain,
    grid_lines,
    grid_points,
    listing,
    to_plain,
)

from .board import COLUMNS, Board, board_of
from .position import State, board_after, captures, lay, lead, legal_points
from .random_game import play_on

SIZES = tuple(str(size) for size in range(5, 20))


class Gonnect(BaseGame[State, str]):
    """The rules, for every size of board."""

    info = GameInfo(
        key="gonnect",
        title="Gonnect",
        seats=("Eks", "Ohs"),
        signs=("x", "o"),
        summary="Join two opposite sides with one chain; stones without free points beside them "
        "are taken.",
        reasons={
            "connection": "a chain joins two opposite sides",
            "no_move": "the other side has no legal move left",
            "repetition": "the same position came up for the third time",
        },
        example="C4",
        options=(
            Option("size", "13", SIZES, "rows and columns of the board"),
            Option(
                "ko",
                "simple",
                ("simple", "superko"),
                "simple: the previous position may not come back; superko: no earlier one may",
            ),
        ),
        swap_after=1,
        family="connection",
        credits="Joao Pedro Neto, 2000",
        first={"size": "7"},
    )

    def start(self, setup: Setup) -> State:
        return State(int(setup["size"]), setup["ko"] == "superko")

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.result else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat not in self.to_move(state):
            return iter(())
        return iter(state.board.listed(legal_points(state)))

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        moves, winner = play_on(state, chance, longest)
        return Playout.by_turns(moves, state.mover, Playout.worth_of(winner))

    def priors(self, state: State, seat: Seat) -> Mapping[str, float]:
        leads = {move: lead(lay(state, move), seat) for move in self.legal_moves(state, seat)}
        usual = median(leads.values())
        return {move: 1 / (1 + exp(usual - its)) for move, its in leads.items()}

    def play(self, state: State, seat: Seat, move: str) -> State:  # noqa: ARG002 - sides alternate
        return lay(state, move)

    def result(self, state: State) -> Result | None:
        return state.result

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:  # noqa: ARG002 - sides alternate
        (name,) = _reader(state.size).named(text, typed).points
        refusal = why_not(self.info, state, name)
        if refusal:
            raise IllegalMoveError(refusal)
        return name

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - nothing is hidden
        eks, ohs = map(state.board.listed, state.stones)
        of_eks, of_ohs = _pieces(state.size)
        pieces = (*map(of_eks.__getitem__, eks), *map(of_ohs.__getitem__, ohs))
        empty = _empty_diagram(state.size)
        return Diagram(empty.columns, empty.rows, empty.points, pieces, empty.lines, _marks(state))

    def dump(self, state: State) -> Mapping[str, Any]:
        """Return `state` as JSON values: sets of points in hexadecimal.

        Of each board there are the numbers of the bits in which it differs from the one before, so
        a long match takes only a few kilobytes.
        """
        changes = map(xor, state.history, (0, *state.history))
        return {
            "size": state.size,
            "superko": state.superko,
            "stones": [f"{stones:x}" for stones in state.stones],
            "last": state.last,
            "taken": f"{state.taken:x}",
            "ko": f"{state.ko:x}",
            "changes": [[bit.bit_length() - 1 for bit in Board.single(each)] for each in changes],
            "result": to_plain(state.result),
        }

    def load(self, data: Mapping[str, Any]) -> State:
        changes = (sum(1 << bit for bit in each) for each in data["changes"])
        eks, ohs = data["stones"]
        return State(
            size=data["size"],
            superko=data["superko"],
            stones=(int(eks, 16), int(ohs, 16)),
            last=data["last"],
            taken=int(data["taken"], 16),
            ko=int(data["ko"], 16),
            history=tuple(accumulate(changes, xor)),
            result=data["result"] and from_plain(Result, data["result"]),
        )


@cache
def _reader(size: int) -> PointReader:
    unread = "is not the name of a point; a move is a letter and a number, like C4"
    return PointReader(board_of(size).bits, unread, most=1)


def why_not(info: GameInfo, state: State, name: str) -> str | None:
    """Return why the side to move may not lay a stone on the point `name`, or None if it may."""
    at = state.board.bits[name]
    for owner, stones in enumerate(state.stones):
        if at & stones:
            whose = f"{info.seats[owner]} ({info.signs[owner]})"
            return f"{name} is already occupied by a stone of {whose}."
    if legal_points(state, among=at):
        return None
    if at == state.ko:
        return (
            f"{name} would take {state.last} back and repeat the previous position, which ko "
            "forbids; play elsewhere first."
        )
    return _suicide(state, name) or _superko(state, name)


def _suicide(state: State, name: str) -> str | None:
    board = state.board
    at = board.bits[name]
    own, enemy = state.stones[state.mover] | at, state.stones[1 - state.mover]
    chain = board.chain(at, own)
    if captures(state, at) or board.near(chain) & board.full & ~(own | enemy):
        return None
    others = board.listed(chain ^ at)
    stone = f"the chain {listing([name, *others], last='and')}" if others else "the stone"
    return f"{name} would be suicide: {stone} would have no liberty, and nothing is taken."


def _superko(state: State, name: str) -> str:
    at = state.board.bits[name]
    board = board_after(state, at, captures(state, at))
    ago = len(state.history) - 1 - state.history.index(board)
    return (
        f"{name} would bring back the position of {ago} moves ago, and superko (option "
        "-ko=superko) forbids every earlier position."
    )


@cache
def _empty_diagram(size: int) -> Diagram:
    """Return the board without stones, as in Figure 1 of the rule text."""
    columns = tuple(COLUMNS[:size])
    rows = tuple(str(row) for row in range(size, 0, -1))
    lines = grid_lines(columns, rows)
    return Diagram(columns, rows, grid_points(columns, rows), lines=lines)


@cache
def _pieces(size: int) -> tuple[Mapping[str, Piece], ...]:
    """Return for each seat its stone on each point: a late diagram has hundreds of them."""
    names = [point.name for point in _empty_diagram(size).points]
    return tuple(
        {name: Piece(name, sign, seat) for name in names}
        for seat, sign in enumerate(Gonnect.info.signs)
    )


def _marks(state: State) -> tuple[Mark, ...]:
    """Return the marks; a winning chain comes last, so that the picture shows it whole."""
    if state.last is None:
        return ()
    board = state.board
    taken = board.listed(state.taken) if state.taken else ()
    marks = [*[Mark(name, MarkKind.CAPTURED) for name in taken], Mark(state.last, MarkKind.LAST)]
    if state.result and state.result.reason == "connection":
        chain = board.chain(board.bits[state.last], state.stones[state.result.winners[0]])
        marks += [Mark(name, MarkKind.WINNING) for name in board.listed(chain)]
    return tuple(marks)


game = Gonnect()
