"""Robots: the programs that play for accounts, their tasks, and the players who may get hints."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from pbm.domain.match import Match
from pbm.domain.player import People, PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import frozen

LEVELS = range(1, 6)
"""The levels at which our own search plays."""

LEVEL_WORDS = {"easy": "1", "medium": "3", "hard": "5"}
"""The words for some levels."""

STANDARD = {f"robot-{level}": level for level in LEVELS}
"""The robots that a server has unless its operator wants none, with their levels."""

ANYBODY = "robot"
"""The word for a robot of whatever level fits."""


@frozen
class Brain:
    """The mind of a robot: our own search at `level` 1 to 5, or a function of others.

    `game` is the key of the only game that it plays, None for every one. `entry` is the name of the
    function among the entry points `pbm.robots` (docs/robots.md), "" for our search; with it,
    `level` is only a measure of strength.
    """

    level: int
    game: str | None = None
    entry: str = ""

    @property
    def is_ours(self) -> bool:
        """True if our own search thinks."""
        return not self.entry

    def plays(self, game: str) -> bool:
        """Return whether it plays the game of that key."""
        return self.game in (None, game)


Calibration = Mapping[str, Mapping[int, Rating]]
"""Ratings that the levels showed in play among themselves, by key of the game and level."""


def read_calibration(plain: Mapping[str, Mapping[str, Sequence[float]]]) -> Calibration:
    """Return the ratings in `{game: {level: [rating, deviation]}}`, where keys are words."""
    return {
        game: {
            int(level): Rating(rating, deviation) for level, (rating, deviation) in levels.items()
        }
        for game, levels in plain.items()
    }


_UNTRIED = {level: Rating(1050.0 + 150.0 * level, 200.0) for level in LEVELS}
"""The assumed ratings in a game that nobody has calibrated."""


def starting_rating(calibration: Calibration, game: str, level: int) -> Rating:
    """Return the rating with which a robot of that level begins in that game."""
    return calibration.get(game, {}).get(level) or _UNTRIED[level]


class ThoughtKind(StrEnum):
    """The kinds of tasks of a robot."""

    MOVE = "move"  # a move of the robot
    ANSWER = "answer"  # the robot's answer to an offer of a draw
    HINT = "hint"  # a move for a player against a robot
    ANALYSIS = "analysis"  # of a finished match


@frozen
class Thought:
    """Something to think about on board `number`.

    `player` is the robot that moves or answers, or the one who asked for a hint or an analysis.
    `payer` is whose share of the day it is thought in: a person, or a robot if no person plays.
    `owner` is the process that thinks about it now, by the name of its lifeline; None: it waits,
    not looked at before `due_at`. `tries` is how often in a row it has come to nothing because of a
    fault, and `asked` how often it was asked again while it waited or was thought about.
    """

    id: int
    kind: ThoughtKind
    number: int
    player: PlayerId
    asked_at: datetime
    due_at: datetime
    payer: PlayerId
    owner: str | None = None
    tries: int = 0
    asked: int = 0


def against_robots(match: Match, player: PlayerId, people: People) -> bool:
    """Return whether `player` has opponents and all of them are robots.

    Somebody who is not among `people` counts as a person.
    """
    others = [each for each in match.players if each != player]
    return bool(others) and all(each in people and people[each].is_robot for each in others)


def may_have_hints(match: Match, player: PlayerId, people: People) -> bool:
    """Return whether `player` may get hints now: only in an unrated match against robots."""
    return against_robots(match, player, people) and not match.terms.rated
