"""Forced wins: at a glance, in one move, and by trying all moves of a few turns, as a proof.

Sources: decisive and anti-decisive moves, Teytaud and Teytaud, "On the Huge Impact of Decisive
Moves in Monte-Carlo Tree Search Algorithms" (2010). What makes the proof fast is the order of the
moves: what won or escaped elsewhere is tried first (the history heuristic: Schaeffer, 1989).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pbm.engine import CHANCE, AnyGame, Chance, Seat
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
    answers to a few moves show what is threatened, and only these are tried after the others.
    """
    threats: dict[str, None] = {}
    for notation in list(node.untried)[:_SAMPLE]:
        threats |= dict.fromkeys(_winning_answers(game, node.child(game, notation), chance))
    if not threats:
        return
    for notation in [*node.children, *node.untried]:
        child = node.children.get(notation) or node.child(game, notation)
        # In the order of the threats: that of a set is another in each process.
        if child.proven is not None or child.chances:
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
    if (
        child.seat in (None, CHANCE, node.seat)
        or see_wins(game, _opened(game, child, chance)) is None
    ):
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
    if child.seat in (None, CHANCE):
        return []
    child.open(game, chance)
    return [each for each in child.untried if child.worth_of(child.child(game, each)) == 1]


FAR = 4
"""A turn is still tried if it is expected to take up to so many times the effort that is left."""

_REMEMBERED = 6


class EffortError(Exception):
    """The moves that may be tried are used up; nothing is known."""


class Solver:
    """Looks for forced wins of the seat to move; raises EffortError after `effort` moves.

    `left` is what is left of it. Where there are more than two seats, all others count as one
    opponent.
    """

    def __init__(self, game: AnyGame, effort: int) -> None:
        self._game = game
        self.left = effort
        self._good: dict[tuple[Seat, int], list[str]] = {}

    def forced(self, state: Any, turns: int, moves: Sequence[Any] = ()) -> Any:
        """Return a move that wins in at most so many turns of the seat to move, else None.

        Only these `moves` are asked of, in their order, or all. Raises EffortError as well when
        one more turn is far out of reach, as it takes so many times more as there are moves.
        """
        moves = moves or list(self._game.legal_moves(state, self._game.to_move(state)[0]))
        for soon in range(1, turns + 1):
            before = self.left
            for move in moves:
                if self.forces(state, move, soon):
                    return move
            if soon < turns and (before - self.left) * len(moves) > FAR * self.left:
                raise EffortError
        return None

    def forces(self, state: Any, move: Any, turns: int) -> bool:
        """Return whether a move wins in at most so many turns, of which it is the first."""
        seat = self._game.to_move(state)[0]
        return turns > 0 and self._wins(self._after(state, seat, move), seat, turns - 1)

    def _wins(self, state: Any, winner: Seat, turns: int) -> bool:
        """Return whether `winner` has won, or does so in at most so many more turns of theirs."""
        due = self._game.to_move(state)
        if not due:
            result = self._game.result(state)
            return result is not None and result.winners == (winner,)
        if not turns:
            return False
        if due == (CHANCE,):
            drawn = (self._drawn(state, outcome) for outcome in self._game.chances(state))
            return all(self._wins(each, winner, turns) for each in drawn)
        if due[0] == winner:
            return self._some(state, winner, winner, turns, wins=True)
        return not self._some(state, due[0], winner, turns, wins=False)

    def _some(self, state: Any, seat: Seat, winner: Seat, turns: int, *, wins: bool) -> bool:
        """Return whether some move makes it true, or false, that `winner` wins so soon."""
        left = turns - wins
        kind = turns if wins else -turns
        for move in self._ordered(state, seat, kind):
            if self._wins(self._after(state, seat, move), winner, left) == wins:
                self._remember(seat, kind, str(move))
                return True
        return False

    def _after(self, state: Any, seat: Seat, move: Any) -> Any:
        self._try()
        return self._game.play(state, seat, move)

    def _drawn(self, state: Any, outcome: str) -> Any:
        self._try()
        return self._game.draw(state, outcome)

    def _try(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise EffortError

    def _ordered(self, state: Any, seat: Seat, kind: int) -> list[Any]:
        good = self._good.get((seat, kind))
        listed = list(self._game.legal_moves(state, seat))
        if good:
            rank = {notation: place for place, notation in enumerate(good)}
            listed.sort(key=lambda move: rank.get(str(move), _REMEMBERED))
        return listed

    def _remember(self, seat: Seat, kind: int, move: str) -> None:
        good = self._good.setdefault((seat, kind), [])
        if move in good:
            good.remove(move)
        good.insert(0, move)
        del good[_REMEMBERED:]
