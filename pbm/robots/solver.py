"""Wins that can be forced in a few turns: all moves of all sides are tried, which is a proof.

The order of the moves is what makes it fast: what won or escaped elsewhere is tried first (the
history heuristic: Schaeffer, 1989).
"""

from collections.abc import Sequence
from typing import Any

from pbm.engine import AnyGame, Seat

FAR = 4
"""How many times the effort that is left a turn may be thought to take and still be tried."""

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
        self.left -= 1
        if self.left < 0:
            raise EffortError
        return self._game.play(state, seat, move)

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
