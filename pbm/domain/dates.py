"""Days and times as people write them.

A date is 2026-12-24, 24 Dec, 24 December 2026, Dec 24, 24.12. or 24.12.2026. Nothing else is
read: 12/24 and 24/12 mean different days to different people.
"""

import re
from datetime import date, timedelta

from pbm.engine import counted, fold

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
    return f"{day.day} {_MONTHS[day.month - 1][:3].capitalize()} {day.year}"


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
