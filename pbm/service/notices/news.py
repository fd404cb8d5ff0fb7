"""What is told about the server itself: outages, and that the operator stops all clocks."""

from dataclasses import dataclass

from pbm.domain.pauses import Pause
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.notices import ToPlayer
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class NewsTold(ToPlayer):
    """News of a span in which everybody's clocks stood: one mail a player, however many boards.

    `boards` wait for the reader's move, the most urgent first.
    """

    idle = False

    news: News
    pause: Pause
    boards: tuple[LiveMatch, ...]
    people: People
