"""Which move of a position is tried next: of those that were tried before, or a new one.

Sources: see `search`. This is where a search spends its time beside playouts.
"""

import math

from pbm.engine import AnyGame
from pbm.robots.tree import Node

EXPLORATION = 0.2
"""How much doubt of a move counts; less than the theory's, as rapid values explore as well."""

FIRST_PLAY = 1.0
"""A move that is judged better than this is tried again before a new one is."""

EQUIVALENCE = 1000
"""Visits at which rapid values and a move's own tries weigh alike (k of Gelly and Silver)."""

WIDTH, WIDENING = 6, 1.5
"""Moves that are looked at from the first visit on, and more for each root of the visits."""

_AVERAGE = 0.5


def next_child(game: AnyGame, node: Node) -> Node:
    """Return the child to go to, a new one if none is good enough.

    `node` is opened and not proven, so that there is one.
    """
    best, highest, looked_at = _best_known(node)
    wide = looked_at >= WIDTH + WIDENING * math.sqrt(node.visits)
    if node.untried and (best is None or (not wide and highest < FIRST_PLAY)):
        best = node.child(game, _most_promising(node))
        node.adopt(best)
    assert best is not None  # noqa: S101 - else all moves are proven, and the node would be
    return best


def _best_known(node: Node) -> tuple[Node | None, float, int]:
    """Return the child that most deserves the next try, how much, and how many are not lost.

    It is written out in one piece, because each call takes time.
    """
    rapid_weight = math.sqrt(EQUIVALENCE / (3 * node.visits + EQUIVALENCE))
    doubt = EXPLORATION * math.sqrt(math.log(node.visits + 1))
    mover, sqrt = node.mover, math.sqrt
    best, highest, looked_at = None, -1.0, 0
    for child in node.children.values():
        if child.proven is not None:
            score = child.proven[mover]
            if score == 0:
                continue
        else:
            tries = child.visits or 1
            score = child.won / tries
            rapid = child.as_played
            if rapid is not None:
                score += rapid_weight * (rapid[1] / rapid[0] - score)
            score += doubt / sqrt(tries)
        looked_at += 1
        if score > highest:
            best, highest = child, score
    return best, highest, looked_at


def _most_promising(node: Node) -> str:
    """Return the untried move that did best when it was played later; unknown ones are average.

    Of equals it is the first in the list: `rapid` came out of sets, whose order is another in each
    process.
    """
    rapid = node.rapid
    if not rapid:
        return next(iter(node.untried))

    def promise(notation: str) -> float:
        entry = rapid.get(notation)
        return (entry[1] + 1) / (entry[0] + 2) if entry else _AVERAGE

    return max(node.untried, key=promise)
