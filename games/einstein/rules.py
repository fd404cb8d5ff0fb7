"""EinStein wuerfelt nicht, by Ingo Althoefer: a race from corner to corner that a die slows down.

Notation: `b4-c3` moves the stone on b4 to c3, and the log adds the throw for the next turn:
`b4-c3 [5]`. Red begins in the upper left corner and Blue in the lower right one; how their stones
lie there is drawn, as the order of the numbers along the points of HOMES.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from pbm.engine import (
    CHANCE,
    BaseGame,
    Chances,
    Diagram,
    GameInfo,
    IllegalMoveError,
    Mark,
    MarkKind,
    Piece,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    grid_points,
    listing,
    quote,
)

COLUMNS, ROWS = tuple("abcde"), tuple("54321")
POINTS = grid_points(COLUMNS, ROWS)
NUMBERS = (1, 2, 3, 4, 5, 6)
SIGNS = ("123456", "ABCDEF")
HOMES = (("a5", "b5", "c5", "a4", "b4", "a3"), ("e1", "d1", "c1", "e2", "d2", "e3"))
GOALS = (HOMES[1][0], HOMES[0][0])

_ORDERS: Chances = {"".join(map(str, order)): 1 for order in permutations(NUMBERS)}
_THROWS: Chances = {str(number): 1 for number in NUMBERS}
_AT = {(point.column, point.row): point.name for point in POINTS}
_STEPS = tuple(
    {
        p.name: tuple(
            _AT[to]
            for to in ((p.column + d, p.row), (p.column, p.row + d), (p.column + d, p.row + d))
            if to in _AT
        )
        for p in POINTS
    }
    for d in (1, -1)
)
"""For each seat the points to which a stone can go from each point."""


@dataclass(frozen=True, slots=True)
class State:
    """A position: for each seat the places of its stones by number, once they are dealt.

    The place of a stone that is gone is "". `die` is the throw for the seat to move, 0 before it.
    `last` is the last move.
    """

    stones: tuple[tuple[str, ...], ...] = ()
    turn: Seat = 0
    die: int = 0
    last: str = ""


def _is_dealt(state: State) -> bool:
    return len(state.stones) == len(HOMES)


def movable(state: State) -> tuple[int, ...]:
    """Return the numbers that may move: the one thrown, or its next neighbours if it is gone."""
    there = [n for n in NUMBERS if state.stones[state.turn][n - 1]]
    if state.die in there:
        return (state.die,)
    lower, higher = [n for n in there if n < state.die], [n for n in there if n > state.die]
    return (*lower[-1:], *higher[:1])


class Einstein(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="einstein",
        title="EinStein wuerfelt nicht",
        seats=("Red", "Blue"),
        signs=("1", "A"),
        summary="Bring a stone to the far corner; a die says which stone may move.",
        reasons={
            "corner": "a stone has reached the opposite corner",
            "captured": "no stone of the loser is left",
        },
        example="b4-c3",
        aliases=("ewn",),
        family="race",
        credits="Ingo Althoefer, 2004",
        chance=True,
    )

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        if self.result(state):
            return ()
        return (state.turn,) if state.die else (CHANCE,)

    def chances(self, state: State) -> Chances:
        return _THROWS if _is_dealt(state) else _ORDERS

    def draw(self, state: State, outcome: str) -> State:
        if _is_dealt(state):
            return replace(state, die=int(outcome))
        home = HOMES[len(state.stones)]
        placed = tuple(home[outcome.index(str(number))] for number in NUMBERS)
        return replace(state, stones=(*state.stones, placed))

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if self.to_move(state) != (seat,):
            return
        for number in movable(state):
            start = state.stones[seat][number - 1]
            yield from (f"{start}-{end}" for end in _STEPS[seat][start])

    def example(self, state: State) -> str:
        return next(self.legal_moves(state, state.turn), self.info.example)

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        points = _READER.named(text, typed).points
        _READER.ask(points, self.legal_moves(state, seat))
        start, *ends = points
        numbers = movable(state)
        mine = {state.stones[seat][number - 1]: number for number in NUMBERS}
        if start not in mine:
            raise IllegalMoveError(f"You have no stone on {start}.")
        if mine[start] not in numbers:
            gone = ":" if state.die in numbers else ", which is gone, so"
            may = listing([f"{n} on {state.stones[seat][n - 1]}" for n in numbers])
            raise IllegalMoveError(
                f"The die shows {state.die}{gone} you can move {may}. "
                f"On {start} is your {mine[start]}."
            )
        if len(ends) != 1 or ends[0] not in _STEPS[seat][start]:
            where = listing(_STEPS[seat][start])
            raise IllegalMoveError(f"{quote(text)} is no step: from {start} you can go to {where}.")
        return f"{start}-{ends[0]}"

    def play(self, state: State, seat: Seat, move: str) -> State:
        start, _, end = move.partition("-")
        stones = tuple(
            tuple("" if place == end else end if place == start else place for place in row)
            for row in state.stones
        )
        return State(stones, 1 - seat, 0, move)

    def result(self, state: State) -> Result | None:
        for seat in (0, 1) if _is_dealt(state) else ():
            if GOALS[seat] in state.stones[seat]:
                return Result((seat,), "corner")
            if not any(state.stones[1 - seat]):
                return Result((seat,), "captured")
        return None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        pieces = tuple(
            Piece(at, sign, seat)
            for seat, row in enumerate(state.stones)
            for at, sign in zip(row, SIGNS[seat], strict=True)
            if at
        )
        kind = MarkKind.LAST if self.to_move(state) else MarkKind.WINNING
        marks = tuple(Mark(at, kind) for at in state.last.split("-")[1:])
        return Diagram(COLUMNS, ROWS, POINTS, pieces, marks=marks, told=self._told(state))

    def _told(self, state: State) -> tuple[str, ...]:
        goals = f"Red goes to {GOALS[0]}, Blue to {GOALS[1]}. Blue's A to F are 1 to 6."
        if not state.die:
            return (goals,)
        signs = listing(SIGNS[state.turn][number - 1] for number in movable(state))
        return (goals, f"The die shows {state.die}: {self.info.seats[state.turn]} moves {signs}.")


_READER = PointReader(
    (point.name for point in POINTS),
    f"cannot be read; a move looks like {Einstein.info.example}",
    piece="stone",
)

game = Einstein()
