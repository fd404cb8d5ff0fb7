"""Offers at a board: made, agreed to, turned down."""

from collections.abc import Iterator

from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, open_offer, reject
from pbm.domain.play import LiveMatch, seat_of
from pbm.engine import Seat, listing
from pbm.service.context import Context, board_notices
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening


def make_offer(context: Context, number: int | None, kind: OfferKind) -> Iterator[Notice]:
    """Offer a draw or ask for an undo; accept if the opponent already offers the same."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    if offered and offered.seat != seat and offered.kind is kind:
        yield from accept_offer(context, number)
        return
    after = offer(board, seat, kind, comment=context.comment, now=context.now)
    yield from _changed(context, board, after, Event.OFFERED, kind)


def accept_offer(context: Context, number: int | None) -> Iterator[Notice]:
    """Agree to what the opponent offers."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    seen = context.ply_seen(board.match.number)
    after = accept(board, seat, seen=seen, comment=context.comment, now=context.now)
    if offered and offered.kind is OfferKind.UNDO:
        moves = listing(moves_of_undo(board.match, offered.seat), last="and")
        yield from _changed(context, board, after, Event.TAKEN_BACK, moves)
    else:
        yield from _changed(context, board, after, Event.ENDED, "")


def reject_offer(context: Context, number: int | None) -> Iterator[Notice]:
    """Say no to what the opponent offers."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    seen = context.ply_seen(board.match.number)
    after = reject(board, seat, seen=seen, comment=context.comment, now=context.now)
    yield from _changed(context, board, after, Event.REJECTED, offered.kind if offered else "")


def _seated(context: Context, number: int | None) -> tuple[LiveMatch, Seat]:
    player = context.sender()
    board = context.board(number)
    return board, seat_of(board, player.id)


def _changed(
    context: Context, before: LiveMatch, after: LiveMatch, event: Event, text: str
) -> Iterator[Notice]:
    after = context.boards.save(before, after)
    happening = Happening(event, context.sender().id, text, context.comment)
    yield from board_notices(context, after, happening)
