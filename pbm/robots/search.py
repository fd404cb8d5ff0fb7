"""Monte Carlo tree search: which move of a position wins most of the games that are tried.

The method is UCT (Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", 2006; a survey of it
and its refinements: Browne et al., 2012), with

- a first-play urgency: a new move is tried before one that does worse than FIRST_PLAY (Gelly and
  Wang, 2006), the move that did best anywhere else first;
- rapid values: a move is also judged by the tries in which it was played later (RAVE: Gelly and
  Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011);
- progressive widening: of a long list of moves only some are looked at, more with every visit
  (Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007; Chaslot et al., 2008);
- proven wins and losses (`tree`, `sight`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pbm.engine import AnyGame, Chance, Playout
from pbm.robots.playouts import PlayOut, playouts_of
from pbm.robots.sight import see_threats, see_wins
from pbm.robots.tree import Node

EXPLORATION = 0.4
"""How much doubt of a move counts; less than the theory's, as rapid values explore as well."""

FIRST_PLAY = 1.0
"""A move that is judged better than this is tried again before a new one is."""

EQUIVALENCE = 300
"""Visits at which rapid values and a move's own tries weigh alike (k of Gelly and Silver)."""

ATTENTION = 16
"""Visits after which a position is worth a look at what the next seat threatens."""

WIDTH, WIDENING = 8, 3
"""Moves that are looked at from the first visit on, and more for each root of the visits."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a search ends: after so many playouts, or when `is_over`, which may read a clock."""

    playouts: int
    is_over: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, the tries that began with it, and how many of them it won, a draw as a half.

    `proven` is what it is worth for certain, 0 to 1, or None; a proven move may have no tries.
    """

    move: Any
    tries: int
    won: float
    proven: float | None

    @property
    def worth(self) -> float:
        """What it is worth as far as is known, from 0, a loss, to 1, a win."""
        if self.proven is not None:
            return self.proven
        return self.won / self.tries if self.tries else 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: the choices, best first, of which there is at least one.

    `playouts` is how many games were tried, which is fewer than asked for if all is proven.
    """

    choices: tuple[Choice, ...]
    playouts: int

    @property
    def best(self) -> Choice:
        """The choice to play."""
        return self.choices[0]

    @property
    def worth(self) -> float:
        """What the position is worth to the seat to move, 0 to 1: by proof, or from the tries.

        It is the mean of the choices, each weighted by its tries. The best one alone would flatter
        the position, being the luckiest of many, and the plain mean of all tries slights it.
        """
        tries = sum(choice.tries**2 for choice in self.choices)
        if self.best.proven is not None or not tries:
            return self.best.worth
        return sum(choice.won * choice.tries for choice in self.choices) / tries


def search(
    game: AnyGame, root: Node, bounds: Bounds, chance: Chance, *, sees_threats: bool = True
) -> Found:
    """Return what is best in the position `root`, which is not over; the tree below it grows.

    The same tree, playouts and state of `chance` give the same answer.
    """
    if not root.opened:
        root.open(game, chance)
        see_wins(game, root)
    if sees_threats and root.proven is None:
        see_threats(game, root, chance)
    played = 0
    play_out = playouts_of(game)
    only = len(root.untried) + len(root.children) == 1
    while not only and root.proven is None and played < bounds.playouts:
        if bounds.is_over is not None and bounds.is_over():
            break
        _try(game, root, play_out, chance)
        played += 1
    return Found(_choices(root), played)


def _try(game: AnyGame, root: Node, play_out: PlayOut, chance: Chance) -> None:
    """Go down the tree, play from there to the end unless that is proven, and note what it gave."""
    path = _descend(game, root, chance)
    leaf = path[-1]
    if leaf.proven is None:
        tried = play_out(leaf.state, chance)
    else:
        tried = Playout(leaf.proven, tuple(set() for _ in game.info.seats))
    _note(path, tried)


def _descend(game: AnyGame, root: Node, chance: Chance) -> list[Node]:
    """Return the way from the root to the position that is tried next."""
    path = [root]
    node = root
    while node.proven is None and node.visits >= node.opens_at:
        if not node.opened:
            node.open(game, chance)
            see_wins(game, node)
        elif node.visits == ATTENTION and node is not root:
            see_threats(game, node, chance)
        if node.proven is not None:
            break
        node = _next(game, node)
        path.append(node)
    return path


def _next(game: AnyGame, node: Node) -> Node:
    """Return the child to go to, a new one if none is good enough."""
    rapid_weight = math.sqrt(EQUIVALENCE / (3 * node.visits + EQUIVALENCE))
    doubt = EXPLORATION * math.sqrt(math.log(node.visits + 1))
    best, highest, looked_at = None, -1.0, 0
    for child in node.children.values():
        worth = node.worth_of(child)
        if worth == 0:
            continue
        looked_at += 1
        score = _score(node, child, rapid_weight, doubt) if worth is None else worth
        if score > highest:
            best, highest = child, score
    wide = looked_at >= WIDTH + WIDENING * math.sqrt(node.visits)
    if node.untried and (best is None or (not wide and highest < FIRST_PLAY)):
        best = node.child(game, _most_promising(node))
        node.adopt(best)
    assert best is not None  # noqa: S101 - else all moves are proven, and the node would be
    return best


def _score(node: Node, child: Node, rapid_weight: float, doubt: float) -> float:
    """Return how much a child that is not proven deserves the next try."""
    tries = child.visits or 1
    worth = child.won / tries
    rapid = node.rapid.get(child.notation)
    if rapid:
        worth += rapid_weight * (rapid[1] / rapid[0] - worth)
    return worth + doubt / math.sqrt(tries)


def _most_promising(node: Node) -> str:
    """Return the untried move that did best when it was played later; unknown ones are average."""
    if not node.rapid:
        return next(iter(node.untried))

    def promise(notation: str) -> float:
        tries, won = node.rapid.get(notation, (0, 0))
        return (won + 1) / (tries + 2)

    return max(node.untried, key=promise)


def _note(path: list[Node], tried: Playout) -> None:
    """Add a try to all positions on its way, and what it proved."""
    path[0].visits += 1
    proving = path[-1].proven is not None
    for node, child in reversed(list(pairwise(path))):
        worth = tried.worths[node.mover]
        child.visits += 1
        child.won += worth
        played = tried.played[node.mover]
        played.add(child.notation)
        _note_rapid(node, played, worth)
        proving = proving and node.settle()


def _note_rapid(node: Node, played: set[str], worth: float) -> None:
    for notation in played:
        entry = node.rapid.get(notation)
        if entry is not None:
            entry[0] += 1
            entry[1] += worth
        elif notation in node.untried or notation in node.children:
            node.rapid[notation] = [1, worth]


def _choices(root: Node) -> tuple[Choice, ...]:
    """Return the moves that were looked at, best first: by what is proven, then by tries."""
    if not root.children:
        return tuple(Choice(move, 0, 0.0, None) for move in root.untried.values())
    choices = [
        Choice(child.move, child.visits, child.won, root.worth_of(child))
        for child in root.children.values()
    ]
    if all(choice.proven == 0 for choice in choices):
        # What is not looked at may be better than what is lost.
        choices += [Choice(move, 0, 0.0, None) for move in root.untried.values()]
    return tuple(sorted(choices, key=_rank, reverse=True))


def _rank(choice: Choice) -> tuple[int, int, float]:
    certainty = {1.0: 2, 0.0: 0}.get(choice.proven if choice.proven is not None else -1.0, 1)
    return certainty, choice.tries, choice.won
