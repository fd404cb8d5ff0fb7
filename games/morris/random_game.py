"""A whole random game of Nine Men's Morris on bare integers.

Stones are placed at random, but who can close a mill does, and who cannot stops one of the other
side. Sliding at random leads nowhere, so from then on only mills that take a stone are closed, and
what is left is estimated. No such ply can be taken back, so there are no draws to look for.

Sources: playouts that are not blind, Gelly et al., "Modification of UCT with Patterns in Monte-
Carlo Go" (2006); an estimate in place of the end, Lorentz, "Using Evaluation Functions in
Monte-Carlo Tree Search" (2016).
"""

from math import exp

from games.morris.board import ALL, NAMES, NEIGHBOURS
from games.morris.packed import BESIDE, BITS, Packed, lines_of, members, packed
from games.morris.state import State
from pbm.engine import Chance, Playout

_MAN, _STEP, _THREAT = 0.8, 0.1, 0.25
"""What one more man, step and point to close a mill are worth, in log-odds of winning."""

_MAN_OF_FEW = 1.3
"""What one more man is worth when a side may jump; steps and threats tell little then."""

_FEWEST = 3
"""Stones with which a side may jump; with fewer it has lost."""

_STEPS = tuple(tuple(f"{origin}-{to}" for to in NAMES) for origin in NAMES)


def random_game(state: State, chance: Chance, longest: int) -> Playout:
    """Return how the game goes on, or what it comes to where it is left."""
    turns, worth = played_out(state, chance, longest)
    return Playout.by_turns(turns, state.mover, worth)


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], float]:
    """Return the turns that were played and what came of them for White, seat 0.

    That is 1 or 0 if somebody has won, and lies between them if not.
    """
    seat, random = state.mover, chance.random
    own, other = packed(state.stones[seat]), packed(state.stones[1 - seat])
    hand, other_hand = state.hand[seat], state.hand[1 - seat]
    lines, other_lines = lines_of(own), lines_of(other)
    turns: list[str] = []
    for _ in range(longest):
        free = ALL & ~(own | other)
        if hand:
            to = _placed(free, lines, other_lines, chance)
            turn, closes = NAMES[to], lines >> to & 1
            taken = closes and _takeable(other, other_lines, state)
            own |= BITS[to]
            hand -= 1
        else:
            taken = _takeable(other, other_lines, state)
            found = _closing(own, lines & free) if taken else []
            if not found:
                worth = estimate(own, other)
                return turns, worth if seat == 0 else 1 - worth
            origin, to = found[int(random() * len(found))]
            turn = _STEPS[origin][to]
            own ^= BITS[origin] | BITS[to]
        lines = lines_of(own)
        if taken:
            few = members(taken)
            point = few[int(random() * len(few))]
            turn += f"x{NAMES[point]}"
            other ^= BITS[point]
            other_lines = lines_of(other)
        turns.append(turn)
        own, other, hand, other_hand = other, own, other_hand, hand
        lines, other_lines = other_lines, lines
        seat = 1 - seat
    return turns, 0.5


def estimate(own: Packed, other: Packed) -> float:
    """Return about how likely the side to move is to win when all stones are placed; 0 if it lost.

    The weights are near those that fit the ends of 82 games between robots of 150 playouts best.
    """
    stones, others = members(own), members(other)
    free = ALL & ~(own | other)
    steps, other_steps = _steps(stones, free), _steps(others, free)
    men = len(stones) - len(others)
    if len(stones) < _FEWEST or (len(stones) > _FEWEST and not steps):
        return 0.0
    if _FEWEST in (len(stones), len(others)):
        return 1 / (1 + exp(-_MAN_OF_FEW * men))
    threats = (lines_of(own) & free).bit_count() - (lines_of(other) & free).bit_count()
    return 1 / (1 + exp(-_MAN * men - _STEP * (steps - other_steps) - _THREAT * threats))


def _steps(stones: tuple[int, ...], free: int) -> int:
    """Return how many steps these stones could make."""
    return sum((NEIGHBOURS[point] & free).bit_count() for point in stones)


def _takeable(stones: Packed, lines: int, state: State) -> int:
    """Return those of the opponent's stones that a mill may take; `lines` are theirs."""
    outside = stones & ALL & ~(lines >> 24)
    return stones & ALL if state.take_any and not outside else outside


def _placed(free: int, lines: int, other_lines: int, chance: Chance) -> int:
    """Return where a stone is placed: to make a mill, or to stop one, or anywhere."""
    random = chance.random
    wanted = lines & free or other_lines & free
    if wanted:
        few = members(wanted)
        return few[int(random() * len(few))]
    to = int(random() * len(NAMES))
    while not free >> to & 1:
        to = int(random() * len(NAMES))
    return to


def _closing(own: Packed, where: int) -> list[tuple[int, int]]:
    """Return the moves, from and to, that close a mill on one of the points `where`."""
    jumps = (own & ALL).bit_count() == _FEWEST
    return [
        (origin, to)
        for to in members(where)
        for origin in (members(own) if jumps else BESIDE[NEIGHBOURS[to] & own])
        if lines_of(own ^ BITS[origin]) >> to & 1
    ]
