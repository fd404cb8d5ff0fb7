"""The daily digest: the moves that wait for it, and when it is due.

A move that is held back is remembered in the settings of its reader, a line a board: a mail that
tells of it takes the line away. So no move is forgotten, even if they take the setting back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

HELD = "held."
"""What the names of these lines begin with. No player can set them."""

HOUR = time(6)
"""When a digest is due, in the zone of its reader."""


@dataclass(frozen=True, slots=True)
class Held:
    """Plies of board `number` that have not been told: from `ply` on, held back since `since`."""

    number: int
    ply: int
    since: datetime

    @property
    def name(self) -> str:
        """The name under which it is stored."""
        return name_of(self.number)

    @property
    def value(self) -> str:
        """What is stored."""
        return f"{self.ply} {self.since.isoformat()}"


def name_of(number: int) -> str:
    """Return the name under which what is held back of board `number` is stored."""
    return f"{HELD}{number}"


def held_on(number: int, stored: Mapping[str, str]) -> Held | None:
    """Return what is held back of board `number`; None if nothing is."""
    value = stored.get(name_of(number))
    if value is None:
        return None
    ply, _, since = value.partition(" ")
    return Held(number, int(ply), datetime.fromisoformat(since))


def all_held(stored: Mapping[str, str]) -> tuple[Held, ...]:
    """Return all that is held back, in order of board."""
    numbers = sorted(int(name.removeprefix(HELD)) for name in stored if name.startswith(HELD))
    return tuple(held for number in numbers if (held := held_on(number, stored)))


def due_at(held: Iterable[Held], zone: tzinfo) -> datetime | None:
    """Return when these are to be told: at the next HOUR in `zone` after the first; None: never.

    All that is held back is told at once, so there is no second digest before the next HOUR.
    """
    since = min((each.since for each in held), default=None)
    if since is None:
        return None
    local = since.astimezone(zone)
    days = (local.date(), local.date() + timedelta(days=1))
    hours = (datetime.combine(day, HOUR, zone).astimezone(UTC) for day in days)
    return next(hour for hour in hours if hour > since)
