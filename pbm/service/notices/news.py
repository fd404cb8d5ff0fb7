"""Who is told what of the server itself: of outages, and that the operator stops all clocks."""

from dataclasses import dataclass

from pbm.domain.pauses import Pause
from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.notices import ToPlayer
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class NewsTold(ToPlayer):
    """News of a time in which everybody's clock stood, to one player, however many his boards.

    `boards` wait for his move, the most urgent first.
    """

    idle = False

    news: News
    pause: Pause
    boards: tuple[LiveMatch, ...]
    people: People
