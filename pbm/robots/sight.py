"""What is seen at a glance: a win in one move, and the moves after which the other side has one.

Source: decisive and anti-decisive moves, Teytaud and Teytaud, "On the Huge Impact of Decisive Moves
in Monte-Carlo Tree Search Algorithms" (2010).
"""

from pbm.engine import AnyGame, Chance
from pbm.robots.tree import Node

_SAMPLE = 2
"""Moves after which all answers are looked at, to learn what the other side threatens."""


def see_wins(game: AnyGame, node: Node) -> None:
    """Add the first move that wins at once to the tree, which proves the position `node`."""
    for notation in node.untried:
        child = node.child(game, notation)
        if node.worth_of(child) == 1:
            node.adopt(child)
            node.settle()
            return


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
    for notation in list(node.untried):
        child = node.child(game, notation)
        if child.proven is not None:
            continue
        child.open(game, chance)
        # In the order of the threats: that of a set is another in each process.
        for answer in filter(child.untried.__contains__, threats):
            reply = child.child(game, answer)
            if child.worth_of(reply) == 1:
                child.adopt(reply)
                child.settle()
                node.adopt(child)
                break
    node.settle()


def _winning_answers(game: AnyGame, child: Node, chance: Chance) -> list[str]:
    """Return the moves that win at once after the move that led to `child`."""
    if child.seat is None:
        return []
    child.open(game, chance)
    return [each for each in child.untried if child.worth_of(child.child(game, each)) == 1]
