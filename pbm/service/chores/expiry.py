"""What expires: invitations that not everybody has answered, and seeks that have found nobody.

Neither ages while everybody's clocks stand.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from pbm.domain.invitations import INVITATION_LASTS, SEEK_LASTS, Invitation, Seek
from pbm.domain.player import PlayerId
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.notices.wishes import SeekClosed
from pbm.service.robots import robot_line
from pbm.service.schedule import Due, ScheduledJob, outlived, tell
from pbm.service.steps.invitations import close_invitation, closed
from pbm.service.tokens import player_token

BATCH = 200
"""Invitations, and likewise seeks, in one transaction."""

ALL = 1_000_000


def _due(context: Context) -> Iterator[Due]:
    for end, invitation in _invitations(context, ALL):
        inviter = _name(context, invitation.inviter)
        yield Due(end, "expired invitation", inviter, invitation.number)
    for end, seek in _seeks(context, ALL):
        yield Due(end, "expired seek", _name(context, seek.player))


def _carry_out(context: Context) -> Counter[str]:
    invitations, seeks = _invitations(context, BATCH), _seeks(context, BATCH)
    for _, invitation in invitations:
        close_invitation(context, invitation)
        tell(context, closed(context, invitation), f"the end of invitation {invitation.number}")
    for _, seek in seeks:
        context.work.wishes.set_seek(replace(seek, count=0))
        tell(context, _seek_closed(context, seek), f"the end of a seek of {seek.game}")
    return +Counter({"expired invitation": len(invitations), "expired seek": len(seeks)})


def _invitations(context: Context, most: int) -> list[tuple[datetime, Invitation]]:
    made = context.work.invitations.open_since(context.now - INVITATION_LASTS, most)
    return outlived(context, made, INVITATION_LASTS)


def _seeks(context: Context, most: int) -> list[tuple[datetime, Seek]]:
    made = context.work.wishes.seeks_since(context.now - SEEK_LASTS, most)
    return outlived(context, made, SEEK_LASTS)


def _seek_closed(context: Context, seek: Seek) -> Iterator[Message]:
    player = context.people([seek.player])[seek.player]
    if player.active:
        game = context.services.catalogue.get(seek.game)
        robot = robot_line(context, seek.game)
        yield SeekClosed(player, seek, game, robot, reply=player_token(player.id))


def _name(context: Context, player: PlayerId) -> str:
    return context.people([player])[player].userid


EXPIRY = ScheduledJob("expiry", _due, _carry_out)
"""Closing expired invitations and seeks."""
