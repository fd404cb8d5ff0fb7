"""The rules of Gonnect (Joao Pedro Neto, 2000): Go without passing, won by a connection.

A move is the name of the point where a stone is laid, column letter and row number: `G7`.
Columns are letters without I, rows count from the bottom.
"""

import base64
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.gonnect.board import COLUMNS, Board, Points, board_of
from pbm.engine import (
    BaseGame,
    Diagram,
    GameInfo,
    IllegalMoveError,
    Mark,
    MarkKind,
    MoveSyntaxError,
    Option,
    Piece,
    Result,
    Seat,
    Setup,
    Viewer,
    from_plain,
    grid_points,
    listing,
    quote,
    to_plain,
)

_POINT = re.compile(r"([a-z])[-,]?([0-9]+)[.!]?")
_PASSES = frozenset({"pass", "passe", "passes", "ipass"})


@dataclass(frozen=True, slots=True)
class State:
    """A position and how it came about.

    `stones` are the bit sets of Eks and Ohs; `last` is the point just played, `taken` what
    was captured there, `ko` the point that simple ko bars now. `history` has the hash of the
    board before the first move and after each. None of it may be forgotten: as a large chain
    can be taken at any time, any earlier board might return.
    """

    size: int
    superko: bool
    stones: tuple[Points, Points] = (0, 0)
    last: str | None = None
    taken: Points = 0
    ko: Points = 0
    history: tuple[int, ...] = (0,)
    result: Result | None = None

    @property
    def mover(self) -> Seat:
        """The seat whose stone comes next, were the game not over."""
        return (len(self.history) - 1) % 2


class Gonnect(BaseGame[State, str]):
    """The rules, for every size of board."""

    info = GameInfo(
        key="gonnect",
        title="Gonnect",
        seats=("Eks", "Ohs"),
        signs=("x", "o"),
        summary="Go without passing: the first chain from one side to the opposite one wins.",
        reasons={
            "connection": "a chain joins two opposite sides",
            "no_move": "the other side has no legal move left",
            "repetition": "the same position has come up three times",
        },
        example="C4",
        options=(
            Option(
                "size", "13", tuple(str(n) for n in range(5, 20)), "rows and columns of the board"
            ),
            Option(
                "ko",
                "simple",
                ("simple", "superko"),
                "simple: the previous position may not come back; superko: no earlier one may",
            ),
        ),
        swap_after=1,
        credits="Joao Pedro Neto, 2000",
    )

    def start(self, setup: Setup) -> State:
        return State(int(setup["size"]), setup["ko"] == "superko")

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.result else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.result or seat != state.mover:
            return iter(())
        return iter(board_of(state.size).listed(_legal(state)))

    def play(self, state: State, seat: Seat, move: str) -> State:
        board = board_of(state.size)
        at = board.bits[move]
        own, enemy = state.stones[seat] | at, state.stones[1 - seat]
        taken = board.taken(at, enemy, board.full & ~(own | enemy))
        enemy ^= taken
        mark = state.history[-1] ^ board.keys[seat][at] ^ board.hashed(1 - seat, taken)
        after = State(
            state.size,
            state.superko,
            (enemy, own) if seat else (own, enemy),
            move,
            taken,
            _ko_point(board, at, own, enemy, taken),
            (*state.history, mark),
        )
        result = _result(board, after, seat)
        return replace(after, result=result) if result else after

    def result(self, state: State) -> Result | None:
        return state.result

    def parse(self, state: State, seat: Seat, text: str) -> str:
        typed = self.readable(text)
        if typed in _PASSES:
            raise IllegalMoveError("There is no passing in Gonnect: lay a stone.")
        found = _POINT.fullmatch(typed)
        if not found:
            raise MoveSyntaxError(
                f"{quote(text)} is not a point; a move is a letter and a number, "
                f"such as {self.info.example}."
            )
        board = board_of(state.size)
        name = f"{found[1].upper()}{int(found[2])}"
        if name not in board.bits:
            raise IllegalMoveError(_outside(board, found[1].upper(), quote(text)))
        if seat not in self.to_move(state):
            raise IllegalMoveError(
                "The game is over." if state.result else f"It is not {self.info.seats[seat]}'s turn."
            )
        if not _legal(state) & board.bits[name]:
            raise IllegalMoveError(_why_not(board, state, name))
        return name

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - one view for all
        board = board_of(state.size)
        columns = tuple(COLUMNS[: state.size])
        rows = tuple(str(n) for n in range(state.size, 0, -1))
        pieces = tuple(
            Piece(name, sign, seat)
            for seat, sign in enumerate(self.info.signs)
            for name in board.listed(state.stones[seat])
        )
        return Diagram(columns, rows, grid_points(columns, rows), pieces, marks=_marks(state))

    def dump(self, state: State) -> Mapping[str, Any]:
        """Return `state` as plain values: bit sets in hexadecimal, hashes packed as base64."""
        history = struct.pack(f">{len(state.history)}Q", *state.history)
        return {
            "size": state.size,
            "superko": state.superko,
            "stones": [f"{stones:x}" for stones in state.stones],
            "last": state.last,
            "taken": f"{state.taken:x}",
            "ko": f"{state.ko:x}",
            "history": base64.b64encode(history).decode("ascii"),
            "result": to_plain(state.result),
        }

    def load(self, data: Mapping[str, Any]) -> State:
        history = base64.b64decode(data["history"])
        eks, ohs = (int(stones, 16) for stones in data["stones"])
        return State(
            data["size"],
            data["superko"],
            (eks, ohs),
            data["last"],
            int(data["taken"], 16),
            int(data["ko"], 16),
            struct.unpack(f">{len(history) // 8}Q", history),
            from_plain(Result | None, data["result"]),
        )


