"""Offers at a board: a draw, to take moves back, a pause; made, accepted, rejected."""

from collections.abc import Iterator, Sequence
from functools import partial

from pbm.core.audience import save_and_report
from pbm.core.command import BoardNumber, Count, Proof, command
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.core.letters import Message
from pbm.core.limits import Limit, count_each
from pbm.core.plies import ENDED
from pbm.domain.errors import NotAllowed
from pbm.domain.invitations import StandingAnswer
from pbm.domain.offers import OfferKind, accept, moves_of_undo, offer, open_offer
from pbm.domain.offers import reject as rejected
from pbm.domain.play import Board, seat_of
from pbm.domain.player import Player
from pbm.domain.robots import ThoughtKind
from pbm.engine import counted, listing
from pbm.features.closed_invitations import decline_invitation
from pbm.features.extra_time import MOST_DAYS, read_days, written_days
from pbm.features.settings import read_answer
from pbm.features.turns import seated

OFFERS = Limit("offer", 30, 10)
"""Offers that one player makes in an hour."""


def _offered(seen: SeenHappening) -> str:
    kind, _, days = seen.text.partition(" ")
    asked = "asked to take a move back" if kind == OfferKind.UNDO else f"offered a {kind}"
    return f"{seen.actor} {asked}{f' of {_days(days)}' if days else ''}."


def _days(text: str) -> str:
    return counted(int(text), "day")


def _taken_back(seen: SeenHappening) -> str:
    who = f"{seen.actor} agreed to take back {seen.text}."
    if seen.happening.actor is None:
        who = f"The operator of the server has taken back {seen.text}, the last move."
    return f"{who} Moves that were queued are forgotten."


OFFERED = Event("offered", _offered, Effect.OFFER)
AGREED = Event("agreed", lambda seen: f"{seen.actor} accepted the {seen.text}.", Effect.OFFER)
REJECTED = Event("rejected", lambda seen: f"{seen.actor} declined the {seen.text}.", Effect.OTHER)
PAUSED = Event(
    "paused", lambda seen: f"{seen.actor} accepted the pause of {_days(seen.text)}.", Effect.OTHER
)
TAKEN_BACK = Event("taken_back", _taken_back, Effect.UNDO)


