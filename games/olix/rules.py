"""OLIX, by Reiner Knizia: make an O, an L, an I or an X, as large as you can.

Notation: a cell, `f6`, places a stone; `count` offers to count the points, or accepts.
"""

from collections.abc import Iterator

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    IllegalMoveError,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
)

from .patterns import CELL, SQUARES, points
from .picture import picture
from .positions import (
    AT_ONCE,
    COUNT,
    STONES,
    State,
    after_count,
    after_stone,
    empty,
    stones_left,
)
from .random_game import play_on

READER = PointReader(
    CELL,
    "cannot be read; a move is a cell, such as f6, or the word count",
    words=("place", "put", "drop", "play"),
    noun="cell",
    most=1,
)
_INFO = GameInfo(
    key="olix",
    title="OLIX",
    seats=("Black", "White"),
    signs=("x", "o"),
    summary="Build rectangles, angles, rows and diagonals; the larger of each kind counts.",
    reasons={
        "o": "an O of ten stones or more",
        "l": "an L of nine stones or more",
        "i": "an I of eight stones or more",
        "x": "an X of eight stones or more",
        "stalemate": "more points when neither player could still raise a value",
        "stones_used": "more points when all stones had been used",
        "agreed": "more points when both agreed to count",
        "equal": "the points of both are equal",
    },
    example="f6",
    family="lines and patterns",
    credits="Reiner Knizia, 1998",
)


class Olix(BaseGame[State, str]):
    """The rules; what stones are worth is in patterns.py."""

    info = _INFO

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.turn,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        """Yield every empty cell, while there are stones in hand, and `count`, always open."""
        if state.reason or seat != state.turn:
            return iter(())
        free = empty(state) if stones_left(state, seat) else 0
        return iter([*(name for square, name in SQUARES if free & square), COUNT])

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        moves, winner = play_on(state, chance, longest)
        return Playout.by_turns(moves, state.turn, Playout.worth_of(winner))

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        """Return the legal move that `text` means; the errors say which rule forbids it."""
        if typed == COUNT:
            return COUNT
        (name,) = READER.named(text, typed).points
        if not stones_left(state, seat):
            raise IllegalMoveError(
                f"All your {STONES} stones are on the board; the only move left to you is count."
            )
        for owner, stones in zip(self.info.seats, state.stones, strict=True):
            if stones >> CELL[name] & 1:
                raise IllegalMoveError(
                    f"A stone goes on an empty cell; on {name} there is one of {owner}."
                )
        return name

    def play(self, state: State, seat: Seat, move: str) -> State:
        return after_count(state, seat) if move == COUNT else after_stone(state, seat, move)

    def result(self, state: State) -> Result | None:
        if state.reason is None:
            return None
        scores = None if state.reason in AT_ONCE else points(state.values)
        return Result(() if state.winner is None else (state.winner,), state.reason, scores)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        return picture(state, self.result(state), self.info.seats, self.info.signs)


game = Olix()
