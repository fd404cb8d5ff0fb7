"""A player that looks so many plies ahead: the classical yardstick for a search.

Alpha-beta (Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975) over a game's own estimate.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from pbm.engine import AnyGame, Chance, Estimates, Position, Seat
from pbm.robots.tree import worths_of


@dataclass(frozen=True, slots=True)
class Lookahead:
    """The plies that a player looks ahead, at least one."""

    name: str
    plies: int


class Foresight:
    """Plays any seat of a match by looking ahead; every other seat counts as one opponent.

    The game must be one that `Estimates`. Among moves that seem equally good chance decides.
    """

    def __init__(self, game: AnyGame, plies: int, chance: Chance) -> None:
        if not isinstance(game, Estimates):
            raise TypeError(f"{game.info.title} has no estimate of a position to look ahead with.")
        self._game = game
        self._estimates = cast("Estimates[Any]", game)
        self._plies = plies
        self._chance = chance

    def choose(self, position: Position[Any]) -> str:
        """Return the turn to play in a position where somebody is to move; it never swaps."""
        state = position.state
        seat = self._game.to_move(state)[0]
        moves = sorted(self._game.legal_moves(state, seat), key=lambda _: self._chance.random())
        best, highest = moves[0], -_BEYOND
        for move in moves:
            after = self._game.play(state, seat, move)
            worth = self._worth(after, seat, self._plies - 1, highest, _BEYOND)
            if worth > highest:
                best, highest = move, worth
        return str(best)

    def _worth(self, state: Any, seat: Seat, plies: int, low: float, high: float) -> float:
        """Return what `state` is worth to `seat`; one that is not between the bounds is a bound."""
        due = self._game.to_move(state)
        if not due:
            worths = worths_of(self._game.result(state), len(self._game.info.seats))
            # An end counts more than any estimate, and the sooner it comes, the more.
            return 0.5 + (worths[seat] - 0.5) * (3 + plies)
        if not plies:
            return self._estimates.estimate(state)[seat]
        if due[0] == seat:
            for after in self._after(state, seat):
                low = max(low, self._worth(after, seat, plies - 1, low, high))
                if low >= high:
                    break
            return low
        for after in self._after(state, due[0]):
            high = min(high, self._worth(after, seat, plies - 1, low, high))
            if low >= high:
                break
        return high

    def _after(self, state: Any, seat: Seat) -> Iterator[Any]:
        return (self._game.play(state, seat, each) for each in self._game.legal_moves(state, seat))


_BEYOND = 1e9
