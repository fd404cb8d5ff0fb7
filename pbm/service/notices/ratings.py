"""What is told about ratings."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.ratings import Rating
from pbm.engine import AnyGame
from pbm.service.letters import ToPlayer
from pbm.service.ports import StandingRow


@dataclass(frozen=True, slots=True)
class RobotRating:
    """A robot in a rating list, and at which level it plays."""

    userid: str
    level: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatingList(ToPlayer):
    """The rating list of a game, with today's uncertainty; `more` if it is cut off.

    The `robots` that play it stand apart.
    """

    idle = True

    game: AnyGame
    rows: tuple[StandingRow, ...]
    more: bool
    robots: tuple[RobotRating, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingsOfPlayer(ToPlayer):
    """One player's ratings by title of the game."""

    idle = True

    userid: str
    ratings: Mapping[str, Rating]
    key: str
