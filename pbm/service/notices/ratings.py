"""What is told about ratings."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.ratings import Rating
from pbm.engine import AnyGame
from pbm.service.notices import ToPlayer
from pbm.service.ports import StandingRow


@dataclass(frozen=True, slots=True)
class RatingList(ToPlayer):
    """The rating list of a game, with today's uncertainty; `more` if it is cut off."""

    idle = True

    game: AnyGame
    rows: tuple[StandingRow, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class RatingsOfPlayer(ToPlayer):
    """One player's ratings by title of the game."""

    idle = True

    userid: str
    ratings: Mapping[str, Rating]
    key: str
