"""Rock, paper, scissors: both choose at the same time, and three rounds won win the match."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbm.engine import (
    BaseGame,
    Diagram,
    GameInfo,
    Piece,
    Result,
    Seat,
    Setup,
    Viewer,
    grid_points,
)

SHAPES = ("rock", "paper", "scissors")
"""Each beats the one before it, and rock beats scissors."""

WINS = 3
POINTS = grid_points(tuple("12345"), ("A", "B"))
SIGNS = {"rock": "R", "paper": "P", "scissors": "S"}


@dataclass(frozen=True, slots=True)
class State:
    """The rounds that both have played, and what one has chosen for the next, by seat, or ""."""

    rounds: tuple[tuple[str, str], ...] = ()
    chosen: tuple[str, str] = ("", "")

    def won(self, seat: Seat) -> int:
        """Return how many rounds the seat has won."""
        beats = ((SHAPES.index(r[seat]) - SHAPES.index(r[1 - seat])) % 3 == 1 for r in self.rounds)
        return sum(beats)


class RockPaperScissors(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="rps",
        title="Roshambo",
        seats=("Ayes", "Bees"),
        signs=("", ""),
        summary="Choose a shape at the same time as the other; three rounds won win.",
        reasons={"rounds": "three rounds are won"},
        example="rock",
        sealed=True,
    )

    def start(self, setup: Setup) -> State:
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        if self.result(state):
            return ()
        return tuple(seat for seat in (0, 1) if not state.chosen[seat])

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        return iter(SHAPES if seat in self.to_move(state) else ())

    def play(self, state: State, seat: Seat, move: str) -> State:
        both = (move, state.chosen[1]) if seat == 0 else (state.chosen[0], move)
        return State((*state.rounds, both)) if all(both) else replace(state, chosen=both)

    def result(self, state: State) -> Result | None:
        points = state.won(0), state.won(1)
        return Result((points.index(WINS),), "rounds", points) if WINS in points else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        last = state.rounds[-5:]
        pieces = tuple(
            Piece(f"{place}{'AB'[seat]}", SIGNS[each[seat]], seat)
            for place, each in enumerate(last, 1)
            for seat in (0, 1)
        )
        points = f"Rounds won: Ayes {state.won(0)}, Bees {state.won(1)}, of {len(state.rounds)}."
        return Diagram(tuple("12345"), ("A", "B"), POINTS, pieces, told=(points,))


game = RockPaperScissors()
