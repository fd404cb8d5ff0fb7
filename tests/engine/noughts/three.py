"""Noughts and crosses for three, the smallest game for more than two."""

from dataclasses import replace

from pbm.engine import Diagram, Piece, Result, Seat, Viewer
from tests.engine.noughts import CELLS, LINES, Noughts, State
from tests.engine.noughts import game as for_two

SIGNS = "xod"


class Three(Noughts):
    info = replace(
        for_two.info,
        key="three",
        title="Three",
        seats=("Cross", "Nought", "Delta"),
        signs=tuple(SIGNS),
        swap_after=None,
    )

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if self.result(state) else ((9 - state.cells.count(".")) % 3,)

    def play(self, state: State, seat: Seat, move: str) -> State:
        at = CELLS.index(move)
        cells = state.cells[:at] + SIGNS[seat] + state.cells[at + 1 :]
        return replace(state, cells=cells, last=move)

    def result(self, state: State) -> Result | None:
        for seat, sign in enumerate(SIGNS):
            if any(all(state.cells[at] == sign for at in line) for line in LINES):
                return Result((seat,), "row")
        return None if "." in state.cells else Result((), "full")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        taken = [(at, sign) for at, sign in zip(CELLS, state.cells, strict=True) if sign != "."]
        empty = super().diagram(State(last=state.last), viewer)
        return replace(empty, pieces=tuple(Piece(at, s, SIGNS.index(s)) for at, s in taken))


game = Three()
