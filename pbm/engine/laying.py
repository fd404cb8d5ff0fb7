"""Games in which both sides in turn lay a stone on a free cell, and stones never go away.

Such a game, like Hex or Gomoku, is a `LayingGame` with a board and the test `won`.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from operator import or_

from pbm.engine.diagram import Diagram, MarkKind
from pbm.engine.errors import IllegalMoveError
from pbm.engine.game import BaseGame
from pbm.engine.grid import Cells, Grid, reader
from pbm.engine.optional import Chance, Playout
from pbm.engine.types import Result, Seat, Setup, Viewer, frozen

FULL = "full"
"""The reason of a draw: every cell has a stone."""


@frozen
class Laid:
    """A position: the stones of each seat, the cell of the last one, and why it ended the game."""

    size: int
    stones: tuple[Cells, Cells] = (0, 0)
    last: str = ""
    reason: str = ""

    @property
    def mover(self) -> Seat:
        """The seat to move, if the game is not over."""
        return (self.stones[0] | self.stones[1]).bit_count() % 2


class LayingGame(BaseGame[Laid, str]):
    """The parts that these games share; a move is the name of a cell.

    A subclass has `info`, with an option `size`, and writes `grid` and `won`. Where the board can
    be full without a winner, `info.reasons` has "full".
    """

    state_type = Laid
    on_lines = False
    """Whether stones lie on the crossings of lines."""

    def grid(self, size: int) -> Grid:
        """Return the board of that size, the same object each time."""
        raise NotImplementedError

    def won(self, grid: Grid, seat: Seat, stones: Cells, at: Cells) -> str:
        """Return the reason for which `stones` have won for `seat`, or "".

        One of `at`, which are some of the stones, was the last; more stones never undo a win.
        """
        raise NotImplementedError

    def deciding(self, grid: Grid, stones: Cells, at: Cells) -> Cells:
        """Return the stones that decided the game, the last of which is `at`: its chain."""
        return grid.chain(at, stones)

    def told(self, state: Laid) -> tuple[str, ...]:
        """Return the sentences below the board, of up to 66 characters each: none."""
        del state
        return ()

    def start(self, setup: Setup) -> Laid:
        """Return the empty board."""
        return Laid(int(setup["size"]))

    def to_move(self, state: Laid) -> tuple[Seat, ...]:
        """Return the seat to move, alone; the seats alternate."""
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: Laid, seat: Seat) -> Iterator[str]:
        """Yield the free cells, row by row from the top."""
        grid = self.grid(state.size)
        is_due = not state.reason and seat == state.mover
        return iter(grid.named(_free(grid, state)) if is_due else ())

    def read(self, state: Laid, seat: Seat, text: str, typed: str) -> str:
        """Return the free cell that `text` names, or raise a MoveError that says why not."""
        grid = self.grid(state.size)
        (name,) = reader(grid).named(text, typed).points
        for owner, stones in enumerate(state.stones):
            if stones & grid.at[name]:
                whose = "you have" if owner == seat else f"{self.info.seats[owner]} has"
                raise IllegalMoveError(f"{name} is already occupied: {whose} a stone there.")
        return name

    def play(self, state: Laid, seat: Seat, move: str) -> Laid:
        """Return the position with one more stone, and what it ended."""
        grid = self.grid(state.size)
        at = grid.at[move]
        own, other = state.stones[seat] | at, state.stones[1 - seat]
        reason = self.won(grid, seat, own, at)
        if not reason and own | other == grid.full:
            reason = FULL
        return Laid(state.size, (other, own) if seat else (own, other), move, reason)

    def result(self, state: Laid) -> Result | None:
        """Return a win for the side of the last stone, a draw on a full board, or None."""
        if not state.reason:
            return None
        return Result(() if state.reason == FULL else (1 - state.mover,), state.reason)

    def diagram(self, state: Laid, viewer: Viewer) -> Diagram:
        """Return the board with marks on the last stone and on those that decided the game."""
        del viewer  # all see the same
        grid = self.grid(state.size)
        marks = []
        if state.last:
            at = grid.at[state.last]
            marks.append((at, MarkKind.LAST))
            if state.reason not in ("", FULL):
                own = state.stones[1 - state.mover]
                marks.append((self.deciding(grid, own, at), MarkKind.WINNING))
        told = self.told(state)
        return grid.diagram(state.stones, self.info.signs, marks, told, on_lines=self.on_lines)

    def random_game(self, state: Laid, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random: free cells are shuffled, and nothing is judged.

        A win is never undone, so halving finds the stone that completed the first.
        """
        grid, mover = self.grid(state.size), state.mover
        moves = sorted(grid.named(_free(grid, state)), key=lambda _: chance.random())[:longest]
        winner: Seat | None = None
        for n, seat in enumerate((mover, 1 - mover)):
            laid = map(grid.at.__getitem__, moves[n::2])
            stones = list(accumulate(laid, or_, initial=state.stones[seat]))
            if self.won(grid, seat, stones[-1], stones[-1]):
                first = bisect_left(stones, 1, key=lambda own: bool(self._won(grid, seat, own)))
                moves, winner = moves[: 2 * first - 1 + n], seat
        return Playout.by_turns(moves, mover, Playout.worth_of(winner))

    def _won(self, grid: Grid, seat: Seat, stones: Cells) -> bool:
        return bool(self.won(grid, seat, stones, stones))


def _free(grid: Grid, state: Laid) -> Cells:
    return grid.full & ~(state.stones[0] | state.stones[1])
