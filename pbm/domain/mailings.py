"""Mails that players can do without, unsubscribing from them, and the daily digest.

Each kind can be left by the unsubscribe button of a mail program; that ends no game, nor the mails
by which one plays it. A move that waits for the digest is noted in the settings of its reader, one
setting a board; a mail that reports the move removes it. So no move is forgotten, even if the
reader turns the digest off.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import IntEnum


class Mailing(IntEnum):
    """A kind of these mails. The numbers are part of tokens; do not change them."""

    FOLLOWED = 1  # about boards that the reader follows
    SEEKS = 2
    BROADCASTS = 3
    REMINDERS = 4  # all but the last one of a turn
    NEWS = 5


FOLLOWED_AN_HOUR = 60
"""Mails that one reader gets in an hour about boards that they only follow.

Two players can move all day, and somebody who follows every board of a game did not choose them.
"""

ENDS_AN_HOUR = 120
"""The same at the end of a match, which many wait for."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The mails that a button stops, with the `number` of a board or the key of a `game`."""

    mailing: Mailing
    number: int = 0
    game: str = ""

    @property
    def subject(self) -> str:
        """The subject of the mail that the button writes."""
        return f"{self.game} unsubscribe seeks" if self.game else "unsubscribe"


HELD = "held."
"""The prefix of the names of these settings. No player can set them."""

HOUR = time(6)
"""The time of a digest in the zone of its reader."""


@dataclass(frozen=True, slots=True)
class Held:
    """The plies of board `number` from `ply` on, held back for the digest since `since`."""

    number: int
    ply: int
    since: datetime

    @property
    def value(self) -> str:
        """The stored value."""
        return f"{self.ply} {self.since.isoformat()}"


def held_name(number: int) -> str:
    """Return the name of the setting that notes what is held back of board `number`."""
    return f"{HELD}{number}"


def held_on(number: int, stored: Mapping[str, str]) -> Held | None:
    """Return the plies of board `number` that are held back, or None."""
    value = stored.get(held_name(number))
    if value is None:
        return None
    ply, _, since = value.partition(" ")
    return Held(number, int(ply), datetime.fromisoformat(since))


def all_held(stored: Mapping[str, str]) -> tuple[Held, ...]:
    """Return everything that is held back, in order of board."""
    numbers = sorted(int(name.removeprefix(HELD)) for name in stored if name.startswith(HELD))
    return tuple(held for number in numbers if (held := held_on(number, stored)))


def due_at(held: Iterable[Held], zone: tzinfo) -> datetime | None:
    """Return when the digest is due: at the first HOUR in `zone` after the oldest, or None.

    One digest reports everything that is held back, so the next one comes a day later at least.
    """
    since = min((each.since for each in held), default=None)
    if since is None:
        return None
    local = since.astimezone(zone)
    days = (local.date(), local.date() + timedelta(days=1))
    hours = (datetime.combine(day, HOUR, zone).astimezone(UTC) for day in days)
    return next(hour for hour in hours if hour > since)
