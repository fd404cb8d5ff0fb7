"""The windows of time in which events are counted (`UnitOfWork.tally`)."""

from datetime import datetime


def hour_of(now: datetime) -> datetime:
    """Return the beginning of the hour that `now` lies in."""
    return now.replace(minute=0, second=0, microsecond=0)


def day_of(now: datetime) -> datetime:
    """Return the beginning of the day, in UTC, that `now` lies in."""
    return hour_of(now).replace(hour=0)
