"""Monte Carlo tree search: which move of a position wins most of the games that are tried.

The method is UCT (Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", 2006; a survey of it
and its refinements: Browne et al., 2012), with

- a first-play urgency: a new move is tried before one that does worse than FIRST_PLAY (Gelly and
  Wang, 2006), the move that did best anywhere else first;
- rapid values: a move is also judged by the tries in which it was played later (RAVE: Gelly and
  Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011);
- progressive widening: of a long list of moves only some are looked at, more with every visit
  (Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007; Chaslot et al., 2008);
- proven wins and losses (`tree`, `solver`).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pbm.engine import AnyGame, Chance, Playout, WithPriors, frozen
from pbm.robots.solver import leaves_win, see_threats, see_wins
from pbm.robots.tree import Node, playouts_of

EXPLORATION = 0.2
"""The weight of doubt about a move; less than the theory's, as rapid values explore as well."""

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


ATTENTION = 16
"""Visits after which a position is worth a look at all of its moves, and at what is threatened."""

PRIORS_FROM = 50
"""Turns from which on priors help; fewer are judged better by trying them."""

PRIOR_TRIES = 200
"""Rapid tries that a prior counts for (Gelly and Silver, 2011); of 30 to 200 Gonnect's best."""

SURE, SURE_TRIES = 0.95, 1000
"""A move that wins so much of so many tries is played without more of them."""

TO_SECOND = 0.4
"""The share of the tries that are left which the second best move is thought to get at most."""

MOST_MOVES = 500_000
"""Moves that a tree lists at most, each of which takes some 200 octets of memory."""

_LATEST = 8
"""Wins from elsewhere in the tree that are looked for in a position that is opened."""

_BREATH = 64
"""Tries after which it is asked whether the choice is settled."""


@frozen
class SearchBounds:
    """When a search ends: after so many playouts, or when `is_over`, which may read a clock.

    The tree below the root grows until it lists so many `moves`; then what is in it is tried on.
    Unless all playouts are `wanted`, it also ends when the choice is settled.
    """

    playouts: int
    is_over: Callable[[], bool] | None = None
    moves: int = MOST_MOVES
    wanted: bool = False


@frozen
class TriedMove:
    """A move, the tries that began with it, and how many of them it won, a draw as a half.

    `proven` is what it is worth for certain, 0 to 1, or None; a proven move may have no tries.
    """

    move: Any
    tries: int
    won: float
    proven: float | None

    @property
    def worth(self) -> float:
        """The worth as far as is known, from 0, a loss, to 1, a win."""
        if self.proven is not None:
            return self.proven
        return self.won / self.tries if self.tries else 0.5


@frozen
class SearchResult:
    """The result of a search: the choices, best first, of which there is at least one.

    `playouts` is how many games were tried, which is fewer than asked for if all is proven or the
    choice is settled.
    """

    choices: tuple[TriedMove, ...]
    playouts: int

    @property
    def best(self) -> TriedMove:
        """The choice to play."""
        return self.choices[0]

    @property
    def worth(self) -> float:
        """The worth of the position to the seat to move, 0 to 1: by proof, or from the tries.

        It is the mean of the choices, each weighted by its tries. The best one alone would flatter
        the position, being the luckiest of many, and the plain mean of all tries slights it.
        """
        tries = sum(choice.tries**2 for choice in self.choices)
        if self.best.proven is not None or not tries:
            return self.best.worth
        return sum(choice.won * choice.tries for choice in self.choices) / tries

    def led_by(self, move: Any) -> "SearchResult":
        """Return the same with a move in front that is known to win, tried before or not."""
        rest = tuple(choice for choice in self.choices if choice.move != move)
        tried = (choice for choice in self.choices if choice.move == move)
        first = next(tried, TriedMove(move, 0, 0.0, None))
        return replace(self, choices=(replace(first, proven=1.0), *rest))


def search(
    game: AnyGame, root: Node, bounds: SearchBounds, chance: Chance, *, sees_threats: bool = True,
    priors: bool = True,
) -> SearchResult:  # fmt: skip
    """Return what is best in the position `root`, which is not over; the tree below it grows.

    The same tree, playouts and state of `chance` give the same answer. Who `sees_threats` never
    chooses a move that leaves a win in one, if there is another. With `priors` it begins
    with what the game says of the turns.
    """
    if not root.opened:
        root.open(game, chance)
        see_wins(game, root)
    if sees_threats and root.proven is None:
        see_threats(game, root, chance)
    many = len(root.untried) + len(root.children) >= PRIORS_FROM
    if priors and many and isinstance(game, WithPriors) and root.proven is None:
        root.note_priors(game.priors(root.state, root.mover), PRIOR_TRIES)
    played = 0
    growth = _Growth(game, chance, root, bounds.moves)
    only = len(root.untried) + len(root.children) == 1
    while not only and root.proven is None and played < bounds.playouts:
        if bounds.is_over is not None and bounds.is_over():
            break
        growth.try_once()
        played += 1
        if played % _BREATH == 0 and not bounds.wanted and _is_settled(root, bounds, played):
            break
    choices = _choices(root)
    while sees_threats and _is_refuted(game, root, choices[0], chance):
        choices = _choices(root)
    return SearchResult(choices, played)


