"""Offers at a board: made, agreed to, turned down."""

from collections.abc import Iterator, Sequence

from pbm.domain.errors import NotAllowed
from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, open_offer, reject
from pbm.domain.play import LiveMatch, seat_of
from pbm.domain.player import Player
from pbm.domain.robots import ThoughtKind
from pbm.engine import Seat, listing
from pbm.service.board_messages import Event, Happening
from pbm.service.context import Context, board_notices
from pbm.service.letters import Message
from pbm.service.steps.bounds import OFFERS, count_each


def make_offer(context: Context, number: int | None, kind: OfferKind) -> Iterator[Message]:
    """Offer a draw or ask for an undo; accept if an opponent already offers the same."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    if offered and offered.seat != seat and offered.kind is kind:
        yield from accept_offer(context, number)
        return
    after = offer(board, seat, kind, comment=context.comment, now=context.now)
    others = context.people({*after.match.players} - {context.sender().id}).values()
    robots = [player for player in others if player.is_robot]
    # Each comes with a text, which robots do not read.
    people = [player for player in others if not player.is_robot]
    count_each(context, OFFERS, context.sender(), people)
    if kind is OfferKind.UNDO and robots:
        yield from _asked_of_robots(context, board, after, robots)
        return
    yield from _changed(context, board, after, Event.OFFERED, kind)
    for robot in robots:
        number, asking = board.match.number, context.sender().id
        context.work.thoughts.add(ThoughtKind.ANSWER, number, robot.id, context.now, asking)


def _asked_of_robots(
    context: Context, before: LiveMatch, asked: LiveMatch, robots: Sequence[Player]
) -> Iterator[Message]:
    """Ask for an undo to which `robots` agree at once, unless it counts; people are asked."""
    if before.match.terms.rated:
        raise NotAllowed(
            f"{robots[0].userid} takes nothing back in a rated match, so that ratings mean "
            "something.",
            f"show {before.match.number}",
        )
    moves = _moves_offered(asked)
    for robot in robots:
        seat = seat_of(asked, robot.id)
        asked = accept(asked, seat, seen=None, comment="", now=context.now)
    if open_offer(asked.match):
        yield from _changed(context, before, asked, Event.OFFERED, OfferKind.UNDO)
    else:
        after = context.boards.save(before, asked)
        taken_back = Happening(Event.TAKEN_BACK, robots[-1].id, moves, context.comment)
        yield from board_notices(context, after, taken_back)


def accept_offer(context: Context, number: int | None) -> Iterator[Message]:
    """Agree to what an opponent offers."""
    board, seat = _seated(context, number)
    offered = open_offer(board.match)
    seen = context.ply_seen(board.match.number)
    after = accept(board, seat, seen=seen, comment=context.comment, now=context.now)
    if offered and open_offer(after.match):
        yield from _changed(context, board, after, Event.AGREED, offered.kind)
    elif offered and offered.kind is OfferKind.UNDO:
        yield from _changed(context, board, after, Event.TAKEN_BACK, _moves_offered(board))
    else:
        yield from _changed(context, board, after, Event.ENDED, "")


def _moves_offered(board: LiveMatch) -> str:
    """Return the moves that an offered undo takes back, for a sentence."""
    offered = open_offer(board.match)
    return listing(moves_of_undo(board.match, offered.seat), last="and") if offered else ""


def reject_offer(context: Context, number: int | None) -> Iterator[Message]:
    """Say no to what an opponent offers."""
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
) -> Iterator[Message]:
    after = context.boards.save(before, after)
    happening = Happening(event, context.sender().id, text, context.comment)
    yield from board_notices(context, after, happening)
