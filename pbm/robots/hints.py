"""A hint: what a robot would play in a player's place, and why, in plain figures."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from pbm.engine import SWAP, AnyGame, Chance, Position, is_swap
from pbm.robots.levels import Level
from pbm.robots.moves import AtMoment, level_at
from pbm.robots.player import Robot
from pbm.robots.search import Choice, Found


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
    to one side as to the other, because the next player may trade places. It is for ply `due`.
    """

    best: Tried
    due: int
    second: Tried | None = None
    only: bool = False
    even: bool = False

    def __str__(self) -> str:
        """Return it as a log tells it."""
        return f"hint {self.best.text}"


def hint_of(
    game: AnyGame,
    position: Position[object],
    level: Level,
    chance: Chance,
    is_over: Callable[[], bool] | None = None,
) -> Hint:
    """Return what to play in a position where somebody is to move; it follows from `chance`."""
    due = position.ply + 1
    decision = Robot(game, level, chance, is_over).decide(position)
    found, text = decision.found, decision.text
    assert found is not None  # noqa: S101 - the level looks
    if is_swap(text):
        return Hint(_swapped(found), due, _tried(found.best))
    chosen, *others = sorted(found.choices, key=lambda choice: str(choice.move) != text)
    if game.info.swap_after == due:
        return Hint(_tried(chosen), due, even=True)
    looked_at = [choice for choice in others if choice.tries or choice.proven is not None]
    second = _tried(looked_at[0]) if looked_at else None
    return Hint(_tried(chosen), due, second, only=_is_forced(game, position.state))


def _is_forced(game: AnyGame, state: object) -> bool:
    """Return whether there is one legal turn and no other."""
    return len(tuple(islice(game.legal_moves(state, game.to_move(state)[0]), 2))) == 1


def _tried(choice: Choice) -> Tried:
    return Tried(str(choice.move), choice.worth, choice.proven is not None)


def _swapped(found: Found) -> Tried:
    """Return what it is worth to trade places: what the position is worth to the others."""
    return Tried(SWAP, 1 - found.worth, found.best.proven is not None)


class HintTask(AtMoment):
    """A `pbm.robots.task.Task` that finds a hint as a robot of a level from 1 to 5 would play."""

    __slots__ = ()

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Hint:
        """Return the hint."""
        position = self.moment.position(game)
        return hint_of(game, position, level_at(self.level), self.chance, is_over)
