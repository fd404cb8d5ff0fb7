"""What is seen at a glance: a win in one move, and the moves after which the other side has one.

Source: decisive and anti-decisive moves, Teytaud and Teytaud, "On the Huge Impact of Decisive Moves
in Monte-Carlo Tree Search Algorithms" (2010).
"""

from collections.abc import Iterable

from pbm.engine import AnyGame, Chance
from pbm.robots.tree import Node

_SAMPLE = 2
"""Moves after which all answers are looked at, to learn what the other side threatens."""


def see_wins(game: AnyGame, node: Node, among: Iterable[str] | None = None) -> str | None:
    """Add the first move that wins at once to the tree, which proves the position `node`.

    It is looked for `among` these notations, or among all. Returns the notation, or None.
    """
    for notation in node.untried if among is None else filter(node.untried.__contains__, among):
        child = node.child(game, notation)
        if child.proven is not None and child.proven[node.mover] == 1:
            node.adopt(child)
            node.settle()
            return notation
    return None


def see_threats(game: AnyGame, node: Node, chance: Chance) -> None:
    """Add the moves to the tree that leave a win in one to the next seat: they are proven lost.

    `node` is opened and not proven. What wins after one move mostly wins after another. So the
    answers to a few moves tell what is threatened, and only these are tried after the others.
    """
    threats: dict[str, None] = {}
    for notation in list(node.untried)[:_SAMPLE]:
        threats |= dict.fromkeys(_winning_answers(game, node.child(game, notation), chance))
    if not threats:
        return
    for notation in [*node.children, *node.untried]:
        child = node.children.get(notation) or node.child(game, notation)
        # In the order of the threats: that of a set is another in each process.
        if child.proven is not None:
            continue
        lost = see_wins(game, _opened(game, child, chance), threats) is not None
        if lost and notation in node.untried:
            node.adopt(child)
    node.settle()


def leaves_win(game: AnyGame, node: Node, notation: str, chance: Chance) -> bool:
    """Return whether a move loses to a win in one; then it is in the tree, and proven to be lost.

    All answers are looked at, and the move must not be proven.
    """
    child = node.children.get(notation) or node.child(game, notation)
    if child.seat in (None, node.seat) or see_wins(game, _opened(game, child, chance)) is None:
        return False
    if notation in node.untried:
        node.adopt(child)
    node.settle()
    return True


def _opened(game: AnyGame, node: Node, chance: Chance) -> Node:
    if not node.opened:
        node.open(game, chance)
    return node


def _winning_answers(game: AnyGame, child: Node, chance: Chance) -> list[str]:
    """Return the moves that win at once after the move that led to `child`."""
    if child.seat is None:
        return []
    child.open(game, chance)
    return [each for each in child.untried if child.worth_of(child.child(game, each)) == 1]
