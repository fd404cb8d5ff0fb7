"""Times in the zone that the reader has set, with date, year and zone.

The zone's abbreviation tells apart the hour that occurs twice in autumn.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbm.domain.player import Player
from pbm.engine import counted
from pbm.service.zones import zone_of

_HOUR = timedelta(hours=1)

_DAY = timedelta(days=1)


def local_time(when: datetime, reader: Player) -> str:
    """Return "Fri 11 Dec 2026 13:00 CET (Europe/Berlin)" for an aware `when`.

    A reader who has set no zone gets UTC.
    """
    return _told(when.astimezone(zone_of(reader)))


def utc_time(when: datetime) -> str:
    """Return "Fri 11 Dec 2026 12:00 UTC" for an aware `when`, as the operator reads it."""
    return _told(when.astimezone(UTC))


def _told(there: datetime) -> str:
    return f"{there:%a} {there.day} {there:%b %Y %H:%M} {_zone(there)}"


def _zone(there: datetime) -> str:
    short = there.tzname() or ""
    if not short.isalpha():
        # Zones without letters of their own are named by their offset, such as "-03".
        short = _distance(there.utcoffset() or timedelta(0))
    zone = there.tzinfo
    return f"{short} ({zone.key})" if isinstance(zone, ZoneInfo) else short


def _distance(offset: timedelta) -> str:
    """Return "UTC-3", "UTC+5:30", or "UTC" where there is none."""
    hours, rest = divmod(abs(offset), _HOUR)
    minutes = f":{rest.seconds // 60:02}" if rest else ""
    sign = "-" if offset < timedelta(0) else "+"
    return f"UTC{sign}{hours}{minutes}" if offset else "UTC"


def time_left(left: timedelta) -> str:
    """Return "14 days", below two days "47 hours", and at the end "less than an hour".

    The time is rounded down, so that nobody counts on more than they have.
    """
    if left >= 2 * _DAY:
        return counted(left // _DAY, "day")
    if left >= _HOUR:
        return counted(left // _HOUR, "hour")
    return "less than an hour"
