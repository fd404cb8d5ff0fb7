"""A player has left: what they have begun ends, a few boards at a time."""

from pbm.service.context import Context
from pbm.service.ports import Sequel
from pbm.service.schedule import Part
from pbm.service.steps.leaving import end_some

BATCH = 3
"""Boards and invitations in one part; a long board takes a hundredth of a second or two."""


def go_on_leaving(context: Context, sequel: Sequel) -> Part:
    """End a few of the boards and invitations of the player; at last forget their addresses."""
    player = context.people([sequel.player or 0])[sequel.player or 0]
    told, finished = end_some(context, player, BATCH)
    return Part(tuple(told), None if finished else sequel.done_up_to)
