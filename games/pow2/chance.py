"""A random turn of The Power of Two without a list of all, of which there may be thousands."""

from games.pow2.board import POINTS, bits
from games.pow2.position import State, met, possible_endings, turns, ways
from pbm.engine import Chance

_TRIES = 24
"""Slides that are drawn before all turns are worked out: few slides may be legal."""


def random_turn(state: State, chance: Chance) -> str:
    """Return a legal turn: a piece at random, then where it slides, then what is placed there."""
    own, occupied = tuple(bits(state.pieces[state.seat])), state.occupied
    for _ in range(_TRIES):
        start = chance.choice(own)
        target, way = chance.choice(ways(state)[start])
        if occupied & way:
            continue
        endings = possible_endings(state, target, met(state, start, target))
        if endings:
            return f"{POINTS[start]}-{POINTS[target]}{chance.choice(endings)}"
    return chance.choice(tuple(turns(state)))
