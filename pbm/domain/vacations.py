"""Vacation: until when a player asks for it, and how much of it he has left.

The allowance is a time for each calendar year in UTC. What counts is the time that his vacations
cover, a planned one to its end; one across New Year takes from both years.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from pbm.domain.dates import read_date
from pbm.domain.pauses import Pause, PauseKind, running_time
from pbm.engine import fold

DAY = timedelta(days=1)

CHANGES_A_DAY = 5
"""Vacations that a player may begin or change in a day; each is told to all his opponents."""

OFF = frozenset({"off", "end", "over"})
"""The words that end a vacation."""

_UNTIL = ("until ", "till ")

_SOME_DAY = date(2000, 1, 1)

_LENGTH = re.compile(r"(?:for )?([0-9]{1,4}) ?(?:(d|days?)|(w|weeks?))?")


@dataclass(frozen=True, slots=True)
class YearLeft:
    """The whole `days` that are left of the allowance of a calendar year."""

    year: int
    days: int


def asks_for_vacation(text: str) -> bool:
    """Return whether what follows the word may ask for something: otherwise it is prose."""
    folded = fold(text)
    numbered = any(character.isdigit() for character in folded)
    return not folded or folded in OFF or folded.startswith(_UNTIL) or numbered


def is_vacation(text: str) -> bool:
    """Return whether this can be nothing else than what follows the word.

    Such are a length, a day and "off", and whatever begins with until; not so with till, which
    is a name that people have.
    """
    folded = fold(text)
    named = asked_day(folded, _SOME_DAY) is not None or folded.startswith(_UNTIL[0])
    return not folded or folded in OFF or named or _LENGTH.fullmatch(folded) is not None


def asked_day(text: str, today: date) -> date | None:
    """Return the day up to which `text` asks for a vacation; None if it names none."""
    folded = fold(text)
    for word in _UNTIL:
        folded = folded.removeprefix(word)
    return read_date(folded, today)


def asked_end(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the end of the vacation that `text` asks for; None if it cannot be read.

    "10 days" are so many times 24 hours from `now`. A day is meant with its end, which is the
    midnight after it in `zone`; it may have passed.
    """
    length = _LENGTH.fullmatch(fold(text))
    if length:
        return now + int(length[1]) * DAY * (7 if length[3] else 1)
    day = asked_day(text, now.astimezone(zone).date())
    return None if day is None else end_of(day, zone)


def end_of(day: date, zone: tzinfo) -> datetime:
    """Return the moment, in UTC, at which `day` is over in `zone`."""
    return datetime.combine(day + DAY, time(), zone).astimezone(UTC)


def current_vacation(pauses: Iterable[Pause], now: datetime) -> Pause | None:
    """Return the vacation in which a player is at `now`; None if he is in none."""
    return next((pause for pause in _vacations(pauses) if pause.covers(now)), None)


def unfinished(pauses: Iterable[Pause], now: datetime) -> tuple[Pause, ...]:
    """Return the vacations that are not over at `now`.

    It is one, or none; more only if the clock has been put back.
    """
    return tuple(p for p in _vacations(pauses) if p.until is None or p.until > now)


def cut(pauses: Iterable[Pause], now: datetime) -> tuple[Pause, ...]:
    """Return the vacations as they would be if none went on after `now`."""
    return tuple(
        replace(pause, until=now if pause.until is None else min(pause.until, now))
        for pause in _vacations(pauses)
    )


def left(pauses: Iterable[Pause], year: int, allowance: timedelta) -> timedelta:
    """Return what is left of the `allowance` of a calendar year."""
    begins, ends = (datetime(y, 1, 1, tzinfo=UTC) for y in (year, year + 1))
    taken = (ends - begins) - running_time(begins, ends, _vacations(pauses))
    return max(allowance - taken, timedelta(0))


def left_by_year(
    pauses: Iterable[Pause], now: datetime, until: datetime | None, allowance: timedelta
) -> tuple[YearLeft, ...]:
    """Return what is left of this year, and of the next if a vacation lasts into it.

    `until` is the end of the one that lasts, None if there is none.
    """
    known = tuple(pauses)
    last = now if until is None else max(now, until - timedelta.resolution)
    years = range(now.year, last.year + 1)
    return tuple(YearLeft(year, left(known, year, allowance) // DAY) for year in years)


def latest_end(pauses: Iterable[Pause], now: datetime, allowance: timedelta) -> datetime:
    """Return until when a vacation can last that holds from `now` on.

    It takes the place of what was planned: of earlier ones only the time before `now` counts. It
    never goes beyond the next year.
    """
    past, end = cut(pauses, now), now
    for year in (now.year, now.year + 1):
        new_year = datetime(year + 1, 1, 1, tzinfo=UTC)
        end = min(end + left(past, year, allowance), new_year)
        if end < new_year:
            break
    return end


def _vacations(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    return tuple(pause for pause in pauses if pause.kind is PauseKind.VACATION)
