"""Sets of points on one size of Gonnect board, each a bit set in one int.

Row by row from the top, each point takes one bit, the first point the highest. After each row
comes one more bit that is never set, so that a shift cannot run from a row's end into the next.
So four shifts give the neighbours of a whole set of points.

Words: a chain is stones of one side joined orthogonally, a liberty an empty point next to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import compress

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The letters of the columns; there is no I, because it looks like a 1."""

Points = int
"""A bit set of points."""

_AS_FLAGS = bytes.maketrans(b"01", b"\0\1")
"""From the digits of a number to what is false and true."""


@dataclass(frozen=True, slots=True)
class Board:
    """The constants of all matches of one size.

    `names` are the points' names in the order of the bits from the highest, "" for the bits
    that are not points; `bits` gives the set of one point by name. The stones of both sides are
    also one number, in which each seat's set is shifted by its part of `shifts`.
    """

    size: int
    width: int
    full: Points
    names: tuple[str, ...]
    bits: Mapping[str, Points]
    sides: tuple[tuple[Points, Points], ...]
    shifts: tuple[int, int]

    def listed(self, points: Points) -> list[str]:
        """Return the names of `points`, row by row from the top, from left to right."""
        flags = f"{points:0{len(self.names)}b}".encode("ascii").translate(_AS_FLAGS)
        return list(compress(self.names, flags))

    def near(self, points: Points) -> Points:
        """Return the neighbours of all `points`; those may include points of the set itself."""
        width = self.width
        return (points << 1 | points >> 1 | points << width | points >> width) & self.full

    def chain(self, seed: Points, stones: Points) -> Points:
        """Return the chains among `stones` that the stones of `seed` belong to."""
        width = self.width
        grown = seed
        while True:
            wider = grown | grown << 1 | grown >> 1 | grown << width | grown >> width
            wider &= stones
            if wider == grown:
                return grown
            grown = wider

    def taken(self, at: Points, enemy: Points, empty: Points) -> Points:
        """Return the enemy's stones that a stone on `at` takes; `empty` is without `at`."""
        taken = 0
        touched = self.near(at) & enemy
        if touched:
            touched &= ~self.near(empty)
        while touched:
            chain = self.chain(touched & -touched, enemy)
            touched &= ~chain
            if not self.near(chain) & empty:
                taken |= chain
        return taken

    def in_atari(self, stones: Points, empty: Points, among: Points) -> tuple[Points, Points]:
        """Return the chains with one liberty, if it is one of `among`, and those liberties.

        Most chains have a stone with two liberties of its own, and are found to be safe all at
        once; only the others are checked one by one.
        """
        width = self.width
        left, right, up, down = empty << 1, empty >> 1, empty << width, empty >> width
        two = (left & right) | (up & down) | ((left | right) & (up | down))
        weak = stones & ~self.chain(stones & two, stones)
        seeds = weak & self.near(among)
        chains = liberties = 0
        while seeds:
            chain = self.chain(seeds & -seeds, weak)
            seeds &= ~chain
            its = self.near(chain) & empty
            if not its & (its - 1):
                chains |= chain
                liberties |= its
        return chains, liberties

    def joins(self, chain: Points) -> bool:
        """Return whether `chain` reaches two opposite sides of the board."""
        (top, bottom), (left, right) = self.sides
        return bool((chain & top and chain & bottom) or (chain & left and chain & right))

    def missing(self, own: Points, empty: Points) -> int:
        """Return how many stones join two opposite sides at least, if the other side does nothing.

        If that is impossible, they are as many as the board has points.
        """
        return min(self._missing_between(start, end, own, empty) for start, end in self.sides)

    def _missing_between(self, start: Points, end: Points, own: Points, empty: Points) -> int:
        reached, stones = self.chain(start & own, own), 0
        while not reached & end:
            wider = reached | (self.near(reached) | start) & empty
            wider = self.chain(wider, own | wider)
            if wider == reached:
                return self.size**2
            reached, stones = wider, stones + 1
        return stones

    @staticmethod
    def single(points: Points) -> Iterator[Points]:
        """Yield each of `points` as a set of its own."""
        while points:
            lowest = points & -points
            yield lowest
            points ^= lowest


@cache
def board_of(size: int) -> Board:
    """Return the board of `size` rows and columns."""
    width = size + 1
    letters = [*COLUMNS[:size], ""]
    names = tuple(f"{c}{row}" if c else "" for row in range(size, 0, -1) for c in letters)
    bits = {name: 1 << (len(names) - 1 - n) for n, name in enumerate(names) if name}
    full = sum(bits.values())

    def line(sign: str) -> Points:
        return sum(bit for name, bit in bits.items() if sign in (name[0], name[1:]))

    sides = (line(str(size)), line("1")), (line("A"), line(COLUMNS[size - 1]))
    return Board(size, width, full, names, bits, sides, (0, len(names)))
