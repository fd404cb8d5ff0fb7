"""Times as a reader lives by them: in the zone that he has set, with date, year and zone."""

from datetime import UTC as UTC_ZONE
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbm.domain.player import Player
from pbm.domain.settings import UTC, ZONE


def local_time(when: datetime, reader: Player) -> str:
    """Return "Fri 11 Dec 2026 13:00 Europe/Berlin" for an aware `when`.

    A zone that this machine does not know, after a move to another one, is told in UTC.
    """
    name = reader.settings.get(ZONE, UTC)
    zone: tzinfo = UTC_ZONE
    if name != UTC:
        try:
            zone = ZoneInfo(name)
        except ZoneInfoNotFoundError:
            name = UTC
    there = when.astimezone(zone)
    return f"{there:%a} {there.day} {there:%b %Y %H:%M} {name}"
