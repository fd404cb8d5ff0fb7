"""Offers at a board: made, agreed to, turned down."""

from collections.abc import Iterator

from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, reject, standing_offer
from pbm.domain.play import LiveMatch, seat_of
from pbm.engine import Seat, listing
from pbm.service.context import Context, board_notices
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening


def make_offer(context: Context, board: int | None, kind: OfferKind) -> Iterator[Notice]:
    """Offer a draw or ask for an undo; the same from the opponent is taken up by it."""
    table, seat = _seated(context, board)
    standing = standing_offer(table.match)
    if standing and standing.seat != seat and standing.kind is kind:
        yield from accept_offer(context, board)
        return
    after = offer(table, seat, kind, comment=context.comment, now=context.now)
    yield from _changed(context, table, after, Event.OFFERED, kind)


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
