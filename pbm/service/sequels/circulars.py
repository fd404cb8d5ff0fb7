"""The operator's letter to all players, some of them at a time."""

from pbm.service.context import Context
from pbm.service.followup import Part
from pbm.service.notices.circulars import Circular
from pbm.service.ports import Sequel
from pbm.service.steps.circulars import gets_circulars
from pbm.service.tokens import player_token

BATCH = 25
"""Players in one part: to compose their mails takes a fortieth of a second."""


def tell_players(context: Context, sequel: Sequel) -> Part:
    """Write to the next players, in the order of their accounts."""
    subject, text = sequel.facts["subject"], sequel.facts["text"]
    batch = context.work.players.all_active(after=sequel.done_up_to, limit=BATCH)
    notices = tuple(
        Circular(player, subject, text, reply=player_token(player.id))
        for player in batch
        if gets_circulars(player)
    )
    return Part(notices, batch[-1].id if batch else None)
