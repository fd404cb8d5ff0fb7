"""Who gets what the operator writes to all players."""

from pbm.domain.player import Player
from pbm.domain.settings import NEWS, chosen


def gets_circulars(player: Player) -> bool:
    """Return whether a player is written to: active, reachable, and not tired of it."""
    return player.active and player.address is not None and chosen(NEWS, player.settings) == "yes"
