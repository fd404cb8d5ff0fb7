"""Mails that one can do without: each kind can be left by the unsubscribe button of a mail program.

Nothing here ends a game, nor the mails by which one plays it.
"""

from dataclasses import dataclass
from enum import IntEnum


class Mailing(IntEnum):
    """A kind of such mails; the numbers stand in tokens, so they stay."""

    FOLLOWED = 1  # of a board that one only watches
    SEEKS = 2
    BROADCASTS = 3
    REMINDERS = 4  # all but the last one of a turn
    NEWS = 5


FOLLOWED_AN_HOUR = 60
"""Mails of boards that they only follow that one reader gets in an hour.

Two players can move all day, and those who follow every board of a game have not chosen them.
"""

ENDS_AN_HOUR = 120
"""How many such mails there may be if a match ends: that is what many follow it for."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """What the button on a mail stops: with the `number` of a board, or the key of a `game`."""

    mailing: Mailing
    number: int = 0
    game: str = ""

    @property
    def subject(self) -> str:
        """The subject of the mail that the button writes."""
        return f"{self.game} unsubscribe seeks" if self.game else "unsubscribe"
