"""Whole random games of Gonnect on bare integers: what a robot's playouts are made of.

A point is a *place*, the number of its bit in the sets of points. A chain goes by the place of one
of its stones. Its *reach* is all neighbours of its stones, whatever lies on them, and the sides of
the board that it touches. So its liberties are those of its reach that are empty, and nothing that
is laid or taken elsewhere changes the reach.

Every legal point is as likely as any other, but own eyes are filled only if there is nothing else:
a player without a move has lost, so eyes are what one lives by. Except for simple ko, repetitions
are not looked for. They are too rare to matter: about one game in 300 has a turn that superko would
bar.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import compress

from pbm.engine import Chance, Seat

from .board import Board, Points, as_flags, board_of
from .position import State

Place = int

_JOINED = tuple(sides & 3 == 3 or sides & 12 == 12 for sides in range(16))
"""Whether two of these sides are opposite; a bit each: top, bottom, left, right."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The constants of one size, by place.

    `near` is what a stone reaches: neighbours, and sides of the board as four bits above all
    points. `slanted` are the diagonal neighbours, and `spare` how many of them an eye can do
    without. `split` has the places of every set of neighbours.
    """

    board: Board
    names: tuple[str, ...]
    bits: tuple[Points, ...]
    near: tuple[Points, ...]
    slanted: tuple[Points, ...]
    spare: tuple[int, ...]
    split: Mapping[Points, tuple[Place, ...]]

    def places(self, points: Points) -> Iterator[Place]:
        """Yield the places of `points`, from the highest."""
        length = len(self.bits)
        return compress(range(length - 1, -1, -1), as_flags(points, length))


class _Play:
    """A position in the course of a random game: `mine` are the stones of the side to move.

    `free` has the empty points in any order, `ko` the point that simple ko bars now. `chain_of` has
    for each stone its chain, `reach` and `members` for each chain its reach and its stones; what
    they have for other places means nothing.
    """

    __slots__ = (
        *("ground", "mine", "theirs", "empty", "ko", "free", "chain_of", "reach", "members"),
    )

    def __init__(self, ground: _Ground, state: State) -> None:
        self.ground = ground
        self.empty, self.ko = 0, state.ko
        self.chain_of = [0] * len(ground.bits)
        self.reach = list(self.chain_of)
        self.members: list[list[Place]] = [[]] * len(self.chain_of)
        for seat in (1 - state.mover, state.mover):
            self.mine = 0
            for at in ground.places(state.stones[seat]):
                self._join(at, ground.near[at] & self.mine)
                self.mine |= ground.bits[at]
        self.theirs = state.stones[1 - state.mover]
        self.empty = ground.board.full & ~(self.mine | self.theirs)
        self.free = list(ground.places(self.empty))

    def draw(self, random: Callable[[], float]) -> Place:
        """Take a point that is not an own eye, if one is legal, out of `free`; -1 if none is."""
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
        return self._eye()

    def _is_fair(self, at: Place) -> bool:
        """Return whether the point `at`, with no empty one beside it, is legal and no own eye."""
        ground, mine = self.ground, self.mine
        enemies = ground.near[at] & self.theirs
        if not enemies:
            is_eye = (ground.slanted[at] & ~mine).bit_count() <= ground.spare[at]
            return not is_eye and self._breathes(at)
        liberty = ground.bits[at]
        if liberty == self.ko:
            return False
        chain_of, reach, empty = self.chain_of, self.reach, self.empty
        for beside in ground.split[enemies]:
            if reach[chain_of[beside]] & empty == liberty:
                return True
        return self._breathes(at)

    def _breathes(self, at: Place) -> bool:
        """Return whether an own chain beside the empty point `at` has another liberty."""
        ground, chain_of, reach, empty = self.ground, self.chain_of, self.reach, self.empty
        liberty = ground.bits[at]
        for beside in ground.split[ground.near[at] & self.mine]:
            if reach[chain_of[beside]] & empty != liberty:
                return True
        return False

    def _eye(self) -> Place:
        """Take an own eye that may be filled out of `free`, which is shuffled; -1 if none may."""
        for at in self.free:
            if not self.ground.near[at] & self.theirs and self._breathes(at):
                self.free.remove(at)
                return at
        return -1

    def lay(self, at: Place) -> bool:
        """Lay a stone on the legal point `at`, which is not in `free`; return whether it wins."""
        ground = self.ground
        around, bit = ground.near[at], ground.bits[at]
        self.empty ^= bit
        mine, theirs = self.mine, self.theirs
        own, enemies = around & mine, around & theirs
        self.mine, self.theirs, self.ko = theirs, mine | bit, 0
        won = _JOINED[self._join(at, own) >> len(ground.bits)]
        if enemies:
            chain_of, reach, empty = self.chain_of, self.reach, self.empty
            for beside in ground.split[enemies]:
                if not reach[chain_of[beside]] & empty:
                    self._take(around, enemies)
                    break
        return won

    def _join(self, at: Place, own: Points) -> Points:
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

    def _take(self, around: Points, enemies: Points) -> None:
        """Take what has no liberty beside the stone just laid, which reaches `around`."""
        ground, taken = self.ground, 0
        for beside in ground.split[enemies]:
            chain = self.chain_of[beside]
            if not self.reach[chain] & (self.empty | taken):
                self.free += self.members[chain]
                taken |= sum(map(ground.bits.__getitem__, self.members[chain]))
        self.empty |= taken
        self.mine ^= taken
        if around & ground.board.full & ~self.mine == taken:
            self.ko = taken  # If these are several points, none of them is barred.


def play_on(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the moves of both, `longest` at most, and who wins; None if nobody does by then."""
    play = _Play(_ground_of(state.size), state)
    draw, lay, random = play.draw, play.lay, chance.random
    played: list[Place] = []
    over = False
    while not over and len(played) < longest:
        at = draw(random)
        over = at < 0
        if not over:
            played.append(at)
            over = lay(at)
    # Who laid the last stone has connected, or left no move to the other side.
    winner = (state.mover + len(played) - 1) % 2 if over else None
    return [play.ground.names[at] for at in played], winner


@cache
def _ground_of(size: int) -> _Ground:
    """Return the constants of the board of `size` rows and columns."""
    board = board_of(size)
    bits = tuple(1 << place for place in range(len(board.names)))
    near = [board.near(bit) for bit in bits]
    slanted = tuple(board.slanted(bit) for bit in bits)
    return _Ground(
        board,
        board.names[::-1],
        bits,
        tuple(points | _edges(board, bit) for points, bit in zip(near, bits, strict=True)),
        slanted,
        tuple(int(points.bit_count() == 4) for points in slanted),
        {
            part: tuple(at.bit_length() - 1 for at in board.single(part))
            for points in near
            for part in _parts(points)
        },
    )


def _edges(board: Board, point: Points) -> int:
    """Return the sides of the board that `point` lies on, as bits above all points."""
    lines = [line for pair in board.sides for line in pair]
    return sum(1 << len(board.names) + n for n, line in enumerate(lines) if line & point)


def _parts(whole: Points) -> Iterator[Points]:
    """Yield all sets of points in `whole`."""
    part = whole
    while part:
        yield part
        part = part - 1 & whole
    yield 0
