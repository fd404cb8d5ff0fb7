"""What has happened on a board: each event as the facts of one sentence to its reader."""

from collections.abc import Callable, Mapping

from pbm.domain.logs import EntryKind
from pbm.domain.match import Ending, Outcome, Reminder
from pbm.domain.offers import OfferKind
from pbm.domain.player import People
from pbm.engine import AnyGame, counted, listing
from pbm.mail.writing.board import Remark, forfeit_at
from pbm.mail.writing.happening_facts import (
    Agreed,
    Chatted,
    Dropped,
    Ended,
    Extended,
    Left,
    Moved,
    Offered,
    Queued,
    Rejected,
    Reminded,
    Reopened,
    Resumed,
    SeeksClosed,
    Started,
    Stopped,
    Swapped,
    TakenBack,
)
from pbm.mail.writing.wording import local_time, side_of, userid
from pbm.render.templates import Context
from pbm.service.notices.happenings import Event, Happening
from pbm.service.notices.play import BoardNotice


def sentence(happening: Happening, notice: BoardNotice) -> Context:
    """Return the context of the sentence that tells `happening` to the notice's reader."""
    return _SENTENCES[happening.event](happening, notice)


def remarks_of(notice: BoardNotice) -> tuple[Remark, ...]:
    """Return what was written with the happenings, each under its author's userid."""
    return tuple(
        Remark(_author(happening, notice), happening.comment)
        for happening in notice.happenings
        if happening.comment
    )


def _author(happening: Happening, notice: BoardNotice) -> str:
    if happening.actor is None:
        return "The operator"
    return userid(notice.people, happening.actor)


def actor_name(happening: Happening, notice: BoardNotice) -> str:
    """Return "You", the userid of the actor, or "The operator"."""
    if happening.actor is None:
        return "The operator"
    mine = happening.actor == notice.to.id
    return "You" if mine else userid(notice.people, happening.actor)


def seating(game: AnyGame, players: tuple[int, ...], people: People) -> str:
    """Return "alice is Eks (x), bob is Ohs (o)"."""
    sides = zip(game.info.seats, game.info.signs, players, strict=True)
    return ", ".join(f"{userid(people, p)} is {side_of(side, sign)}" for side, sign, p in sides)


def _started(_happening: Happening, notice: BoardNotice) -> Context:
    board = notice.board
    return Started(seating(board.game, board.match.players, notice.people))


def _left(happening: Happening, notice: BoardNotice) -> Context:
    return Left(actor_name(happening, notice))


def _moved(happening: Happening, notice: BoardNotice) -> Context:
    move = _as_said(happening.text)
    return Moved(actor_name(happening, notice), move, _was_mine_queued(happening, notice))


def _as_said(move: str) -> str:
    """Return a move for a sentence: a plain word in quotation marks, as in `played "first"`."""
    return f'"{move}"' if move.isalpha() else move


def _was_mine_queued(happening: Happening, notice: BoardNotice) -> bool:
    """Return whether the reader had queued this move; nobody is told what others have queued."""
    return happening.queued and happening.actor == notice.to.id


def _swapped(happening: Happening, notice: BoardNotice) -> Context:
    board = notice.board
    sides = seating(board.game, board.match.players, notice.people)
    return Swapped(actor_name(happening, notice), sides)


def _ended(happening: Happening, notice: BoardNotice) -> Context:
    match = notice.board.match
    outcome = match.outcome
    assert outcome is not None  # noqa: S101 - the event says that it is over
    winners = tuple(match.players[seat] for seat in outcome.winners)
    return Ended(
        actor=actor_name(happening, notice),
        move=_as_said(happening.text),
        queued=_was_mine_queued(happening, notice),
        resigned=outcome.ending is Ending.RESIGNED,
        agreed=outcome.ending is Ending.AGREED,
        late=_late(notice),
        declined=outcome.ending is Ending.DECLINED,
        decided=outcome.ending is Ending.ADJUDICATED,
        closed=outcome.ending is Ending.CLOSED,
        won=_won(notice, winners, outcome.ending),
        draw=outcome.counts and not winners,
        reason=notice.board.game.info.reasons.get(outcome.reason, ""),
        scores=" to ".join(map(str, outcome.scores)) if outcome.scores else "",
    )


