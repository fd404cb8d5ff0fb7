"""A robot that plays a match: it keeps what it has thought from one move to the next."""

from collections.abc import Callable
from typing import Any

from pbm.engine import SWAP, AnyGame, Chance, Position, Seat, frozen, may_swap
from pbm.robots.levels import Level
from pbm.robots.search import SearchBounds, SearchResult, TriedMove, search
from pbm.robots.solver import EffortError, Solver
from pbm.robots.tree import Node, found_in

EVEN = 0.5
"""The worth of a position in which nobody is better."""

HOPE = 0.55
"""The least worth of a move for which a forced win is looked for."""

TURNS = 3
"""The most turns that such a win may take."""


@frozen
class Decision:
    """The turn that a robot plays, as a log writes it, and what it found; None if it did not look.

    With the pie rule the turn need not be the choice that is best.
    """

    text: str
    found: SearchResult | None


class Robot:
    """Plays any seat of one match at a level.

    `is_over` may end the thinking of each move early; then the same chance gives the same moves
    only if it does so at the same playouts.
    """

    def __init__(
        self,
        game: AnyGame,
        level: Level,
        chance: Chance,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        self._game = game
        self._level = level
        self._chance = chance
        self._is_over = is_over
        self._tree: Node | None = None

    def decide(self, position: Position[Any], seat: Seat | None = None) -> Decision:
        """Return the turn to play in a position where somebody is to move.

        Without `seat` it is that of the first who is. Where turns are secret, it is any turn.
        """
        level = self._level
        if not level.sees_wins or not self._game.info.weighable:
            return Decision(self._any_turn(position, seat), None)
        # Both asked each time, so that what is overlooked does not change how chance goes on.
        attention = self._chance.random() < level.sees_threats
        slip = self._chance.random() < level.slips
        root = Node(self._game, position.state) if slip else self._root(position.state)
        bounds = SearchBounds(0 if slip else level.playouts, self._is_over)
        found = search(
            self._game, root, bounds, self._chance, sees_threats=attention, priors=level.priors
        )
        self._tree = root
        found = self._crisp(root, found)
        if may_swap(self._game, position) and found.worth < EVEN:
            return Decision(SWAP, found)
        return Decision(str(self._chosen(position, found).move), found)

    def choose(self, position: Position[Any]) -> str:
        """Return the turn to play in a position where somebody is to move."""
        return self.decide(position).text

    def _crisp(self, root: Node, found: SearchResult) -> SearchResult:
        """Return what was found, with a forced win in front if the robot is well off and has one.

        A search weighs what is likely, and may like a slow win as well or miss a quiet move.
        """
        best = found.best
        if best.proven is not None or best.worth < HOPE or not self._level.effort:
            return found
        moves = [choice.move for choice in found.choices if choice.proven is None]
        moves += root.untried.values()
        solver = Solver(self._game, self._level.effort)
        try:
            move = solver.forced(root.state, TURNS, moves)
        except EffortError:
            return found
        return found if move is None else found.led_by(move)

    def _root(self, state: Any) -> Node:
        """Return the node of `state`, with what was thought of it when the others were to move."""
        seats = len(self._game.sides(state))
        kept = found_in(self._tree, state, seats) if self._tree else None
        return kept or Node(self._game, state)

    def _chosen(self, position: Position[Any], found: SearchResult) -> TriedMove:
        """Return the best choice, or the most even one if the next player may take it over."""
        if self._game.info.swap_after != position.ply + 1:
            return found.best
        return min(found.choices, key=lambda choice: abs(choice.worth - EVEN))

    def _any_turn(self, position: Position[Any], seat: Seat | None) -> str:
        """Return a random turn; the pie rule is used every second time."""
        if may_swap(self._game, position) and self._chance.random() < EVEN:
            return SWAP
        seat = self._game.to_move(position.state)[0] if seat is None else seat
        moves = tuple(self._game.legal_moves(position.state, seat))
        return str(self._chance.choice(moves))
