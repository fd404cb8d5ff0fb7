"""What is told of ratings, finished games and records, and of the games on offer."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.openness import Seek
from pbm.domain.player import Player, PlayerId
from pbm.domain.playing import LiveMatch
from pbm.domain.rating import Rating
from pbm.engine import AnyGame
from pbm.service.ports import GameCounts, HistoryRow, StandingRow


@dataclass(frozen=True, slots=True)
class GamesOffered:
    """The games on offer, what is played of each now, and the open seeks."""

    to: Player
    games: tuple[AnyGame, ...]
    counts: Mapping[str, GameCounts]
    seeks: tuple[Seek, ...]
    people: Mapping[PlayerId, Player]


@dataclass(frozen=True, slots=True)
class RatingList:
    """The rating list of a game, uncertain as the ratings are today; `more` if it is cut off."""

    to: Player
    game: AnyGame
    rows: tuple[StandingRow, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class RatingsOfPlayer:
    """One player's ratings by title of the game."""

    to: Player
    userid: str
    ratings: Mapping[str, Rating]
    key: str


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """Finished games, the newest first, with the games that are installed; `more` if cut off."""

    to: Player
    rows: tuple[HistoryRow, ...]
    games: Mapping[str, AnyGame]
    more: bool


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The record of a match."""

    to: Player
    table: LiveMatch
    people: Mapping[PlayerId, Player]
