"""Random games of Go: both lay stones until only eyes are left.

An own eye is never filled: an empty point all of whose neighbours are own stones, and not more than
one diagonal neighbour is not, at an edge none. Of the repetitions only a simple ko is looked for.
"""

from collections.abc import Mapping
from functools import cache
from operator import or_

from pbm.engine import Cells, Chance, Grid, Seat

from .position import State, komi

PASSED = ""
"""A pass in the moves of a random game; it says nothing about how good a pass is now."""


class _Play:
    """A position in the course of a random game: `own` are the stones of the side to move.

    `free` has the empty points in any order, and `ko` is the one that simple ko bars now.
    """

    __slots__ = ("around", "empty", "free", "grid", "ko", "other", "own")

    def __init__(self, state: State) -> None:
        self.grid, self.around = state.grid, _around(state.grid)
        self.own, self.other = state.stones[state.mover], state.stones[1 - state.mover]
        self.empty, self.ko = state.empty, 0
        self.free = [self.grid.at[name] for name in self.grid.named(state.empty)]

    def turn(self, chance: Chance) -> Cells:
        """Lay a random stone and return its point, or pass and return 0."""
        free, left = self.free, len(self.free)
        while left:
            drawn = int(chance.random() * left)
            at, left = free[drawn], left - 1
            free[drawn], free[left] = free[left], at  # what was drawn in vain lies behind the rest
            beside, slanted, spare = self.around[at]
            enemies, is_open = beside & self.other, beside & self.empty
            if not enemies and not is_open and (slanted & ~self.own).bit_count() <= spare:
                continue  # an eye
            taken = 0
            if enemies or not is_open:
                breathing = self.grid.near(self.empty ^ at)
                taken = self._taken(enemies & ~breathing, breathing)
                if not is_open and (at == self.ko or not (taken or self._breathes(at, breathing))):
                    continue
            free[left] = free[-1]
            free.pop()
            self._lay(at, beside, taken)
            return at
        self.own, self.other, self.ko = self.other, self.own, 0
        return 0

    def _taken(self, touched: Cells, breathing: Cells) -> Cells:
        """Return those chains of the other side, of stones `touched`, that have no liberty."""
        taken = 0
        while touched:
            chain = _choked(self.grid, touched & -touched, self.other, breathing)
            taken |= chain
            touched &= touched - 1
            touched &= ~chain
        return taken

    def _breathes(self, at: Cells, breathing: Cells) -> bool:
        """Return whether a stone on `at` is part of a chain with a liberty."""
        return not _choked(self.grid, at, self.own | at, breathing)

    def _lay(self, at: Cells, beside: Cells, taken: Cells) -> None:
        """Lay a stone, take what it takes, and give the turn to the other side."""
        other = self.other ^ taken
        self.empty ^= at | taken
        if taken:
            self.free += map(self.grid.at.__getitem__, self.grid.named(taken))
        # One stone that took one, and whose only liberty is there, may not be taken back at once.
        self.ko = taken if taken.bit_count() == 1 and beside & ~other == taken else 0
        self.own, self.other = other, self.own | at


def _choked(grid: Grid, seed: Cells, stones: Cells, breathing: Cells) -> Cells:
    """Return the chain of `stones` around `seed` if none of it is among the `breathing` points.

    It is 0 otherwise; unlike that of the board, this search ends at the first liberty.
    """
    grown, wider = 0, seed
    while wider != grown:
        if wider & breathing:
            return 0
        grown = wider
        wider |= grid.near(grown) & stones
    return grown


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the moves of both, `longest` at most, and who wins; None if nobody does by then."""
    play, grid = _Play(state), state.grid
    names = _names(grid)
    moves: list[str] = []
    while moves[-2:] != [PASSED, PASSED]:
        if len(moves) >= longest:
            return moves, None
        moves.append(names[play.turn(chance)])
    sides = (play.own, play.other) if state.mover == len(moves) % 2 else (play.other, play.own)
    black, white = map(or_, sides, grid.territory(sides))
    return moves, int(white.bit_count() + komi(state) >= black.bit_count())


@cache
def _names(grid: Grid) -> Mapping[Cells, str]:
    return {0: PASSED} | {at: name for name, at in grid.at.items()}


@cache
def _around(grid: Grid) -> Mapping[Cells, tuple[Cells, Cells, int]]:
    """Return for each point its neighbours, the diagonal ones, and how many of those are spare."""
    return {
        at: (grid.near(at), grid.diagonal(at), int(grid.diagonal(at).bit_count() == 4))
        for at in grid.at.values()
    }
