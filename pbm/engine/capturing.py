"""Random games in which chains without a liberty are taken, as in Go: what playouts are made of.

A point is a *place*, the number of its bit in the sets of cells. A chain goes by the place of one
of its stones. Its *reach* is all neighbours of its stones, whatever lies on them, and the edges of
the board that it touches. So its liberties are those of its reach that are empty, and nothing that
is laid or taken elsewhere changes the reach.

Every legal point is as likely as any other, except own eyes, which are never drawn. Of the
repetitions only a simple ko is looked for. The others are too rare to matter: about one game in 300
has a turn that superko would bar.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pbm.engine.bitset import bits
from pbm.engine.grid import Cells, Grid

Place = int


@dataclass(frozen=True, slots=True)
class _Ground:
    """The constants of a board, by place.

    `near` is what a stone reaches: neighbours, and the edges of the board as bits above all cells,
    in their order. `slanted` are the diagonal neighbours. `split` has the places of every set of
    neighbours.
    """

    place_of: Mapping[str, Place]
    cells: tuple[Cells, ...]
    near: tuple[Cells, ...]
    slanted: tuple[Cells, ...]
    split: Mapping[Cells, tuple[Place, ...]]


class CapturingPlay:
    """A position in the course of a random game: `own` are the stones of the side to move.

    `free` has the empty points in any order, `ko` the point that simple ko bars now. `chain_of` has
    for each stone its chain, `reach` and `members` for each chain its reach and its stones; what
    they have for other places means nothing.
    """

    __slots__ = (
        *("ground", "own", "other", "empty", "ko", "free", "chain_of", "reach", "members"),
    )

    def __init__(self, grid: Grid, own: Cells, other: Cells, ko: Cells = 0) -> None:
        self.ground = ground = _ground_of(grid)
        self.ko = ko
        self.chain_of = [0] * len(ground.cells)
        self.reach = list(self.chain_of)
        self.members: list[list[Place]] = [[]] * len(self.chain_of)
        for stones in (other, own):
            self.own = 0
            for at in map(ground.place_of.__getitem__, grid.named(stones)):
                self._join(at, ground.near[at] & self.own)
                self.own |= ground.cells[at]
        self.other = other
        self.empty = grid.full & ~(own | other)
        self.free = list(map(ground.place_of.__getitem__, grid.named(self.empty)))

    def draw(self, random: Callable[[], float]) -> Place:
        """Take a legal point that is not an own eye out of `free`; -1 if there is none."""
        free, near, empty = self.free, self.ground.near, self.empty
        left = len(free)  # What was drawn in vain lies behind these.
        while left:
            drawn = int(random() * left)
            at = free[drawn]
            if near[at] & empty or self._is_fair(at):
                free[drawn] = free[-1]
                free.pop()
                return at
            left -= 1
            free[drawn], free[left] = free[left], at
        return -1

    def _is_fair(self, at: Place) -> bool:
        """Return whether the point `at`, with no empty one beside it, is legal and no own eye."""
        ground = self.ground
        around = ground.near[at]
        enemies = around & self.other
        if not enemies:
            spare = not around >> len(ground.cells)  # one, and none at an edge
            is_eye = (ground.slanted[at] & ~self.own).bit_count() <= spare
            return not is_eye and self.breathes(at)
        liberty = ground.cells[at]
        if liberty == self.ko:
            return False
        chain_of, reach, empty = self.chain_of, self.reach, self.empty
        for beside in ground.split[enemies]:
            if reach[chain_of[beside]] & empty == liberty:
                return True
        return self.breathes(at)

    def breathes(self, at: Place) -> bool:
        """Return whether an own chain beside the empty point `at` has another liberty."""
        ground, chain_of, reach, empty = self.ground, self.chain_of, self.reach, self.empty
        liberty = ground.cells[at]
        for beside in ground.split[ground.near[at] & self.own]:
            if reach[chain_of[beside]] & empty != liberty:
                return True
        return False

    def lay(self, at: Place) -> int:
        """Lay a stone on the legal point `at`, which is not in `free`.

        Return the edges of the board that its chain touches, a bit each in their order.
        """
        ground = self.ground
        around, cell = ground.near[at], ground.cells[at]
        self.empty ^= cell
        own, other = self.own, self.other
        joined, enemies = around & own, around & other
        self.own, self.other, self.ko = other, own | cell, 0
        edges = self._join(at, joined) >> len(ground.cells)
        if enemies:
            chain_of, reach, empty = self.chain_of, self.reach, self.empty
            for beside in ground.split[enemies]:
                if not reach[chain_of[beside]] & empty:
                    self._take(around, enemies)
                    break
        return edges

    def _join(self, at: Place, own: Cells) -> Cells:
        """Add the stone `at`, beside the stones `own` of its side; return its chain's reach."""
        chain_of, reach, members = self.chain_of, self.reach, self.members
        wide = self.ground.near[at]
        if not own:
            chain_of[at], reach[at], members[at] = at, wide, [at]
            return wide
        beside = self.ground.split[own]
        chain = chain_of[beside[0]]
        wide |= reach[chain]
        for place in beside:  # The first once more, which costs less than to leave it out.
            other = chain_of[place]
            if other != chain:
                wide |= reach[other]
                if len(members[chain]) < len(members[other]):
                    chain, other = other, chain
                members[chain] += members[other]
                for moved in members[other]:
                    chain_of[moved] = chain
        chain_of[at] = chain
        reach[chain] = wide
        members[chain].append(at)
        return wide

    def _take(self, around: Cells, enemies: Cells) -> None:
        """Take what has no liberty beside the stone just laid, which reaches `around`."""
        ground, taken = self.ground, 0
        for beside in ground.split[enemies]:
            chain = self.chain_of[beside]
            if not self.reach[chain] & (self.empty | taken):
                self.free += self.members[chain]
                taken |= sum(map(ground.cells.__getitem__, self.members[chain]))
        self.empty |= taken
        self.own ^= taken
        if around & (self.other | self.empty) == taken:
            self.ko = taken  # If these are several points, none of them is barred.


@cache
def _ground_of(grid: Grid) -> _Ground:
    """Return the constants of a board."""
    cells = tuple(1 << place for place in range(len(grid.names)))
    return _Ground(
        {name: at.bit_length() - 1 for name, at in grid.at.items()},
        cells,
        tuple(grid.near(cell) | _edges(grid, cell) for cell in cells),
        tuple(map(grid.diagonal, cells)),
        {part: tuple(bits(part)) for cell in cells for part in _parts(grid.near(cell))},
    )


def _edges(grid: Grid, cell: Cells) -> int:
    """Return the edges of the board that `cell` lies on, as bits above all cells."""
    return sum(1 << len(grid.names) + n for n, edge in enumerate(grid.edges) if edge & cell)


def _parts(whole: Cells) -> Iterator[Cells]:
    """Yield all sets of cells in `whole`."""
    part = whole
    while part:
        yield part
        part = part - 1 & whole
    yield 0