def _is_refuted(game: AnyGame, root: Node, choice: TriedMove, chance: Chance) -> bool:
    """Return whether a move that seemed good leaves a win in one, which is then in the tree."""
    return choice.proven is None and leaves_win(game, root, str(choice.move), chance)


def _is_settled(root: Node, bounds: SearchBounds, played: int) -> bool:
    """Return whether the tries that are left could not change the choice.

    One move wins nearly all of many, or so few are left that hardly another move can still get as
    many as the best. Source: Baier and Winands, "Time Management for Monte Carlo Tree Search"
    (2016), where that is called an early stop.
    """
    open_ = [child for child in root.children.values() if root.worth_of(child) != 0]
    open_.sort(key=lambda child: child.visits, reverse=True)
    if not open_:
        return False
    best, left = open_[0], bounds.playouts - played
    if best.visits >= SURE_TRIES and best.won >= SURE * best.visits:
        return True
    return best.visits > (open_[1].visits if len(open_) > 1 else 0) + TO_SECOND * left


class _Growth:
    """The state of one search: the tree that tries add to, and how much more it may grow.

    `_wins` are for each seat the turns that won at once somewhere in the tree, the latest last:
    what wins after one move mostly wins after another.
    """

    def __init__(self, game: AnyGame, chance: Chance, root: Node, moves: int) -> None:
        self._game = game
        self._chance = chance
        self._play_out = playouts_of(game)
        self._root = root
        self._room = moves - root.listed()
        self._wins: tuple[dict[str, None], ...] = tuple({} for _ in game.info.seats)

    def try_once(self) -> None:
        """Go down the tree, from there to the end unless that is proven, and note what it gave."""
        path = self._descend()
        leaf = path[-1]
        if leaf.proven is None:
            tried = self._play_out(leaf.state, self._chance)
        else:
            tried = Playout(leaf.proven, tuple(set() for _ in self._game.info.seats))
        _note(path, tried)

    def _descend(self) -> list[Node]:
        """Return the way from the root to the position that is tried next."""
        node = self._root
        path = [node]
        while node.proven is None:
            if node.chances:
                path.append(node := node.drawn(self._game, self._chance))
                continue
            if not node.opened:
                if node.visits < node.opens_at or self._room <= 0:
                    break
                self._open(node)
            elif node.visits == ATTENTION and node is not self._root:
                self._look_closely(node)
            if node.proven is not None:
                break
            node = next_child(self._game, node)
            path.append(node)
        return path

    def _open(self, node: Node) -> None:
        node.open(self._game, self._chance)
        self._room -= len(node.untried)
        self._see_wins(node, list(reversed(self._wins[node.mover]))[:_LATEST])

    def _look_closely(self, node: Node) -> None:
        self._see_wins(node, None)
        if node.proven is None:
            see_threats(self._game, node, self._chance)

    def _see_wins(self, node: Node, among: Iterable[str] | None) -> None:
        won = see_wins(self._game, node, among)
        if won is not None:
            wins = self._wins[node.mover]
            wins.pop(won, None)
            wins[won] = None


def _note(path: list[Node], tried: Playout) -> None:
    """Add a try to all positions on its way, and what it proved."""
    path[0].visits += 1
    proving = path[-1].proven is not None
    for node, child in reversed(list(pairwise(path))):
        if node.chances:
            child.visits += 1
            proving = proving and node.settle()
            continue
        mover = node.mover
        worth = tried.worths[mover]
        child.visits += 1
        child.won += worth
        played = tried.played[mover]
        played.add(child.notation)
        node.note_rapid(played, worth)
        proving = proving and node.settle()


def _choices(root: Node) -> tuple[TriedMove, ...]:
    """Return the moves that were looked at, best first: by what is proven, then by tries."""
    if not root.children:
        return tuple(TriedMove(move, 0, 0.0, None) for move in root.untried.values())
    choices = [
        TriedMove(child.move, child.visits, child.won, root.worth_of(child))
        for child in root.children.values()
    ]
    if all(choice.proven == 0 for choice in choices):
        # What is not looked at may be better than what is lost.
        choices += [TriedMove(move, 0, 0.0, None) for move in root.untried.values()]
    return tuple(sorted(choices, key=_rank, reverse=True))


def _rank(choice: TriedMove) -> tuple[int, int, float]:
    certainty = {1.0: 2, 0.0: 0}.get(choice.proven if choice.proven is not None else -1.0, 1)
    return certainty, choice.tries, choice.won
