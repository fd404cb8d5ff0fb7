"""Mails to all players: what the operator writes, and news about all clocks."""

from dataclasses import dataclass

from pbm.domain.pauses import Pause
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.letters import ToPlayer
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class Announced(ToPlayer):
    """What the operator writes to all players; `subject` is one line."""

    idle = False

    subject: str
    text: str


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
