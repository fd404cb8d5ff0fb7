"""A player of whom nobody knew whether he is there has written: what that changes."""

from collections.abc import Iterator

from pbm.domain.player import Player
from pbm.service.absence import ask_no_more
from pbm.service.bounces import heard_from
from pbm.service.context import Context
from pbm.service.notices import Notice


def returned(context: Context, player: Player) -> tuple[Player, list[Notice]]:
    """Return the player, who has proven to have written, as he is now, and who is told what of it.

    Nothing has changed as a rule: only if nobody knew whether he is there, or could reach him.
    """
    if player.missing_since is None and context.author not in player.troubles:
        return player, []
    notices = list(came_back(context, player))
    return context.people([player.id])[player.id], notices


def came_back(context: Context, player: Player) -> Iterator[Notice]:
    """Take back what was done because `player` seemed to be missing; he has proven who he is."""
    context.work.players.set_missing(player.id, None)
    ask_no_more(context, player)
    yield from heard_from(context, player)
