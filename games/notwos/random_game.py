"""A whole random game of NOTWO'S on bare integers, once sides are chosen.

Who can win by a drop does, and nobody drops a stone that joins the other side's edges while there
is another cell: decisive moves, Teytaud and Teytaud, "On the Huge Impact of Decisive Moves in
Monte-Carlo Tree Search Algorithms" (2010).
"""

from dataclasses import replace

from pbm.engine import Chance, bits

from .board import (
    BOARD,
    BOTTOM,
    CELL,
    CELLS,
    FIRST,
    LEFT,
    NAMES,
    RIGHT,
    TOP,
    joins,
    near,
    spread,
)
from .turns import (
    Stacks,
    State,
    builds_from,
    distributions_from,
    legal_turns,
    moved,
    role_of,
    stock,
)

_EDGES = TOP, BOTTOM, LEFT, RIGHT

_DRAWS = 60
"""Cells that are drawn before all turns are worked out: few cells may have one."""


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], float]:
    """Return the turns after sides are chosen, and what came of them for seat 0.

    That is 1 or 0 if somebody has won, else a half.
    """
    # One long loop: what it knows is in local names, and most plies are drops of two microseconds.
    played: list[str] = []
    seat, singles, stacks = state.turn, state.singles, state.stacks
    role, left, piled = role_of(state, seat), stock(state), _cells(stacks)
    top, bottom, west, east = (near(singles, edge) for edge in _EDGES)
    for _ in range(longest):
        upright, level = top & bottom, west & east
        mine, theirs = (upright, level) if role == FIRST else (level, upright)
        free = BOARD & ~(singles | piled) if left else 0
        winning = mine & ~theirs & free
        if winning:
            played.append(NAMES[chance.choice(tuple(bits(winning)))])
            return played, float(1 - seat)
        safe = free & ~theirs or free
        other = piled | singles if theirs & ~mine & free else piled
        turn = _drawn(safe, other, singles, stacks, chance) or _any_of(
            replace(state, singles=singles, stacks=stacks, turn=seat), chance
        )
        if not turn:
            return played, 0.5
        played.append(turn)
        if len(turn) == len(NAMES[0]):
            drop = 1 << CELL[turn]
            if theirs & drop:
                return played, float(seat)
            singles |= drop
            left -= 1
            top = _wider(top, drop, singles) if top & drop else top
            bottom = _wider(bottom, drop, singles) if bottom & drop else bottom
            west = _wider(west, drop, singles) if west & drop else west
            east = _wider(east, drop, singles) if east & drop else east
        else:
            singles, stacks = moved(State(singles, stacks), turn)
            if joins(singles, 1 - role):
                return played, float(seat)
            if joins(singles, role):
                return played, float(1 - seat)
            left, piled = stock(State(singles, stacks)), _cells(stacks)
            top, bottom, west, east = (near(singles, edge) for edge in _EDGES)
        seat, role = 1 - seat, 1 - role
    return played, 0.5


def _drawn(safe: int, other: int, singles: int, stacks: Stacks, chance: Chance) -> str:
    """Return a drop on a `safe` cell, or what else begins on an `other` one, or "" for bad luck.

    Builds are only asked for, by `other`, where there is a threat.
    """
    random = chance.random
    for _ in range(_DRAWS):
        cell = int(random() * len(CELLS))
        if safe >> cell & 1:
            return NAMES[cell]
        if other >> cell & 1:
            if singles >> cell & 1:
                found = builds_from(singles, cell)
            else:
                found = distributions_from(singles, cell, dict(stacks)[cell])
            if found:
                return found[int(random() * len(found))]
    return ""


def _any_of(state: State, chance: Chance) -> str:
    """Return one of all legal turns, "" if there is none."""
    return chance.choice(legal_turns(state) or [""])


def _wider(near: int, drop: int, singles: int) -> int:
    """Return what is near an edge after a drop there, by which other stones may be connected."""
    region = drop
    while True:
        wide = spread(region)
        grown = wide & singles
        if grown == region:
            return near | wide
        region = grown


def _cells(stacks: Stacks) -> int:
    """Return the set of cells with stacks."""
    return sum(1 << cell for cell, _ in stacks)
