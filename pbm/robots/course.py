"""A match as a process is told of it: plain values, from which its positions follow."""

from dataclasses import dataclass
from typing import Any

from pbm.engine import AnyGame, Chance, Position, Setup, Turn, replay


@dataclass(frozen=True, slots=True)
class Course:
    """How a match began and what was played: the key of the game, the setup, the turns.

    `rules_version` is that of the rules under which it began.
    """

    game: str
    rules_version: int
    setup: Setup
    turns: tuple[Turn, ...]

    def position(self, game: AnyGame) -> Position[Any]:
        """Return the position after all turns; raise MoveError if one breaks the rules."""
        *_, last = replay(game, self.setup, self.turns)
        return last


@dataclass(frozen=True, slots=True)
class AboutMatch:
    """What tasks about one match have in common, and the chance that their answers follow from."""

    course: Course
    chance: Chance

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.course.game

    @property
    def rules_version(self) -> int:
        """The version of its rules under which the match began."""
        return self.course.rules_version
