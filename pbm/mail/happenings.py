"""What has happened on a board, each as the facts of one sentence."""

from collections.abc import Callable, Mapping

from pbm.domain.match import Ending, EntryKind, Reminder
from pbm.domain.offers import OfferKind
from pbm.domain.player import People
from pbm.engine import AnyGame, counted
from pbm.mail import contexts, happening_contexts
from pbm.mail.board_facts import forfeit_at
from pbm.mail.local_time import local_time
from pbm.mail.move_list import userid
from pbm.mail.talk_contexts import Chatted
from pbm.render.templates import Context
from pbm.service.happenings import Event, Happening
from pbm.service.notices import BoardNotice


def sentence(happening: Happening, notice: BoardNotice) -> Context:
    """Return the context of the sentence that tells `happening` to the notice's reader."""
    return _SENTENCES[happening.event](happening, notice)


def remarks_of(notice: BoardNotice) -> tuple[contexts.Remark, ...]:
    """Return what was written with the happenings, each under its author's userid."""
    return tuple(
        contexts.Remark(userid(notice.people, happening.actor or 0), happening.comment)
        for happening in notice.happenings
        if happening.comment
    )


def actor_name(happening: Happening, notice: BoardNotice) -> str:
    """Return "You" or the userid of who did it."""
    if happening.actor is None:
        return "The operator"
    mine = happening.actor == notice.to.id
    return "You" if mine else userid(notice.people, happening.actor)


def seating(game: AnyGame, players: tuple[int, ...], people: People) -> str:
    """Return "alice is Eks (x), bob is Ohs (o)"."""
    sides = zip(game.info.seats, game.info.signs, players, strict=True)
    return ", ".join(f"{userid(people, p)} is {side} ({sign})" for side, sign, p in sides)


def _started(_happening: Happening, notice: BoardNotice) -> Context:
    table = notice.table
    return happening_contexts.Started(seating(table.game, table.match.players, notice.people))


def _left(happening: Happening, notice: BoardNotice) -> Context:
    return happening_contexts.Left(actor_name(happening, notice))


def _moved(happening: Happening, notice: BoardNotice) -> Context:
    return happening_contexts.Moved(actor_name(happening, notice), happening.text, happening.queued)


def _swapped(happening: Happening, notice: BoardNotice) -> Context:
    table = notice.table
    sides = seating(table.game, table.match.players, notice.people)
    return happening_contexts.Swapped(actor_name(happening, notice), sides)


def _ended(happening: Happening, notice: BoardNotice) -> Context:
    match = notice.table.match
    outcome = match.outcome
    assert outcome is not None  # noqa: S101 - the event says that it is over
    winners = [userid(notice.people, match.players[seat]) for seat in outcome.winners]
    return happening_contexts.Ended(
        actor=actor_name(happening, notice),
        move=happening.text,
        queued=happening.queued,
        resigned=outcome.ending is Ending.RESIGNED,
        agreed=outcome.ending is Ending.AGREED,
        late=_late(notice),
        declined=outcome.ending is Ending.DECLINED,
        decided=outcome.ending is Ending.ADJUDICATED,
        closed=outcome.ending is Ending.CLOSED,
        winner=" and ".join(winners),
        draw=outcome.counts and not winners,
        reason=notice.table.game.info.reasons.get(outcome.reason, ""),
        scores=" to ".join(map(str, outcome.scores)) if outcome.scores else "",
    )


def _late(notice: BoardNotice) -> str:
    """Return "You" or the userid of the player whose time was over; "" if nobody's was."""
    match = notice.table.match
    last = match.log[-1] if match.log else None
    if last is None or last.kind is not EntryKind.FORFEIT or last.seat is None:
        return ""
    player = match.players[last.seat]
    return "You" if player == notice.to.id else userid(notice.people, player)


def _taken_back(happening: Happening, notice: BoardNotice) -> Context:
    actor = actor_name(happening, notice) if happening.actor else ""
    return happening_contexts.TakenBack(actor, happening.text)


def _offered(happening: Happening, notice: BoardNotice) -> Context:
    draw = happening.text == OfferKind.DRAW
    return happening_contexts.Offered(actor_name(happening, notice), draw)


def _rejected(happening: Happening, notice: BoardNotice) -> Context:
    draw = happening.text == OfferKind.DRAW
    return happening_contexts.Rejected(actor_name(happening, notice), draw)


def _chatted(happening: Happening, notice: BoardNotice) -> Context:
    return Chatted(actor_name(happening, notice))


def _queued(happening: Happening, _notice: BoardNotice) -> Context:
    return happening_contexts.Queued(happening.text)


def _dropped(happening: Happening, _notice: BoardNotice) -> Context:
    return happening_contexts.Dropped(happening.text)


def _reminded(happening: Happening, notice: BoardNotice) -> Context:
    end = forfeit_at(notice.table)
    return happening_contexts.Reminded(
        last=happening.text == Reminder.WARNING.name,
        since=local_time(notice.table.match.turn_since, notice.to),
        deadline=local_time(end, notice.to) if end else "",
    )


def _extended(happening: Happening, _notice: BoardNotice) -> Context:
    return happening_contexts.Extended(counted(int(happening.text), "day"))


def _stopped(_happening: Happening, _notice: BoardNotice) -> Context:
    return happening_contexts.Stopped()


def _resumed(_happening: Happening, _notice: BoardNotice) -> Context:
    return happening_contexts.Resumed()


_SENTENCES: Mapping[Event, Callable[[Happening, BoardNotice], Context]] = {
    Event.STARTED: _started,
    Event.LEFT: _left,
    Event.MOVED: _moved,
    Event.SWAPPED: _swapped,
    Event.ENDED: _ended,
    Event.TAKEN_BACK: _taken_back,
    Event.OFFERED: _offered,
    Event.REJECTED: _rejected,
    Event.CHATTED: _chatted,
    Event.QUEUED: _queued,
    Event.DROPPED: _dropped,
    Event.REMINDED: _reminded,
    Event.EXTENDED: _extended,
    Event.STOPPED: _stopped,
    Event.RESUMED: _resumed,
}
"""What is said of each event; a test holds it against `Event`."""