@command(
    "draw", "B [userid password]", "offers a draw",
    "draw 104 alice your-password", needs=Proof.BOARD, aliases=("propose",),
    text="You can write it on the line below a move. Your opponent replies accept or reject; "
         "making a move also declines it. The clock of the player to move keeps running.",
)  # fmt: skip
def draw(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Offer a draw."""
    return _offer(context, number, OfferKind.DRAW)


@command(
    "undo", "B [userid password]", "asks to take back your last move",
    "undo 104 alice your-password", needs=Proof.BOARD, aliases=("takeback",),
    text="If the opponent replies accept, the board goes back to how it was before your "
         "last move, and it is your turn. Queued moves of both players are then forgotten.",
)  # fmt: skip
def undo(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Ask to take one's last move back."""
    return _offer(context, number, OfferKind.UNDO)


@command(
    "pause", "B [userid password] N days", "offers to stop the clocks for some days",
    "pause 104 alice your-password 5 days", needs=Proof.BOARD, read=read_days,
    writes=written_days, opens=lambda line: any(map(str.isdigit, line)),
    text=f"The clocks of this board are stopped once all players accept, for at most {MOST_DAYS} "
         "days. You can move all the same. vacation stops your own clocks without asking.",
)  # fmt: skip
def pause(context: Context, number: BoardNumber, days: Count) -> Iterator[Message]:
    """Offer a pause of so many days."""
    return _offer(context, number, OfferKind.PAUSE, days)


@command(
    "reject", "B [userid password]", "declines an offer",
    "reject 104 bob your-password", needs=Proof.BOARD,
    read=partial(read_answer, StandingAnswer.REJECT),
    text="It also declines an invitation, like decline.",
)  # fmt: skip
def reject(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Reject an offer, or decline an invitation."""
    number = context.board_number(number)
    if context.work.matches.get(number) is not None:
        return reject_offer(context, number)
    return decline_invitation(context, context.sender(), number)


def _offer(
    context: Context, number: int | None, kind: OfferKind, days: int = 0
) -> Iterator[Message]:
    """Make an offer; accept if an opponent already offers the same."""
    board, seat = seated(context, number)
    offered = open_offer(board.match)
    if offered and offered.seat != seat and (offered.kind, offered.days) == (kind, days):
        yield from accept_offer(context, number)
        return
    after = offer(board, seat, kind, days=days, comment=context.comment, now=context.now)
    others = context.people({*after.match.players} - {context.sender().id}).values()
    robots = [player for player in others if player.is_robot]
    if kind is OfferKind.PAUSE and robots:
        raise NotAllowed(f"{robots[0].userid} agrees to no pause. vacation stops your clocks.")
    # Each comes with a text, which robots do not read.
    people = [player for player in others if not player.is_robot]
    count_each(context, OFFERS, context.sender(), people)
    if kind is OfferKind.UNDO and robots:
        yield from _undo_with_robots(context, board, after, robots)
        return
    made = open_offer(after.match)
    yield from _changed(context, board, after, OFFERED, made.text if made else kind)
    for robot in robots:
        number, asking = board.match.number, context.sender().id
        context.work.thoughts.add(ThoughtKind.ANSWER, number, robot.id, context.now, asking)


def _undo_with_robots(
    context: Context, before: Board, asked: Board, robots: Sequence[Player]
) -> Iterator[Message]:
    """Ask for an undo to which `robots` agree at once, unless it is rated; people are asked."""
    if before.match.terms.rated:
        raise NotAllowed(
            f"{robots[0].userid} takes no moves back in rated matches, so that ratings mean "
            "something.",
            f"show {before.match.number}",
        )
    moves = _moves_offered(asked)
    for robot in robots:
        seat = seat_of(asked, robot.id)
        asked = accept(asked, seat, seen=None, comment="", now=context.now)
    if open_offer(asked.match):
        yield from _changed(context, before, asked, OFFERED, OfferKind.UNDO)
    else:
        taken_back = Happening(TAKEN_BACK, robots[-1].id, moves, context.comment)
        yield from save_and_report(context, before, asked, taken_back)


def accept_offer(context: Context, number: int | None) -> Iterator[Message]:
    """Accept what an opponent offers."""
    board, seat = seated(context, number)
    offered = open_offer(board.match)
    seen = context.ply_seen(board.match.number)
    after = accept(board, seat, seen=seen, comment=context.comment, now=context.now)
    if offered and open_offer(after.match):
        yield from _changed(context, board, after, AGREED, offered.kind)
    elif offered and offered.kind is OfferKind.UNDO:
        yield from _changed(context, board, after, TAKEN_BACK, _moves_offered(board))
    elif offered and offered.kind is OfferKind.PAUSE:
        yield from _changed(context, board, after, PAUSED, str(offered.days))
    else:
        yield from _changed(context, board, after, ENDED, "")


def reject_offer(context: Context, number: int | None) -> Iterator[Message]:
    """Reject what an opponent offers."""
    board, seat = seated(context, number)
    offered = open_offer(board.match)
    seen = context.ply_seen(board.match.number)
    after = rejected(board, seat, seen=seen, comment=context.comment, now=context.now)
    yield from _changed(context, board, after, REJECTED, offered.kind if offered else "")


def _moves_offered(board: Board) -> str:
    """Return the moves that an offered undo takes back, for a sentence."""
    offered = open_offer(board.match)
    return listing(moves_of_undo(board.match, offered.seat), last="and") if offered else ""


def _changed(
    context: Context, before: Board, after: Board, event: Event, text: str
) -> Iterator[Message]:
    happening = Happening(event, context.sender().id, text, context.comment)
    return save_and_report(context, before, after, happening)