def _legal(state: State) -> Points:
    """Return the points where the player to move may lay a stone.

    A stone must have a liberty once it has taken what it takes: an empty neighbour, an own
    chain beside it that keeps a liberty, or an enemy chain that it takes. Then ko.
    """
    board = board_of(state.size)
    own, enemy = state.stones[state.mover], state.stones[1 - state.mover]
    empty = board.full & ~(own | enemy)
    legal = empty & board.near(empty)
    closed = empty ^ legal
    if closed:
        lost, _ = board.in_atari(own, empty, closed)
        _, takes = board.in_atari(enemy, empty, closed)
        legal |= closed & (takes | board.near(own ^ lost))
    return legal & ~_repeating(board, state, legal) if state.superko else legal & ~state.ko


def _repeating(board: Board, state: State, points: Points) -> Points:
    """Return those of `points` that would bring back an earlier board (ko=superko)."""
    own, enemy = state.stones[state.mover], state.stones[1 - state.mover]
    if (own | enemy).bit_count() == len(state.history) - 1:
        return 0  # nothing was ever taken, so every board has one stone more than the last
    empty = board.full & ~(own | enemy)
    _, takes = board.in_atari(enemy, empty, empty)
    earlier = frozenset(state.history)
    barred = 0
    for at, key in board.keys[state.mover].items():
        if at & points:
            mark = state.history[-1] ^ key
            if at & takes:
                mark ^= board.hashed(1 - state.mover, board.taken(at, enemy, empty ^ at))
            if mark in earlier:
                barred |= at
    return barred


def _ko_point(board: Board, at: Points, own: Points, enemy: Points, taken: Points) -> Points:
    """Return the point where the stone just taken may not retake, or 0.

    Only if one stone took one, and could be taken alone by it, does the previous board return.
    """
    if taken.bit_count() != 1 or board.near(at) & own:
        return 0
    return taken if board.near(at) & ~enemy == taken else 0


def _result(board: Board, after: State, seat: Seat) -> Result | None:
    """Return how the move of `seat` that led to `after` ended the game, or None."""
    assert after.last is not None  # noqa: S101 - a move was played
    if board.joins(board.chain(board.bits[after.last], after.stones[seat])):
        return Result((seat,), "connection")
    if not _can_move(board, after):
        return Result((seat,), "no_move")
    if not after.superko and _third_time(after):
        return Result((), "repetition")
    return None


def _can_move(board: Board, state: State) -> bool:
    empty = board.full & ~(state.stones[0] | state.stones[1])
    if not state.superko and empty & board.near(empty):
        return True  # a stone beside an empty point has a liberty, and ko is never there
    return bool(_legal(state))


def _third_time(state: State) -> bool:
    """Return whether this board has now come up three times with this side to move."""
    eks, ohs = state.stones
    if (eks | ohs).bit_count() == len(state.history) - 1:
        return False  # nothing was ever taken
    return state.history[::-2].count(state.history[-1]) >= 3


def _outside(board: Board, letter: str, quoted: str) -> str:
    last = COLUMNS[board.size - 1]
    missing = "; the letter I is left out" if last > "I" else ""
    if letter == "I":
        return (
            f"There is no column I: the letters go from H to J, so that I is not taken for 1. "
            f"Columns are A to {last}, rows 1 to {board.size}."
        )
    return f"{quoted} is outside the board: columns are A to {last}{missing}, rows 1 to {board.size}."


def _why_not(board: Board, state: State, name: str) -> str:
    """Return the sentence that says why no stone may be laid on the point `name`."""
    at = board.bits[name]
    seat = state.mover
    for owner, stones in enumerate(state.stones):
        if at & stones:
            whose = "your own" if owner == seat else "a"
            return f"{name} is occupied by {whose} stone ({Gonnect.info.signs[owner]})."
    if at == state.ko and not state.superko:
        return (
            f"{name} would retake {state.last} at once and repeat the previous position (ko); "
            f"play elsewhere first."
        )
    own, enemy = state.stones[seat] | at, state.stones[1 - seat]
    chain = board.chain(at, own)
    empty = board.full & ~(own | enemy)
    taken = board.taken(at, enemy, empty)
    if not taken and not board.near(chain) & empty:
        return f"{name} is suicide: {listing(board.listed(chain))} would have no liberty."
    return f"{name} would bring back an earlier position, which ko=superko forbids."


def _marks(state: State) -> tuple[Mark, ...]:
    """Return the marks; a winning chain is named last, so that it is shown whole."""
    if state.last is None:
        return ()
    board = board_of(state.size)
    marks = [Mark(name, MarkKind.CAPTURED) for name in board.listed(state.taken)]
    marks.append(Mark(state.last, MarkKind.LAST))
    if state.result and state.result.reason == "connection":
        chain = board.chain(board.bits[state.last], state.stones[state.result.winners[0]])
        marks += [Mark(name, MarkKind.WINNING) for name in board.listed(chain)]
    return tuple(marks)


game = Gonnect()
