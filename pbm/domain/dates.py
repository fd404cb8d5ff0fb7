"""Days and times as people write them.

A date is 2026-12-24, 24 Dec, 24 December 2026, Dec 24, 24.12. or 24.12.2026. Nothing else is
read: 12/24 and 24/12 mean different days to different people.
"""

import re
from datetime import date, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from pbm.domain.player import Player
from pbm.domain.settings import zone_of
from pbm.engine import counted, fold

_HOUR = timedelta(hours=1)

_YEAR, _DAY = r"(?P<year>2[0-9]{3})", r"(?P<day>[0-9]{1,2})"
_MONTH, _NAME = r"(?P<month>[0-9]{1,2})", r"(?P<name>[a-z]{3,9})\.?"
_NTH = r"(?:st|nd|rd|th)?"

_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_YEAR}-{_MONTH}-{_DAY}",
        rf"{_DAY}\. ?{_MONTH}(?:\.(?: ?{_YEAR})?)?",
        rf"{_DAY}{_NTH}\.? ?{_NAME},?(?: {_YEAR})?",
        rf"{_NAME} ?{_DAY}{_NTH}(?:,? {_YEAR})?",
    )
)

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)

DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = tuple(month[:3].capitalize() for month in _MONTHS)
"""The names in mails, whatever the language of the machine."""

_LEAP = 8
"""The next 29 February is never more than this many years away."""

LATELY = timedelta(days=60)
"""A day without a year means the past one if that is no longer ago than this."""


def read_date(text: str, today: date) -> date | None:
    """Return the day that `text` names, or None.

    The day may have passed. Without a year it is the next such day, which may be `today`, unless
    there was one LATELY: players who write yesterday's date do not mean next year's.
    """
    folded = fold(text)
    for form in _FORMS:
        found = form.fullmatch(folded)
        if found:
            return _day(found.groupdict(), today)
    return None


def written(day: date) -> str:
    """Return `day` as it can be typed: "24 Dec 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def time_left(left: timedelta) -> str:
    """Return "14 days", below two days "47 hours", and at the end "less than an hour".

    The time is rounded down, so that players never count on more than they have.
    """
    if left >= timedelta(days=2):
        return counted(left // timedelta(days=1), "day")
    if left >= timedelta(hours=1):
        return counted(left // timedelta(hours=1), "hour")
    return "less than an hour"


def days_and_hours(time: timedelta) -> str:
    """Return "6 days 4 hours": as `time_left`, but the hours too if there are days."""
    hours = time // timedelta(hours=1) % 24
    said = time_left(time)
    return f"{said} {counted(hours, 'hour')}" if hours and time >= timedelta(days=2) else said


def local_time(when: datetime, reader: Player) -> str:
    """Return an aware moment in the reader's zone, which is UTC if they have set none."""
    return time_in(when, zone_of(reader))


def time_in(when: datetime, zone: tzinfo) -> str:
    """Return an aware moment as "Fri 11 Dec 2026 13:00 CET (Europe/Berlin)"."""
    there = when.astimezone(zone)
    day = f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]} {there.year}"
    return f"{day} {there.hour:02}:{there.minute:02} {_zone(there)}"


def _zone(there: datetime) -> str:
    """Return "CET (Europe/Berlin)", "UTC", or "UTC+5:30" for a zone without letters."""
    short = there.tzname() or ""
    if not short.isalpha():
        # Zones without letters of their own are named by their offset, such as "-03".
        offset = there.utcoffset() or timedelta(0)
        hours, rest = divmod(abs(offset), _HOUR)
        minutes = f":{rest.seconds // 60:02}" if rest else ""
        short = f"UTC{'-' if offset < timedelta(0) else '+'}{hours}{minutes}" if offset else "UTC"
    zone = there.tzinfo
    return f"{short} ({zone.key})" if isinstance(zone, ZoneInfo) else short


def _day(parts: dict[str, str | None], today: date) -> date | None:
    day, month = int(parts["day"] or 0), _month(parts)
    year = parts["year"]
    first = today - LATELY
    years = range(first.year, first.year + _LEAP + 1) if year is None else (int(year),)
    days = (_date(each, month, day) for each in years)
    return next((found for found in days if found and (year or found >= first)), None)


def _month(parts: dict[str, str | None]) -> int:
    """Return the number of the month, or 0."""
    name = parts.get("name")
    if name is None:
        return int(parts.get("month") or 0)
    begun = (number for number, month in enumerate(_MONTHS, 1) if month.startswith(name))
    return next(begun, 0)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
