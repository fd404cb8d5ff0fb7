"""NOTWO'S, by Vincent Everaert: join your edges with stones that belong to nobody.

Notation: `b3,e5` places the two opening stones; `first` or `second` chooses a side; then
`c4` drops, `c4>c6` builds and `b3-e6` distributes. Seat 0 opens, seat 1 chooses, and the
seat that is now First moves next.
"""

from collections.abc import Iterator
from dataclasses import replace

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    Playout,
    Result,
    Seat,
    Setup,
    Viewer,
)

from . import reading
from .board import CELL, FIRST, NAMES, connected, joins
from .picture import picture
from .random_game import played_out
from .reading import SIDE_NAMES, SIDES
from .turns import State, legal_turns, moved, role_of, stock

_OPENINGS = tuple(f"{a},{b}" for n, a in enumerate(NAMES) for b in NAMES[n + 1 :])

_INFO = GameInfo(
    key="notwos",
    title="NOTWO'S",
    seats=("Placer", "Chooser"),
    signs=("", ""),
    summary="Join your two edges with common stones that stack, spread and vanish in twos.",
    reasons={
        "chain": "a chain of stones joins the winner's edges",
        "own_goal": "the loser's own turn joined the winner's edges",
        "own_goal_both": "the loser's own turn joined both pairs of edges",
        "no_move": "there is no legal turn left",
    },
    example="b3,e5",
    family="connection",
    credits="Vincent Everaert, 2000",
)


class Notwos(BaseGame[State, str]):
    """The rules; positions and turns are in turns.py, reading in reading.py."""

    info = _INFO

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.turn,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.reason or seat != state.turn:
            return iter(())
        if state.first is not None:
            return iter(legal_turns(state))
        return iter(SIDES if state.singles else _OPENINGS)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        opening: tuple[set[str], set[str]] = (set(), set())
        while state.first is None and longest:
            seat, turn = state.turn, chance.choice(SIDES if state.singles else _OPENINGS)
            opening[seat].add(turn)
            state, longest = self.play(state, seat, turn), longest - 1
        turns, worth = played_out(state, chance, longest)
        rest = Playout.by_turns(turns, state.turn, worth)
        return Playout(rest.worths, (opening[0] | rest.played[0], opening[1] | rest.played[1]))

    def example(self, state: State) -> str:
        if state.first is not None:
            return "c4"
        return SIDES[0] if state.singles else self.info.example

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:  # noqa: ARG002 - one to move
        return reading.read(state, text, typed)

    def play(self, state: State, seat: Seat, move: str) -> State:
        if state.first is not None:
            return _played(state, seat, move)
        if move in SIDES:
            first = seat if SIDES.index(move) == FIRST else 1 - seat
            return replace(state, first=first, turn=first, last=move)
        stones = 1 << CELL[move[:2]] | 1 << CELL[move[3:]]
        return State(singles=stones, turn=1 - seat, last=move)

    def result(self, state: State) -> Result | None:
        if state.reason is None:
            return None
        return Result(() if state.winner is None else (state.winner,), state.reason)

    def sides(self, state: State) -> tuple[str, ...]:
        if state.first is None:
            return self.info.seats
        return tuple(SIDE_NAMES[role_of(state, seat)] for seat in range(2))

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        return picture(state, self.info.seats)


def _played(state: State, seat: Seat, turn: str) -> State:
    """Return the position after a drop, build or distribution, with the result if it ends the game.

    The opponent's edges are checked first. If the side to move has no legal turn, the game is a
    draw. With a stone in stock there is always a drop, because 40 stones leave empty cells.
    """
    singles, stacks = moved(state, turn)
    after = State(singles, stacks, 1 - seat, state.first, turn)
    role = role_of(state, seat)
    # A drop can only have joined what it is connected to, which is mostly little.
    changed = connected(singles, 1 << CELL[turn]) if turn in CELL else singles
    mine = joins(changed, role)
    if joins(changed, 1 - role):
        return replace(after, winner=1 - seat, reason="own_goal_both" if mine else "own_goal")
    if mine:
        return replace(after, winner=seat, reason="chain")
    if not stock(after) and not legal_turns(after):
        return replace(after, reason="no_move")
    return after


game = Notwos()
