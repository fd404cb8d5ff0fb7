"""Reminders of several boards in one mail."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Reminder
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.letters import ToPlayer


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
