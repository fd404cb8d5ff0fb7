"""The time zone that a player has set."""

from datetime import UTC as UTC_ZONE
from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbm.domain.player import Player
from pbm.domain.settings import UTC, ZONE


def zone_of(player: Player) -> tzinfo:
    """Return the zone of `player`: UTC unless they have set one.

    A zone that this machine does not know, such as after a move to another one, is taken as UTC.
    """
    name = player.settings.get(ZONE, UTC)
    if name == UTC:
        return UTC_ZONE
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return UTC_ZONE
