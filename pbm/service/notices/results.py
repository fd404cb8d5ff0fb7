"""What is told about finished games and records, and about the games on offer."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.invitations import Seek
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player, PlayerId
from pbm.domain.record import Talk
from pbm.engine import AnyGame
from pbm.service.letters import ToPlayer
from pbm.service.ports import GameCounts, HistoryRow


@dataclass(frozen=True, slots=True)
class GamesOffered(ToPlayer):
    """The games on offer, what is played of each now, and the open seeks.

    `robot` is the line that begins a match with a robot at once; "" if there is none.
    """

    idle = True

    games: tuple[AnyGame, ...]
    counts: Mapping[str, GameCounts]
    seeks: tuple[Seek, ...]
    people: Mapping[PlayerId, Player]
    robot: str = ""


@dataclass(frozen=True, slots=True)
class FinishedGames(ToPlayer):
    """Finished matches, the newest first, with the games that are installed; `more` if cut off."""

    idle = True

    rows: tuple[HistoryRow, ...]
    games: Mapping[str, AnyGame]
    more: bool


@dataclass(frozen=True, slots=True)
class GameRecord(ToPlayer):
    """The record of a match, with one part of the talk there."""

    idle = True

    board: LiveMatch
    people: Mapping[PlayerId, Player]
    talk: Talk

    @property
    def thread(self) -> int:
        return self.board.match.number
