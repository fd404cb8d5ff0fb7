"""A small battle of fleets: both hide two ships, and shoot in turn until one fleet is sunk."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

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

COLUMNS, ROWS = tuple("abcde"), tuple("54321")
POINTS = grid_points(COLUMNS, ROWS)
CELLS = tuple(point.name for point in POINTS)
_AT = {(point.column, point.row): point.name for point in POINTS}


def _ships(length: int) -> Iterator[tuple[str, ...]]:
    """Yield each place of a ship, as its cells from its upper or left end."""
    for (x, y), (dx, dy) in product(_AT, ((1, 0), (0, 1))):
        cells = [_AT.get((x + dx * n, y + dy * n)) for n in range(length)]
        if None not in cells:
            yield tuple(filter(None, cells))


FLEETS = {
    f"{long[0]}-{long[-1]},{short[0]}-{short[-1]}": frozenset((*long, *short))
    for long in _ships(3)
    for short in _ships(2)
    if not {*long} & {*short}
}
"""The cells of each fleet, by its notation: a ship of three and one of two."""


@dataclass(frozen=True, slots=True)
class State:
    """The fleets by seat, "" until they are placed, and the shots of each seat at the other."""

    fleets: tuple[str, str] = ("", "")
    shots: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def hits(self, seat: Seat) -> frozenset[str]:
        """Return the cells of the other fleet that the shots of `seat` have hit."""
        return FLEETS[self.fleets[1 - seat]] & {*self.shots[seat]}


class Fleet(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="fleet",
        title="Fleet",
        seats=("Ayes", "Bees"),
        signs=("", ""),
        summary="Hide two ships, and find those of the other.",
        reasons={"sunk": "the fleet of the loser is sunk"},
        example="a5-c5,e2-e1",
        sealed=True,
        hidden=True,
    )

    def start(self, setup: Setup) -> State:
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        if not all(state.fleets):
            return tuple(seat for seat in (0, 1) if not state.fleets[seat])
        return () if self.result(state) else (len(state.shots[0]) - len(state.shots[1]),)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat not in self.to_move(state):
            return iter(())
        if not state.fleets[seat]:
            return iter(FLEETS)
        return (cell for cell in CELLS if cell not in state.shots[seat])

    def play(self, state: State, seat: Seat, move: str) -> State:
        mine, other = (state.fleets if move in FLEETS else state.shots)[:: -1 if seat else 1]
        if move in FLEETS:
            return replace(state, fleets=(move, other)[:: -1 if seat else 1])
        return replace(state, shots=((*mine, move), other)[:: -1 if seat else 1])

    def announced(self, state: State, seat: Seat, move: str) -> str:
        return "(ships)" if move in FLEETS else move

    def result(self, state: State) -> Result | None:
        for seat in (0, 1) if all(state.fleets) else ():
            if len(state.hits(seat)) == 5:
                return Result((seat,), "sunk")
        return None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        looker = viewer.seat or 0
        hits = state.hits(looker) if all(state.fleets) else ()
        pieces = tuple(
            Piece(cell, "X" if cell in hits else "o", 1 - looker) for cell in state.shots[looker]
        )
        told = [f"Above: the shots of {self.info.seats[looker]}; X is a hit, o a miss."]
        for seat, side in enumerate(self.info.seats):
            if seat == viewer.seat or viewer.over or self.result(state):
                told.append(f"Ships of {side}: {state.fleets[seat] or 'to be placed'}.")
        if looker == viewer.seat and state.shots[1 - looker]:
            hit = sorted(state.hits(1 - looker)) if all(state.fleets) else ()
            told.append(f"Hit of yours: {' '.join(hit) or 'nothing'}.")
        return Diagram(COLUMNS, ROWS, POINTS, pieces, told=tuple(told))

    def resample(self, state: State, seat: Seat, chance: random.Random) -> State:
        """Return a position that `seat` cannot tell from this one."""
        other = 1 - seat
        if not state.fleets[other] or self.result(state):
            return state
        shots, hits = {*state.shots[seat]}, state.hits(seat) if all(state.fleets) else set()
        alike = [name for name, cells in FLEETS.items() if cells & shots == hits]
        fleets = (state.fleets[seat], chance.choice(alike))
        return replace(state, fleets=fleets[:: -1 if seat else 1])


game = Fleet()
