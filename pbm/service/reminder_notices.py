"""Who is reminded of several boards at once."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Reminder
from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class RemindedBoard:
    """A board that waits for the reader, and which reminder of it this is."""

    table: LiveMatch
    reminder: Reminder


@dataclass(frozen=True, slots=True)
class Reminders:
    """Boards that wait for the reader's move, the most urgent first, in one mail."""

    to: Player
    boards: tuple[RemindedBoard, ...]
    people: People
    now: datetime
    reply: Token
