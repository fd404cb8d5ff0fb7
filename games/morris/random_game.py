"""A whole random game of Nine Men's Morris on bare integers.

Stones are placed at random, but who can close a mill does, and who cannot stops one of the other
side. Sliding at random leads nowhere, so from then on only mills that take a stone are closed, and
what is left is estimated. No such ply can be taken back, so there are no draws to look for.

Sources: playouts that are not blind, Gelly et al., "Modification of UCT with Patterns in Monte-
Carlo Go" (2006); an estimate in place of the end, Lorentz, "Using Evaluation Functions in
Monte-Carlo Tree Search" (2016).
"""

from math import exp

from pbm.engine import Chance

from .board import ALL, NAMES, NEIGHBOURS, closing, points
from .state import State, outside_mills

_MAN, _STEP, _THREAT = 0.8, 0.1, 0.25
"""The worth of one more man, step and point to close a mill, in log-odds of winning."""

_MAN_OF_FEW = 1.3
"""The worth of one more man when a side may jump; steps and threats matter little then."""

_FEWEST = 3
"""Stones with which a side may jump; with fewer it has lost."""

_STEPS = tuple(tuple(f"{origin}-{to}" for to in NAMES) for origin in NAMES)


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], float]:
    """Return the turns that were played and what came of them for White, seat 0.

    That is 1 or 0 if somebody has won, and lies between them if not.
    """
    seat, take_any, random = state.mover, state.take_any, chance.random
    own, other = state.stones[seat], state.stones[1 - seat]
    hand, other_hand = state.hand[seat], state.hand[1 - seat]
    mills, other_mills = closing(own), closing(other)
    turns: list[str] = []
    for _ in range(longest):
        free = ALL & ~(own | other)
        if hand:
            to = _placed(free, mills, other_mills, chance)
            turn, closes = NAMES[to], mills >> to & 1
            taken = closes and outside_mills(other, other_mills, take_any=take_any)
            own |= 1 << to
            hand -= 1
        else:
            taken = outside_mills(other, other_mills, take_any=take_any)
            found = _closing(own, mills & free) if taken else []
            if not found:
                worth = estimate(own, other)
                return turns, worth if seat == 0 else 1 - worth
            origin, to = found[int(random() * len(found))]
            turn = _STEPS[origin][to]
            own ^= 1 << origin | 1 << to
        mills = closing(own)
        if taken:
            few = points(taken)
            point = few[int(random() * len(few))]
            turn += f"x{NAMES[point]}"
            other ^= 1 << point
            other_mills = closing(other)
        turns.append(turn)
        own, other, hand, other_hand = other, own, other_hand, hand
        mills, other_mills = other_mills, mills
        seat = 1 - seat
    return turns, 0.5


def estimate(own: int, other: int) -> float:
    """Return about how likely the side to move is to win when all stones are placed; 0 if it lost.

    The weights are near those that fit the ends of 82 games between robots of 150 playouts best.
    """
    stones, others = points(own), points(other)
    free = ALL & ~(own | other)
    steps, other_steps = _steps(stones, free), _steps(others, free)
    men = len(stones) - len(others)
    if len(stones) < _FEWEST or (len(stones) > _FEWEST and not steps):
        return 0.0
    if _FEWEST in (len(stones), len(others)):
        return 1 / (1 + exp(-_MAN_OF_FEW * men))
    threats = (closing(own) & free).bit_count() - (closing(other) & free).bit_count()
    return 1 / (1 + exp(-_MAN * men - _STEP * (steps - other_steps) - _THREAT * threats))


def _steps(stones: tuple[int, ...], free: int) -> int:
    """Return how many steps these stones could make."""
    return sum((NEIGHBOURS[point] & free).bit_count() for point in stones)


def _placed(free: int, mills: int, other_mills: int, chance: Chance) -> int:
    """Return where a stone is placed: to make a mill, or to stop one, or anywhere."""
    random = chance.random
    wanted = mills & free or other_mills & free
    if wanted:
        few = points(wanted)
        return few[int(random() * len(few))]
    to = int(random() * len(NAMES))
    while not free >> to & 1:
        to = int(random() * len(NAMES))
    return to


def _closing(own: int, where: int) -> list[tuple[int, int]]:
    """Return the moves, from and to, that close a mill on one of the points `where`."""
    jumps = own.bit_count() == _FEWEST
    return [
        (origin, to)
        for to in points(where)
        for origin in points(own if jumps else own & NEIGHBOURS[to])
        if closing(own ^ 1 << origin) >> to & 1
    ]
