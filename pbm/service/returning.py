"""A player of whom nobody knew whether he is there has written: what that changes."""

from collections.abc import Iterator

from pbm.domain.player import Player
from pbm.service.context import Context
from pbm.service.notices import Notice


def came_back(context: Context, player: Player) -> Iterator[Notice]:
    """Take back what was done because `player` seemed to be missing; he has proven who he is."""
    context.work.players.set_missing(player.id, None)
    yield from ()
