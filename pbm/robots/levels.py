"""The levels of robots: how many games each tries for a move, and what it overlooks."""

from dataclasses import dataclass

from pbm.engine import GameError


@dataclass(frozen=True, slots=True)
class Level:
    """How a robot plays: `playouts` tried for a move, and how often it sees a threat, from 0 to 1.

    All of them take a win in one move. A level without playouts plays at random.
    """

    name: str
    playouts: int
    sees_threats: float = 1.0


LEVELS: tuple[Level, ...] = (
    Level("level1", 15, sees_threats=0.75),
    Level("level2", 100),
    Level("level3", 500),
    Level("level4", 2_000),
    Level("level5", 10_000),
)
"""From the beginner to the strongest, which takes a minute of one core at most."""

RANDOM = Level("random", 0, sees_threats=0.0)
"""Plays any legal turn: the measure of how much a level knows at all."""


class LevelError(GameError):
    """There is no level of that name."""


def level_of(name: str) -> Level:
    """Return the level called `name`, such as "level3", "3" or "random"; raise LevelError."""
    typed = name.strip().lower()
    for number, level in enumerate(LEVELS, start=1):
        if typed in (level.name, str(number)):
            return level
    if typed == RANDOM.name:
        return RANDOM
    known = f"{LEVELS[0].name} to {LEVELS[-1].name}, or {RANDOM.name}"
    raise LevelError(f"There is no level {name!r}; there are {known}.")
