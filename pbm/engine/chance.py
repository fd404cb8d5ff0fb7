"""Chance: what is drawn between two turns, and how a log keeps it.

A game says what can come, with `chances`, and what follows from it, with `draw`. What was drawn
after a turn is kept with the text of the turn, `b5-c5 [4]`, and what was drawn before the first one
with the setup.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any, Protocol

from pbm.engine.errors import GameError, IllegalMoveError
from pbm.engine.types import Seat

CHANCE: Seat = -1
"""The only seat to move in a state where something must be drawn."""

Chances = Mapping[str, int]
"""The outcomes that can be drawn, each with its weight, which is 1 or more."""

Draw = Callable[[Chances], str]
"""Returns one of these outcomes, each as often as its weight says."""

OUTCOME = re.compile(r"[A-Za-z0-9.+-]{1,20}")
"""The form of the name of an outcome."""


class UnseenError(GameError):
    """Chance has to decide, and nobody can look ahead so far."""


class _Numbers(Protocol):
    def random(self) -> float:
        """Return a number from 0 up to, but not, 1."""


class _Drawn(Protocol):
    """The part of a game that chance needs."""

    def to_move(self, state: Any) -> tuple[Seat, ...]: ...
    def chances(self, state: Any) -> Chances: ...
    def draw(self, state: Any, outcome: str) -> Any: ...


def by_weight(source: _Numbers) -> Draw:
    """Return what draws by numbers of this source."""

    def draw(chances: Chances) -> str:
        sums = tuple(accumulate(chances.values()))
        place = bisect(sums, source.random() * sums[-1], hi=len(sums) - 1)
        return tuple(chances)[place]

    return draw


def unseen(chances: Chances) -> str:
    """Raise UnseenError in place of a draw: the game is only looked at."""
    raise UnseenError(f"Chance decides next: {len(chances)} things can come.")


def any_of(chances: Chances) -> str:
    """Return the first outcome, where any will do."""
    return next(iter(chances))


def drawn_before(outcomes: Iterable[str]) -> Draw:
    """Return what draws these outcomes again; it raises IllegalMoveError where they do not fit."""
    left = iter(outcomes)

    def draw(chances: Chances) -> str:
        outcome = next(left, "nothing")
        if outcome not in chances:
            raise IllegalMoveError(f"Here {outcome} cannot be drawn.")
        return outcome

    return draw


def after_chance(game: _Drawn, state: Any, draw: Draw) -> tuple[Any, tuple[str, ...]]:
    """Return the state in which a seat is to move again or all is over, and what was drawn."""
    outcomes: list[str] = []
    while game.to_move(state) == (CHANCE,):
        outcomes.append(draw(game.chances(state)))
        state = game.draw(state, outcomes[-1])
    return state, tuple(outcomes)
