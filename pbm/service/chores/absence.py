"""Players who did not say that they stay: what waits for them is closed, no more."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from pbm.domain.confirmations import STAY_LASTS, Errand, ErrandKind
from pbm.domain.invitations import Invitation
from pbm.domain.player import Player
from pbm.service.chores.base import Chore, Due, outlived, tell
from pbm.service.context import Context
from pbm.service.steps.invitations import close_invitation, closed

BATCH = 100
"""Players in one transaction."""

ALL = 1_000_000


def _due(context: Context) -> Iterator[Due]:
    for end, errand in _unanswered(context, ALL):
        yield Due(end, "silence", context.people([errand.player])[errand.player].userid)


def _carry_out(context: Context) -> Counter[str]:
    unanswered = _unanswered(context, BATCH)
    for _, errand in unanswered:
        context.work.errands.done(errand.id, context.now)
        _close_all(context, context.people([errand.player])[errand.player])
    return +Counter({"silence": len(unanswered)})


def _unanswered(context: Context, most: int) -> list[tuple[datetime, Errand]]:
    until = context.now - STAY_LASTS
    asked = context.work.errands.waiting(ErrandKind.STAY, until, most)
    return outlived(context, asked, STAY_LASTS)


def _close_all(context: Context, player: Player) -> None:
    """Close the seeks of `player`, and the invitations made by them or waiting for them."""
    for seek in context.work.wishes.seeks_of(player.id):
        context.work.wishes.set_seek(replace(seek, count=0))
    for invitation in _invitations(context, player):
        close_invitation(context, invitation)
        about = f"the end of invitation {invitation.number}"
        tell(context, closed(context, invitation, absent=player), about)


def _invitations(context: Context, player: Player) -> tuple[Invitation, ...]:
    invitations = context.work.invitations
    found = (*invitations.open_for(player.id), *invitations.open_by(player.id))
    return tuple({invitation.number: invitation for invitation in found}.values())


ABSENCE = Chore("absence", _due, _carry_out)
"""Closing what waits for silent players."""
