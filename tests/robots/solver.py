"""What can be forced in so many turns, found by trying all moves of both sides.

It is apart from the search of the robots and shares nothing with it. Only the order of the moves
is clever: what refuted or won before is tried first.
"""

from collections.abc import Iterable
from typing import Any

from pbm.engine import AnyGame, Seat


class Solver:
    """Looks for forced wins in a game for two who move in turn, or raises TimeoutError.

    `effort` is how many moves are tried before it gives up.
    """

    def __init__(self, game: AnyGame, effort: int) -> None:
        self._game = game
        self._left = effort
        self._good: dict[tuple[Seat, int], list[str]] = {}

    def wins_in(self, state: Any, turns: int) -> bool:
        """Return whether the side to move can force a win in at most so many of its turns."""
        (seat,) = self._game.to_move(state)
        for move in self._ordered(state, seat, turns):
            if self.forces(state, move, turns):
                self._remember(seat, turns, str(move))
                return True
        return False

    def forces(self, state: Any, move: Any, turns: int) -> bool:
        """Return whether that move leads to a win in at most so many turns, itself counted."""
        if turns < 1:
            return False
        (seat,) = self._game.to_move(state)
        after = self._after(state, seat, move)
        result = self._game.result(after)
        if result is not None:
            return result.winners == (seat,)
        return turns > 1 and not self._escapes(after, seat, turns - 1)

    def _escapes(self, state: Any, winner: Seat, turns: int) -> bool:
        """Return whether some answer of the side to move keeps `winner` from winning so soon."""
        (seat,) = self._game.to_move(state)
        for move in self._ordered(state, seat, -turns):
            after = self._after(state, seat, move)
            result = self._game.result(after)
            lost = result.winners == (winner,) if result else self.wins_in(after, turns)
            if not lost:
                self._remember(seat, -turns, str(move))
                return True
        return False

    def _after(self, state: Any, seat: Seat, move: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TimeoutError
        return self._game.play(state, seat, move)

    def _ordered(self, state: Any, seat: Seat, kind: int) -> Iterable[Any]:
        good = self._good.get((seat, kind), [])
        listed = list(self._game.legal_moves(state, seat))
        first = {str(move): move for move in listed if str(move) in good}
        best = [first[each] for each in good if each in first]
        return [*best, *(move for move in listed if str(move) not in first)]

    def _remember(self, seat: Seat, kind: int, move: str) -> None:
        good = self._good.setdefault((seat, kind), [])
        if move in good:
            good.remove(move)
        good.insert(0, move)
        del good[6:]
