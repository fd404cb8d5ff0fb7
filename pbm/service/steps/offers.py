"""Offers at a board: made, agreed to, turned down."""

from collections.abc import Iterator

from pbm.domain.errors import NotAllowed
from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, open_offer, reject
from pbm.domain.play import LiveMatch, seat_of
from pbm.domain.player import Player
from pbm.domain.robots import ThoughtKind
from pbm.engine import Seat, listing
from pbm.service.context import Context, board_notices
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening
from pbm.service.steps.bounds import OFFERS, count_each
from pbm.service.steps.robots import robots_opposite


def make_offer(context: Context, number: int | None, kind: OfferKind) -> Iterator[Notice]:
    """Offer a draw or ask for an undo; accept if the opponent already offers the same."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    if offered and offered.seat != seat and offered.kind is kind:
        yield from accept_offer(context, number)
        return
    after = offer(board, seat, kind, comment=context.comment, now=context.now)
    robots = robots_opposite(context, board, context.sender())
    if not robots:
        _count(context, board)
        yield from _changed(context, board, after, Event.OFFERED, kind)
    elif kind is OfferKind.UNDO:
        yield from _taken_back_at_once(context, board, after, seat, robots[0])
    else:
        yield from _changed(context, board, after, Event.OFFERED, kind)
        for robot in robots:
            number = board.match.number
            asking = context.sender().id
            context.work.thoughts.add(ThoughtKind.ANSWER, number, robot.id, context.now, asking)


def _count(context: Context, board: LiveMatch) -> None:
    """Count an offer to people; raise NotNow if they had their share: each comes with a text."""
    sender = context.sender()
    others = {*board.match.players} - {sender.id}
    count_each(context, OFFERS, sender, context.people(others).values())


def _taken_back_at_once(
    context: Context, before: LiveMatch, asked: LiveMatch, seat: Seat, robot: Player
) -> Iterator[Notice]:
    """Take back what the player at `seat` asks the `robot` for, which agrees unless it counts."""
    if before.match.terms.rated:
        raise NotAllowed(
            f"{robot.userid} takes nothing back in a rated match, so that ratings mean something.",
            f"show {before.match.number}",
        )
    moves = listing(moves_of_undo(before.match, seat), last="and")
    answering = seat_of(asked, robot.id)
    after = accept(asked, answering, seen=None, comment="", now=context.now)
    after = context.boards.save(before, after)
    happening = Happening(Event.TAKEN_BACK, robot.id, moves, context.comment)
    yield from board_notices(context, after, happening)


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
