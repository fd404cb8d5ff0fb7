"""Blocks between two players, which they meet before they talk."""

from collections.abc import Iterable

from pbm.domain.errors import NotAllowed
from pbm.domain.player import Player, PlayerId
from pbm.service.context import Context


def check_not_blocking(context: Context, player: Player, others: Iterable[Player]) -> None:
    """Raise NotAllowed if `player` blocks one of `others`, who could not answer them."""
    blocked = context.work.blocks.blocked_by(player.id)
    for other in others:
        if other.id in blocked:
            raise NotAllowed(
                f"You block {other.userid}, who could not answer you. Unblock them first.",
                f"unblock {player.userid} your-password {other.userid}",
            )


def apart_from(context: Context, player: Player) -> frozenset[PlayerId]:
    """Return whom `player` blocks, and who blocks them: no seek pairs these."""
    blocks = context.work.blocks
    return blocks.blocked_by(player.id) | blocks.blockers_of(player.id)
