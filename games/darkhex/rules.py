"""Dark Hex: who names a cell where the other side has a stone sees that stone, and moves again.

A move is the name of a cell, column letter and row number: `c3`. Others are told that it was played
or refused, not where. Source of the rules: the classical version of OpenSpiel's `dark_hex`, in
which both sides know how often each has moved. There is no pie rule: it would give away the stone.
"""

from collections.abc import Iterator
from dataclasses import replace

from pbm.engine import (
    BaseGame,
    Cells,
    Chance,
    Diagram,
    GameInfo,
    Grid,
    IllegalMoveError,
    MarkKind,
    Option,
    Result,
    Seat,
    Setup,
    Viewer,
    counted,
    frozen,
    reader,
    rhombus,
)

SIZES = tuple(str(size) for size in range(5, 12))


@frozen
class State:
    """A position: the stones of each seat, and those of the other side that each has run into.

    `last` is the cell that was named last, and `won` says whether its stone joined two edges.
    """

    size: int
    stones: tuple[Cells, Cells] = (0, 0)
    found: tuple[Cells, Cells] = (0, 0)
    last: str = ""
    won: bool = False

    @property
    def grid(self) -> Grid:
        """The board."""
        return rhombus(self.size)

    @property
    def mover(self) -> Seat:
        """The seat to move, if the game is not over."""
        return (self.stones[0] | self.stones[1]).bit_count() % 2

    @property
    def refused(self) -> bool:
        """Whether the last move ran into a stone, so that the same seat moves again."""
        return bool(self.grid.at.get(self.last, 0) & self.found[self.mover])

    @property
    def actor(self) -> Seat:
        """The seat of the last move."""
        return self.mover if self.refused else 1 - self.mover


class DarkHex(BaseGame[State, str]):
    """The rules, for every size of board."""

    info = GameInfo(
        key="darkhex",
        title="Dark Hex",
        seats=("Vertical", "Horizontal"),
        signs=("x", "o"),
        summary="Join your two edges, as in Hex, without seeing the other side's stones.",
        reasons={"chain": "a chain joins two opposite edges"},
        example="c3",
        options=(Option("size", "7", SIZES, "cells on an edge"),),
        family="connection",
        credits="Hex by Piet Hein, 1942; a referee as in Kriegspiel, by Henry Temple, 1899",
        first={"size": "5"},
        hidden=True,
    )

    def start(self, setup: Setup) -> State:
        return State(int(setup["size"]))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.won else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        unknown = state.grid.full & ~(state.stones[seat] | state.found[seat])
        return iter(state.grid.named(unknown) if seat in self.to_move(state) else ())

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        (name,) = reader(state.grid).named(text, typed).points
        if state.grid.at[name] & state.stones[seat]:
            raise IllegalMoveError(f"You have a stone on {name} already.")
        if state.grid.at[name] & state.found[seat]:
            side = self.info.seats[1 - seat]
            raise IllegalMoveError(f"You know that {side} has a stone on {name}.")
        return name

    def play(self, state: State, seat: Seat, move: str) -> State:
        at, other = state.grid.at[move], state.stones[1 - seat]
        if at & other:
            found = _by_seat(seat, state.found[seat] | at, state.found[1 - seat])
            return replace(state, found=found, last=move)
        own = state.stones[seat] | at
        won = _joins(state.grid, seat, own)
        return replace(state, stones=_by_seat(seat, own, other), last=move, won=won)

    def announced(self, state: State, seat: Seat, move: str) -> str:
        return "(refused)" if state.grid.at[move] & state.stones[1 - seat] else "(stone)"

    def result(self, state: State) -> Result | None:
        return Result((state.actor,), "chain") if state.won else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        grid, seat, marks = state.grid, viewer.seat, []
        if state.last and (state.won or viewer.over or seat == state.actor):
            marks.append((grid.at[state.last], MarkKind.LAST))
        if state.won:
            shown = state.stones
            chain = grid.chain(grid.at[state.last], shown[state.actor])
            marks.append((chain, MarkKind.WINNING))
        elif viewer.over:
            shown = state.stones
        elif seat is None:
            shown = (0, 0)
        else:
            shown = _by_seat(seat, state.stones[seat], state.found[seat])
        return grid.diagram(shown, self.info.signs, marks, tuple(self._told(state, viewer)))

    def _told(self, state: State, viewer: Viewer) -> Iterator[str]:
        """Yield the sentences below the board."""
        seat = viewer.seat
        sides, last = self.info.seats, state.grid.columns[-1]
        yield f"Vertical (x) joins row 1 to row {state.size},"
        yield f"Horizontal (o) column a to column {last}."
        if state.won or viewer.over:
            return
        if seat is None:
            one, other = (stones.bit_count() for stones in state.stones)
            yield f"Vertical has {counted(one, 'stone')}, Horizontal has {other}."
            yield "They are shown once a chain is complete."
        else:
            found, number = state.found[seat].bit_count(), state.stones[1 - seat].bit_count()
            yield f"{sides[1 - seat]} has {counted(number, 'stone')}; you have found {found}."
        if state.refused and seat == state.mover:
            yield f"There is one on {state.last}, so you move again."
        elif state.refused:
            yield f"{sides[state.mover]} ran into a stone and moves again."

    def resample(self, state: State, seat: Seat, chance: Chance) -> State:
        """Return a position that `seat` cannot tell from this one."""
        if state.won:
            return state
        grid, own, known = state.grid, state.stones[seat], state.found[seat]
        number = (state.stones[1 - seat] & ~known).bit_count()
        while True:
            unseen = _some(grid, grid.full & ~(own | known), number, chance)
            if not _joins(grid, 1 - seat, known | unseen):
                break
        last = state.last
        # A stone that was laid just now has not been run into.
        older = own if state.refused else own & ~grid.at.get(last, 0)
        found = _some(grid, older, state.found[1 - seat].bit_count(), chance)
        if last and state.actor != seat:
            last = chance.choice(grid.named(found if state.refused else unseen))
        stones, both = _by_seat(seat, own, known | unseen), _by_seat(seat, known, found)
        return replace(state, stones=stones, found=both, last=last)


def _joins(grid: Grid, seat: Seat, stones: Cells) -> bool:
    """Return whether the stones join top and bottom, for Vertical, or left and right."""
    return grid.joins(stones, grid.edges[seat], grid.edges[seat + 2])


def _by_seat(seat: Seat, own: Cells, other: Cells) -> tuple[Cells, Cells]:
    return (other, own) if seat else (own, other)


def _some(grid: Grid, cells: Cells, number: int, chance: Chance) -> Cells:
    """Return so many of the cells, each as likely."""
    drawn = sorted(grid.named(cells), key=lambda _: chance.random())[:number]
    return sum(map(grid.at.__getitem__, drawn))


game = DarkHex()
