"""Who is reminded of several boards at once, and who is told of the server itself."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Reminder
from pbm.domain.pauses import Pause
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.letters import ToPlayer
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class RemindedBoard:
    """A board that waits for the reader, and which reminder of it this is."""

    board: LiveMatch
    reminder: Reminder


@dataclass(frozen=True, slots=True)
class Reminders(ToPlayer):
    """Boards that wait for the reader's move, the most urgent first, in one mail."""

    idle = False

    boards: tuple[RemindedBoard, ...]
    people: People
    now: datetime


@dataclass(frozen=True, slots=True)
class NewsTold(ToPlayer):
    """News of a span in which everybody's clocks stood: one mail a player, however many boards.

    `boards` wait for the reader's move, the most urgent first, and `more` than these.
    """

    idle = False

    news: News
    pause: Pause
    boards: tuple[LiveMatch, ...]
    people: People
    more: int = 0