def _seeks_closed(_happening: Happening, _notice: BoardNotice) -> Context:
    return SeeksClosed()


def _won(notice: BoardNotice, winners: tuple[int, ...], ending: Ending) -> str:
    reader = notice.to.id
    if reader in winners and len(winners) == 1:
        return "You won"
    if not winners:
        return ""
    others = f"{listing((userid(notice.people, winner) for winner in winners), last='and')} won"
    if reader not in notice.board.match.players or ending in _LOST_BY_THE_LOSER:
        return others
    return f"You lost; {others}"


_LOST_BY_THE_LOSER = (Ending.RESIGNED, Ending.FORFEITED)
"""The ends whose sentence says already who has lost."""


def _late(notice: BoardNotice) -> str:
    """Return "You" or the userid of the player whose time was over; "" if nobody's was."""
    match = notice.board.match
    last = match.log[-1] if match.log else None
    if last is None or last.kind is not EntryKind.FORFEIT or last.seat is None:
        return ""
    player = match.players[last.seat]
    return "You" if player == notice.to.id else userid(notice.people, player)


def _taken_back(happening: Happening, notice: BoardNotice) -> Context:
    actor = actor_name(happening, notice) if happening.actor else ""
    return TakenBack(actor, happening.text)


def _reopened(happening: Happening, notice: BoardNotice) -> Context:
    ending = Ending(happening.text)
    counted = Outcome(ending).counts and notice.board.match.terms.rated
    return Reopened(_ENDS_TAKEN_BACK[ending], counted)


_ENDS_TAKEN_BACK = {
    Ending.RESIGNED: "the resignation",
    Ending.AGREED: "the draw",
    Ending.FORFEITED: "the loss on time",
    Ending.DECLINED: "the refusal of the match",
    Ending.ADJUDICATED: "their decision",
    Ending.CLOSED: "the end of the match",
}
"""What the operator takes back, by how the match had ended. An end by rule goes with its move."""


def _offered(happening: Happening, notice: BoardNotice) -> Context:
    draw = happening.text == OfferKind.DRAW
    return Offered(actor_name(happening, notice), draw)


def _agreed(happening: Happening, notice: BoardNotice) -> Context:
    draw = happening.text == OfferKind.DRAW
    return Agreed(actor_name(happening, notice), draw)


def _rejected(happening: Happening, notice: BoardNotice) -> Context:
    draw = happening.text == OfferKind.DRAW
    return Rejected(actor_name(happening, notice), draw)


def _chatted(happening: Happening, notice: BoardNotice) -> Context:
    return Chatted(actor_name(happening, notice))


def _queued(happening: Happening, _notice: BoardNotice) -> Context:
    return Queued(happening.text)


def _dropped(happening: Happening, _notice: BoardNotice) -> Context:
    return Dropped(happening.text)


def _reminded(happening: Happening, notice: BoardNotice) -> Context:
    end = forfeit_at(notice.board)
    return Reminded(
        last=happening.text == Reminder.WARNING.name,
        since=local_time(notice.board.match.turn_since, notice.to),
        deadline=local_time(end, notice.to) if end else "",
    )


def _extended(happening: Happening, _notice: BoardNotice) -> Context:
    return Extended(counted(int(happening.text), "day"))


def _stopped(_happening: Happening, _notice: BoardNotice) -> Context:
    return Stopped()


def _resumed(_happening: Happening, _notice: BoardNotice) -> Context:
    return Resumed()


_SENTENCES: Mapping[Event, Callable[[Happening, BoardNotice], Context]] = {
    Event.STARTED: _started,
    Event.LEFT: _left,
    Event.MOVED: _moved,
    Event.SWAPPED: _swapped,
    Event.ENDED: _ended,
    Event.SEEKS_CLOSED: _seeks_closed,
    Event.TAKEN_BACK: _taken_back,
    Event.REOPENED: _reopened,
    Event.OFFERED: _offered,
    Event.AGREED: _agreed,
    Event.REJECTED: _rejected,
    Event.CHATTED: _chatted,
    Event.QUEUED: _queued,
    Event.DROPPED: _dropped,
    Event.REMINDED: _reminded,
    Event.EXTENDED: _extended,
    Event.STOPPED: _stopped,
    Event.RESUMED: _resumed,
}
"""What is said about each event; a test compares it with `Event`."""
