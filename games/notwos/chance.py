"""A random turn of NOTWO'S without a list of all, once sides are chosen."""

from games.notwos.board import CELLS, NAMES
from games.notwos.turns import State, build_ends, last_cells, stock, threatened, turns
from pbm.engine import Chance

_TRIES = 24
"""Cells that are drawn before all turns are worked out: few cells may have one."""


def random_turn(state: State, chance: Chance) -> str:
    """Return a legal turn: a cell at random, then one of the turns that begin there."""
    heights = dict(state.stacks)
    for _ in range(_TRIES):
        cell = int(chance.random() * len(CELLS))
        found = _turns_at(state, cell, heights.get(cell, 0))
        if found:
            return chance.choice(found)
    return chance.choice(turns(state))


def _turns_at(state: State, cell: int, height: int) -> list[str]:
    """Return the legal turns that begin on `cell`, a stack of `height` if that is not 0."""
    if height:
        last = last_cells(state.singles, cell, height)
        return [f"{NAMES[cell]}-{NAMES[end]}" for end in last]
    if not state.singles >> cell & 1:
        return [NAMES[cell]] if stock(state) else []
    found = [f"{NAMES[cell]}>{NAMES[end]}" for end in build_ends(state.singles, cell)]
    return found if found and threatened(state) else []
