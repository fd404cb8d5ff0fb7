"""A hint: what a robot would play in a player's place, and why, in plain figures."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from pbm.engine import SWAP, AnyGame, Chance, Position, is_swap
from pbm.robots.course import AboutMatch
from pbm.robots.levels import Level
from pbm.robots.player import Robot
from pbm.robots.search import Choice, Found

THOUGHTFUL = Level("thoughtful", 2_000)
"""How well a hint is thought of: as by level 4, whoever the opponent is."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A turn, and what it is worth to whoever plays it, from 0 to 1; `proven`: for certain."""

    text: str
    worth: float
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play; `second` is the next best turn, None if no other was looked at.

    `only` says that there is no other turn, and `even` that the turn is meant to be worth as little
    to one side as to the other, because the next player may trade places.
    """

    best: Tried
    second: Tried | None = None
    only: bool = False
    even: bool = False


def hint_of(
    game: AnyGame,
    position: Position[object],
    chance: Chance,
    is_over: Callable[[], bool] | None = None,
    level: Level = THOUGHTFUL,
) -> Hint:
    """Return what to play in a position where somebody is to move; it follows from `chance`."""
    decision = Robot(game, level, chance, is_over).decide(position)
    found, text = decision.found, decision.text
    assert found is not None  # noqa: S101 - the level has playouts
    if is_swap(text):
        return Hint(_swapped(found), _tried(found.best))
    chosen, *others = sorted(found.choices, key=lambda choice: str(choice.move) != text)
    if game.info.swap_after == position.ply + 1:
        return Hint(_tried(chosen), even=True)
    looked_at = [choice for choice in others if choice.tries or choice.proven is not None]
    second = _tried(looked_at[0]) if looked_at else None
    return Hint(_tried(chosen), second, only=_is_forced(game, position.state))


def _is_forced(game: AnyGame, state: object) -> bool:
    """Return whether there is one legal turn and no other."""
    return len(tuple(islice(game.legal_moves(state, game.to_move(state)[0]), 2))) == 1


def _tried(choice: Choice) -> Tried:
    return Tried(str(choice.move), choice.worth, choice.proven is not None)


def _swapped(found: Found) -> Tried:
    """Return what it is worth to trade places: what the position is worth to the others."""
    return Tried(SWAP, 1 - found.worth, found.best.proven is not None)


@dataclass(frozen=True, slots=True)
class HintTask(AboutMatch):
    """A `pbm.robots.task.Task` for whoever is to move."""

    level: Level = THOUGHTFUL

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Hint:
        """Return the Hint."""
        return hint_of(game, self.course.position(game), self.chance, is_over, self.level)
