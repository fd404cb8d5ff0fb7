"""Positions of Go: captures, suicide, repetition and area."""

from functools import cache, lru_cache
from itertools import accumulate
from operator import xor

from pbm.engine import Cells, Grid, Seat, bits, frozen, square

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The letters of the columns; there is no I, because it looks like a 1."""

KOMI = 7
"""The points that White gets for playing second in a game without handicap."""

DEAD = "dead"
"""The word that takes an own chain off the board once play has stopped."""

STOPPED, OVER = 2, 4
"""So many turns without a stone in a row stop play, and end the game."""

Change = tuple[int, ...]
"""The points where a turn laid or took stones, as numbers of bits, those of White above Black's."""


@frozen
class State:
    """A position and its history.

    `last` is the last turn, and `taken` what it took off the board. `changes` are those from the
    empty board to the first position, and then of each turn that changed the board. `passes` counts
    the turns without a stone since the last one, and play was `resumed` if it had stopped before.
    """

    size: int
    stones: tuple[Cells, Cells]
    mover: Seat
    changes: tuple[Change, ...]
    last: str = ""
    taken: Cells = 0
    passes: int = 0
    resumed: bool = False

    @property
    def grid(self) -> Grid:
        """The board of this size."""
        return grid_of(self.size)

    @property
    def empty(self) -> Cells:
        """The points without a stone."""
        return self.grid.full & ~(self.stones[0] | self.stones[1])


@cache
def grid_of(size: int) -> Grid:
    """Return the board of that size."""
    return square(size, COLUMNS, from_below=True)


def begun(size: int, handicap: int) -> State:
    """Return the first position, with `handicap` stones of Black on the usual points."""
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    places = [(high, high), (low, low), (high, low), (low, high)]
    places += [(low, middle), (high, middle), (middle, low), (middle, high)]
    in_centre = handicap > 4 and handicap % 2
    places = places[: handicap - in_centre] + [(middle, middle)] * in_centre
    grid = grid_of(size)
    black = sum(grid.at[f"{COLUMNS[x]}{y + 1}"] for x, y in places)
    return State(size, (black, 0), int(handicap > 0), (tuple(bits(black)),))


def lay(state: State, name: str) -> State:
    """Return the position after the side to move has laid a stone on the legal point `name`."""
    at = state.grid.at[name]
    taken = captured(state, at)
    stones, changes = _changed(state, at, taken)
    resumed = state.resumed or state.passes >= STOPPED
    return State(state.size, stones, 1 - state.mover, changes, name, taken, resumed=resumed)


def give_up(state: State, name: str) -> State:
    """Return the position without the chain of the side to move at `name`; it goes on."""
    chain = chain_at(state, name)
    stones, changes = _changed(state, chain, 0)
    last = f"{DEAD} {name}"
    return State(state.size, stones, state.mover, changes, last, chain, state.passes)


def chain_at(state: State, name: str) -> Cells:
    """Return the chain of the side to move at the point `name`; none if it has no stone there."""
    return state.grid.chain(state.grid.at[name], state.stones[state.mover])


def captured(state: State, at: Cells) -> Cells:
    """Return the stones that the side to move takes by a stone on the empty point `at`."""
    return state.grid.captured(at, state.stones[1 - state.mover], state.empty ^ at)


def is_suicide(state: State, at: Cells) -> bool:
    """Return whether a stone on the empty point `at` takes nothing and has no liberty."""
    left = state.empty ^ at
    chain = state.grid.chain(at, state.stones[state.mover] | at)
    return not (state.grid.liberties(chain, left) or captured(state, at))


def legal_points(state: State) -> Cells:
    """Return the empty points where the side to move may lay a stone."""
    grid, empty = state.grid, state.empty
    legal = empty & grid.near(empty)
    for at in map(grid.at.__getitem__, grid.named(empty ^ legal)):
        if not is_suicide(state, at):
            legal |= at
    if not _has_only_grown(state):
        for at in map(grid.at.__getitem__, grid.named(legal)):
            if repeats(state, at):
                legal ^= at
    return legal


def repeats(state: State, at: Cells) -> bool:
    """Return whether a stone on `at` would bring back an earlier board."""
    black, white = state.stones
    board = black | white << len(state.grid.names)
    return board ^ _change(state, at, captured(state, at)) in _boards(state.changes)


def areas(state: State) -> tuple[int, int]:
    """Return the points of each side: its stones, the empty regions it surrounds, and komi."""
    black, white = (
        (stones | region).bit_count()
        for stones, region in zip(state.stones, state.grid.territory(state.stones), strict=True)
    )
    return black, white + komi(state)


def komi(state: State) -> int:
    """Return what White gets: a point for each handicap stone, or else for playing second."""
    return len(state.changes[0]) or KOMI


def _changed(
    state: State, own: Cells, other: Cells
) -> tuple[tuple[Cells, Cells], tuple[Change, ...]]:
    """Return the stones and changes once stones of both are laid or taken on these points."""
    ours, theirs = state.stones[state.mover] ^ own, state.stones[1 - state.mover] ^ other
    stones = (theirs, ours) if state.mover else (ours, theirs)
    return stones, (*state.changes, tuple(bits(_change(state, own, other))))


def _change(state: State, own: Cells, other: Cells) -> int:
    """Return these points of both sides as one number, that of a Change."""
    black, white = (other, own) if state.mover else (own, other)
    return black | white << len(state.grid.names)


def _has_only_grown(state: State) -> bool:
    """Return whether nothing was ever taken, so that no board can come back."""
    return (state.stones[0] | state.stones[1]).bit_count() == sum(map(len, state.changes))


@lru_cache(4)
def _boards(changes: tuple[Change, ...]) -> frozenset[int]:
    """Return all boards that there have been, this one included."""
    return frozenset(accumulate((sum(1 << bit for bit in change) for change in changes), xor))
