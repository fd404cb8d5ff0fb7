"""Noughts and crosses, the smallest real game, which the engine's own tests play."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbm.engine import (
    BaseGame,
    Diagram,
    GameInfo,
    Mark,
    MarkKind,
    Option,
    Piece,
    Result,
    Seat,
    Setup,
    Viewer,
    grid_points,
)

CELLS = tuple(f"{x}{y}" for y in "321" for x in "abc")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class State:
    cells: str = "." * 9
    last: str | None = None
    misere: bool = False


class Noughts(BaseGame[State, str]):
    info = GameInfo(
        key="noughts",
        title="Noughts and Crosses",
        seats=("Cross", "Nought"),
        signs=("x", "o"),
        summary="Three in a row.",
        reasons={"row": "three in a row", "full": "the board is full"},
        example="b2",
        options=(Option("misere", "no", ("no", "yes"), "three in a row loses"),),
        swap_after=1,
    )

    def start(self, setup: Setup) -> State:
        return State(misere=setup["misere"] == "yes")

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if self.result(state) else ((9 - state.cells.count(".")) % 2,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat in self.to_move(state):
            yield from (name for name, sign in zip(CELLS, state.cells, strict=True) if sign == ".")

    def play(self, state: State, seat: Seat, move: str) -> State:
        at = CELLS.index(move)
        cells = state.cells[:at] + "xo"[seat] + state.cells[at + 1 :]
        return replace(state, cells=cells, last=move)

    def result(self, state: State) -> Result | None:
        cells = state.cells
        for seat, sign in enumerate("xo"):
            if any(cells[a] == cells[b] == cells[c] == sign for a, b, c in LINES):
                return Result((1 - seat if state.misere else seat,), "row")
        return None if "." in cells else Result((), "full")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        columns, rows = tuple("abc"), tuple("321")
        return Diagram(
            columns,
            rows,
            grid_points(columns, rows),
            tuple(
                Piece(name, sign, "xo".index(sign))
                for name, sign in zip(CELLS, state.cells, strict=True)
                if sign != "."
            ),
            marks=(Mark(state.last, MarkKind.LAST),) if state.last else (),
        )


game = Noughts()
