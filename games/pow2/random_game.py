"""A whole random game of The Power of Two on bare integers.

Of a few turns that are drawn, the one is played that gains most. Sources: playouts that are not
blind, Gelly et al., "Modification of UCT with Patterns in Monte-Carlo Go" (2006); an estimate in
place of the end, Lorentz, "Using Evaluation Functions in Monte-Carlo Tree Search" (2016).
"""

from dataclasses import replace
from math import exp

from pbm.engine import Chance, bits

from .board import NEIGHBOURS, POINTS, PointSet, point_set
from .position import PIECES, Placing, State, open_slides, placings, ways

_DRAWS = 60
"""Slides that are drawn before all of them are looked at: few may be legal."""

_CANDIDATES = 3
"""Legal turns of which the best is played."""

_HORIZON = 4
"""Plies after which a game is left and estimated."""

_PIECE, _LIFE = 0.5, 0.2
"""The worth of one more piece on the board, and of one more life, in log-odds of winning."""

_STEPS = tuple(f"{start}-{target}" for start in POINTS for target in POINTS)

Candidate = tuple[int, int, tuple[Placing, ...]]
"""A slide, by the index of its piece in the list and its target, and what may be placed."""

_NOTHING: tuple[Placing, ...] = ((0, (), ""),)


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], float]:
    """Return the turns that were played and what came of them for Light, seat 0.

    That is 1 or 0 if the game is over, and lies between them if it is not.
    """
    seat, aged = state.seat, state.aged
    own, other = state.pieces[seat], state.pieces[1 - seat]
    stones, others = list(bits(own)), list(bits(other))
    turns: list[str] = []
    for _ in range(min(longest, _HORIZON)):
        found = _drawn(own, own | other, aged, stones, state, chance)
        if found is None:
            return turns, float(seat)
        at, target, possible = found
        start = stones[at]
        stones[at] = target
        met = own & NEIGHBOURS[target] & ~(1 << start)
        own ^= 1 << start | 1 << target
        if aged >> start & 1:
            aged ^= 1 << start | 1 << target
        placed, points, notation = possible[int(chance.random() * len(possible))]
        turns.append(_STEPS[start * len(POINTS) + target] + notation)
        if placed:
            ageing = met | 1 << target
            removed = ageing & aged
            stones += points
            for point in bits(removed):
                stones.remove(point)
            own = (own | placed) ^ removed
            aged = (aged | ageing) ^ removed
        if len(stones) == PIECES:
            return turns, float(1 - seat)
        own, other, stones, others = other, own, others, stones
        seat = 1 - seat
    light, dark = (own, other) if seat == 0 else (other, own)
    return turns, 0.5 if len(turns) == longest else estimate(light, dark, aged)


def estimate(light: PointSet, dark: PointSet, aged: PointSet) -> float:
    """Return about how likely Light is to win, by the pieces on the board and their lives."""
    pieces = light.bit_count() - dark.bit_count()
    lives = 2 * pieces - (light & aged).bit_count() + (dark & aged).bit_count()
    return 1 / (1 + exp(-_PIECE * pieces - _LIFE * lives))


def _drawn(
    own: PointSet,
    occupied: PointSet,
    aged: PointSet,
    stones: list[int],
    state: State,
    chance: Chance,
) -> Candidate | None:
    """Return the best of a few random slides, or None if the side to move has no legal turn.

    A piece counts as much as two lives, and a win for more than anything.
    """
    # This is nearly all of the time of a game, so it calls little and looks up everything.
    random, number, exact = chance.random, len(stones), state.exact
    slides, supply = ways(state), PIECES - number
    best: Candidate | None = None
    highest, left = 0.0, _CANDIDATES
    for _ in range(_DRAWS):
        at = int(random() * number)
        start = stones[at]
        ahead = slides[start]
        target, way = ahead[int(random() * len(ahead))]
        if occupied & way:
            continue
        around = (occupied ^ 1 << start) & NEIGHBOURS[target]
        possible = placings(target, around, supply, exact=exact) if around else _NOTHING
        if not possible:
            continue
        gain = random()
        if possible[0][0]:
            new, met = len(possible[0][1]), own & around
            lost = (met & aged).bit_count() + (aged >> start & 1)
            kept = met.bit_count() + 1 - lost
            gain += 1e9 if number + new - lost == PIECES else 100 * (new - lost - kept / 2)
        if best is None or gain > highest:
            best, highest = (at, target, possible), gain
        left -= 1
        if not left:
            return best
    return best or _any_of(occupied, stones, state, chance)


def _any_of(
    occupied: PointSet, stones: list[int], state: State, chance: Chance
) -> Candidate | None:
    """Return one of all legal slides, or None if there is none."""
    own = point_set(stones)
    here = replace(state, pieces=(own, occupied ^ own), seat=0)
    supply = here.supply(0)
    every = [
        (stones.index(start), target, possible)
        for start, target, around in open_slides(here)
        if (possible := placings(target, around, supply, exact=state.exact))
    ]
    return chance.choice(every) if every else None
