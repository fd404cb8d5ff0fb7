"""A race for three to six: a card each turn moves you on, and nobody may stop where another is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbm.engine import (
    CHANCE,
    PLAYERS,
    BaseGame,
    Chances,
    Diagram,
    GameInfo,
    Option,
    Piece,
    Result,
    Seat,
    Setup,
    Viewer,
    grid_points,
)

LENGTH = 12
COLUMNS = tuple("abcdefghijkl")
_THROWS: Chances = {"1": 1, "2": 1, "3": 1}


@dataclass(frozen=True, slots=True)
class State:
    """The place of each seat, whose turn it is, its throw or 0, and the seats that have left."""

    places: tuple[int, ...]
    turn: Seat = 0
    throw: int = 0
    left: tuple[Seat, ...] = ()

    def due(self) -> Seat:
        """Return the seat whose turn it is, or that of the next one that has not left."""
        seats = len(self.places)
        order = ((self.turn + n) % seats for n in range(seats))
        return next(seat for seat in order if seat not in self.left)


class Lap(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="lap",
        title="Lap",
        seats=("Red", "Blue", "Green", "White", "Yellow", "Black"),
        signs=("r", "b", "g", "w", "y", "k"),
        summary="Throw, and run or wait; the first at the end of the track wins.",
        reasons={"home": "the end of the track is reached"},
        example="run",
        options=(Option(PLAYERS, "3", tuple("3456"), "how many race"),),
        chance=True,
    )

    def start(self, setup: Setup) -> State:
        return State((0,) * self.info.players(setup))

    def sides(self, state: State) -> tuple[str, ...]:
        return self.info.seats[: len(state.places)]

    def to_move(self, state: State) -> tuple[Seat, ...]:
        if self.result(state):
            return ()
        return (state.due(),) if state.throw else (CHANCE,)

    def chances(self, state: State) -> Chances:
        return _THROWS

    def draw(self, state: State, outcome: str) -> State:
        return replace(state, throw=int(outcome), turn=state.due())

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        return iter(("run", "wait") if (seat,) == self.to_move(state) else ())

    def play(self, state: State, seat: Seat, move: str) -> State:
        places = list(state.places)
        if move == "run":
            places[seat] = min(LENGTH - 1, places[seat] + state.throw)
            # Who is met goes back to the start.
            met = [s for s, at in enumerate(places) if s != seat and 0 < at == places[seat]]
            places = [0 if s in met else at for s, at in enumerate(places)]
        return replace(state, places=tuple(places), turn=(seat + 1) % len(places), throw=0)

    def result(self, state: State) -> Result | None:
        if LENGTH - 1 not in state.places:
            return None
        # Who has left comes after all others, the first of them last.
        left = {seat: order - LENGTH for order, seat in enumerate(state.left)}
        return Result.ranked([left.get(seat, at) for seat, at in enumerate(state.places)], "home")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        signs, rows = self.info.signs, tuple("654321"[-len(state.places) :])
        pieces = tuple(
            Piece(f"{COLUMNS[at]}{rows[seat]}", signs[seat], seat)
            for seat, at in enumerate(state.places)
            if seat not in state.left
        )
        due = f"The throw of {self.info.seats[state.due()]}: {state.throw}."
        told = () if self.result(state) else (due,)
        return Diagram(COLUMNS, rows, grid_points(COLUMNS, rows), pieces, told=told)


game = Lap()
