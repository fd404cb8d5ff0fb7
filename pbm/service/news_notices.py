"""Who is told what of the server itself: of outages, and that the operator stops all clocks."""

from dataclasses import dataclass

from pbm.domain.pauses import Pause
from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.service.ports import News
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class NewsTold:
    """News of a time in which everybody's clock stood, to one player, however many his boards.

    `boards` wait for his move, the most urgent first.
    """

    to: Player
    news: News
    pause: Pause
    boards: tuple[LiveMatch, ...]
    people: People
    reply: Token
