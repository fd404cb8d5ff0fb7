"""The Power of Two: a slide, a new piece for each neighbour met, and the ageing that follows.

A turn is written `m13-j7`, or with its placements `m13-m5:l4`, `a13-c11:a13,d10`, sorted by
letter, then by number. Points run from a1 (top left) to m13 (bottom right).
"""

from collections.abc import Iterator

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    Option,
    Playout,
    Result,
    Seat,
    Setup,
    Viewer,
)

from . import picture, position, reading
from .position import ALL_16, NO_MOVE, SIDES, State
from .random_game import played_out


class PowerOfTwo(BaseGame[State, str]):
    """The game; a move is its canonical notation."""

    info = GameInfo(
        key="pow2",
        title="The Power of Two",
        seats=SIDES,
        signs=("o", "x"),
        summary="Bring all sixteen of your pieces onto the board; pieces that you meet add more.",
        reasons={
            ALL_16: "all sixteen pieces are on the board",
            NO_MOVE: "the opponent cannot move",
        },
        example="m13-j7",
        aliases=("power_of_two",),
        options=(
            Option("exact", "no", ("no", "yes"), "a turn must place a piece for each neighbour"),
            Option("noborder", "no", ("no", "yes"), "no slide along the four outer edges"),
        ),
        styles=picture.STYLES,
        family="race",
        credits="Arthur Blumberg; published by Kadon Enterprises",
    )

    def start(self, setup: Setup) -> State:
        exact, noborder = (setup[option] == "yes" for option in ("exact", "noborder"))
        return State(position.CORNERS, exact=exact, noborder=noborder)

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.ended else (state.seat,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        return position.turns(state) if seat in self.to_move(state) else iter(())

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random, or an estimate where it is left."""
        turns, worth = played_out(state, chance, longest)
        return Playout.by_turns(turns, state.seat, worth)

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:  # noqa: ARG002 - one to move
        return reading.read(state, text, typed)

    def play(self, state: State, seat: Seat, move: str) -> State:  # noqa: ARG002 - one to move
        return position.after(state, move)

    def result(self, state: State) -> Result | None:
        return Result((1 - state.seat,), state.ended) if state.ended else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        """Return the board as data, with the small plate if asked for, else the large one."""
        return picture.diagram(state, viewer.style if viewer.style in self.info.styles else "large")


game = PowerOfTwo()
