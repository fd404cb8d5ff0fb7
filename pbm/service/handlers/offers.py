"""Offers of a draw or an undo, and how to reject them."""

from collections.abc import Iterator, Mapping

from pbm.service.commands.offers import Offer, Reject
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.steps.invitations import decline_invitation
from pbm.service.steps.offers import make_offer, reject_offer


def offer(context: Context, command: Offer) -> Iterator[Message]:
    """Offer a draw or ask for an undo."""
    yield from make_offer(context, command.number, command.kind)


def reject(context: Context, command: Reject) -> Iterator[Message]:
    """Say no to an offer, or to an invitation."""
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from reject_offer(context, number)
    else:
        yield from decline_invitation(context, context.sender(), number)


HANDLERS: Mapping[type, Handler] = {Offer: offer, Reject: reject}
