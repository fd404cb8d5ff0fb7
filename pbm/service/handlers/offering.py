"""Offers: a draw, or a move taken back, and the answers to them."""

from collections.abc import Iterator

from pbm.domain.commands import Offer
from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, reject, standing_offer
from pbm.domain.playing import LiveMatch, seat_of
from pbm.engine import Seat, listing
from pbm.service.context import Context, board_notices
from pbm.service.happenings import Event, Happening
from pbm.service.notices import Notice


def make_offer(context: Context, command: Offer) -> Iterator[Notice]:
    """Offer a draw or ask for an undo; the same from the opponent is taken up by it."""
    table, seat = _seated(context, command.board)
    standing = standing_offer(table.match)
    if standing and standing.seat != seat and standing.kind is command.kind:
        yield from accept_offer(context, command.board)
        return
    after = offer(table, seat, command.kind, comment=context.comment, now=context.now)
    yield from _changed(context, table, after, Event.OFFERED, command.kind)


def accept_offer(context: Context, board: int | None) -> Iterator[Notice]:
    """Agree to what the opponent offers."""
    table, seat = _seated(context, board)
    standing = standing_offer(table.match)
    seen = context.ply_seen(table.match.number)
    after = accept(table, seat, seen=seen, comment=context.comment, now=context.now)
    if standing and standing.kind is OfferKind.UNDO:
        moves = listing(moves_of_undo(table.match, standing.seat), last="and")
        yield from _changed(context, table, after, Event.TAKEN_BACK, moves)
    else:
        yield from _changed(context, table, after, Event.ENDED, "")


def reject_offer(context: Context, board: int | None) -> Iterator[Notice]:
    """Say no to what the opponent offers."""
    table, seat = _seated(context, board)
    standing = standing_offer(table.match)
    seen = context.ply_seen(table.match.number)
    after = reject(table, seat, seen=seen, comment=context.comment, now=context.now)
    yield from _changed(context, table, after, Event.REJECTED, standing.kind if standing else "")


def _seated(context: Context, board: int | None) -> tuple[LiveMatch, Seat]:
    player = context.sender()
    table = context.table(board)
    return table, seat_of(table, player.id)


def _changed(
    context: Context, before: LiveMatch, after: LiveMatch, event: Event, text: str
) -> Iterator[Notice]:
    after = context.tables.save(before, after)
    happening = Happening(event, context.sender().id, text, context.comment)
    yield from board_notices(context, after, happening)
