"""Reversi (1883), as it is played today: discs between two of yours are turned over.

A move is the name of the cell where a disc is laid, column letter and row number: `d3`. Rows count
from the top. A side that cannot turn a disc over misses its turn by itself.
"""

from collections.abc import Iterator

from pbm.engine import (
    BaseGame,
    Cells,
    Diagram,
    GameInfo,
    IllegalMoveError,
    MarkKind,
    Result,
    Seat,
    Setup,
    Viewer,
    frozen,
    reader,
    square,
)

GRID = square(8)


@frozen
class State:
    """A position: the discs of each seat, the cell of the last one, and the seat to move or -1."""

    stones: tuple[Cells, Cells]
    mover: Seat = 0
    last: str = ""


class Reversi(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="reversi",
        title="Reversi",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Turn over the discs between two of yours; more discs at the end win.",
        reasons={"more": "more discs when nobody could move", "equal": "both have as many discs"},
        example="d3",
        family="territory",
        credits="Lewis Waterman and John Mollett, 1883; the first four discs as since 1971",
    )

    def start(self, setup: Setup) -> State:
        del setup  # there are no options
        return State((GRID.at["e4"] | GRID.at["d5"], GRID.at["d4"] | GRID.at["e5"]))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.mover < 0 else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        is_due = seat == state.mover
        own, other = state.stones[seat], state.stones[1 - seat]
        return iter(GRID.named(GRID.flanking(own, other)) if is_due else ())

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        (name,) = reader(GRID).named(text, typed).points
        own, other = state.stones[seat], state.stones[1 - seat]
        if GRID.at[name] & (own | other):
            raise IllegalMoveError(f"There is already a disc on {name}.")
        if not GRID.flanked(GRID.at[name], own, other):
            side = self.info.seats[1 - seat]
            raise IllegalMoveError(
                f"{name} turns no disc over: in no direction is there a line of {side}'s discs "
                "with one of yours behind it."
            )
        return name

    def play(self, state: State, seat: Seat, move: str) -> State:
        own, other = after(state.stones[seat], state.stones[1 - seat], GRID.at[move])
        stones = (other, own) if seat else (own, other)
        return State(stones, _next(seat, own, other), move)

    def result(self, state: State) -> Result | None:
        if state.mover >= 0:
            return None
        black, white = scores = (state.stones[0].bit_count(), state.stones[1].bit_count())
        if black == white:
            return Result((), "equal", scores)
        return Result((int(white > black),), "more", scores)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        seats, signs = self.info.seats, self.info.signs
        black, white = map(int.bit_count, state.stones)
        told = [f"{seats[0]} ({signs[0]}) has {black}, {seats[1]} ({signs[1]}) {white}."]
        last = GRID.at.get(state.last, 0)
        if state.mover >= 0 and last & state.stones[state.mover]:
            told.append(f"{seats[1 - state.mover]} cannot move, so {seats[state.mover]} goes on.")
        return GRID.diagram(state.stones, signs, ((last, MarkKind.LAST),), tuple(told))


def after(own: Cells, other: Cells, at: Cells) -> tuple[Cells, Cells]:
    """Return the discs of both once the side of `own` has laid one on `at`."""
    turned = GRID.flanked(at, own, other)
    return own | at | turned, other & ~turned


def _next(seat: Seat, own: Cells, other: Cells) -> Seat:
    """Return the seat to move after `seat`, whose discs are `own`; -1 if nobody can."""
    if GRID.flanking(other, own):
        return 1 - seat
    return seat if GRID.flanking(own, other) else -1


game = Reversi()
