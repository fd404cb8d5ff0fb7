"""What players want to be asked: standing answers to invitations, and seeks."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pbm.domain.match import Terms
from pbm.domain.player import PlayerId
from pbm.engine import Setup


class Answer(StrEnum):
    """What happens to an invitation to a game."""

    ASK = "ask"
    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Stance:
    """A player's standing answer for one game; `limit` bounds their open boards of it."""

    answer: Answer = Answer.ASK
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Seek:
    """A player's wish for `count` more matches of one kind against anybody."""

    player: PlayerId
    game: str
    setup: Setup
    terms: Terms
    count: int
    made_at: datetime
