"""The levels of robots: how many games each tries for a move, and what it overlooks."""

from pbm.engine import GameError, frozen


@frozen
class Level:
    """The play of a robot: `playouts` per move, and the share of threats it sees, from 0 to 1.

    A slip is a move without a single try: a random one of those that are not seen to be wrong at
    a glance. `slips` is how often that happens, from 0 to 1. Only a level that `sees_wins` takes
    a win in one move for sure; one that does not plays at random. `effort` is how many moves it
    tries to prove a win in a few turns, where it is well off. One with `priors` begins with what a
    game says of turns by a rule of thumb.
    """

    name: str
    playouts: int
    sees_threats: float = 1.0
    slips: float = 0.0
    sees_wins: bool = True
    effort: int = 0
    priors: bool = False


LEVELS: tuple[Level, ...] = (
    Level("level1", 12, sees_threats=0.75, slips=0.25),
    Level("level2", 60, slips=0.1),
    Level("level3", 300, slips=0.04, effort=5_000),
    Level("level4", 1_200, effort=80_000, priors=True),
    Level("level5", 10_000, effort=80_000, priors=True),
)
"""From the beginner to the strongest, which takes a minute of one core at most."""

GLANCE = Level("glance", 0)
"""Wins in one move and blocks a win in one, and else plays at random: the least that is sense."""

RANDOM = Level("random", 0, sees_threats=0.0, sees_wins=False)
"""Plays any legal turn: the measure of how much a level knows at all."""


class LevelError(GameError):
    """There is no level of that name."""


def level_of(name: str) -> Level:
    """Return the level called `name`, such as "level3", "3", "glance" or "random".

    Raises LevelError.
    """
    typed = name.strip().lower()
    for number, level in enumerate(LEVELS, start=1):
        if typed in (level.name, str(number)):
            return level
    for level in (GLANCE, RANDOM):
        if typed == level.name:
            return level
    known = f"{LEVELS[0].name} to {LEVELS[-1].name}, {GLANCE.name} or {RANDOM.name}"
    raise LevelError(f"There is no level {name!r}; there are {known}.")
