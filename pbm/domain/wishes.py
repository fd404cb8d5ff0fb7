"""What players want to be asked: standing answers to invitations, and seeks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pbm.domain.match import Terms
from pbm.domain.player import PlayerId
from pbm.engine import Seat, Setup


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
    """A player's wish for `count` more matches of one kind against anybody.

    The last of its matches has its `number` as that of the board. `seat` is the one that the
    player wants; None: seats are drawn.
    """

    number: int
    player: PlayerId
    game: str
    setup: Setup
    terms: Terms
    count: int
    made_at: datetime
    seat: Seat | None = None

    @property
    def offer(self) -> tuple[str, Mapping[str, str], Terms]:
        """What is to be played, whoever takes which seat."""
        return self.game, self.setup.options, self.terms

    def is_like(self, other: "Seek") -> bool:
        """Return whether both ask for the same, whoever makes them."""
        return self.offer == other.offer and self.seat == other.seat

    def fits(self, other: "Seek") -> bool:
        """Return whether a match can be what both ask for."""
        seats = {self.seat, other.seat}
        return self.offer == other.offer and (None in seats or len(seats) == 2)


SEEKS_TOLD = 3
"""How often a day others get mails of the seeks of one player."""

SEEKS_HEARD = 5
"""Mails of seeks that one player gets in a day."""

SEEKS = "seeks"
"""What the names of the settings begin with by which players want to know of seeks."""


def wants_seeks(game: str) -> str:
    """Return the name of the setting that is yes for players who want to know of its seeks."""
    return f"{SEEKS}.{game}"
