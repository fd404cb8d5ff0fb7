"""From messages to the outbox, in the same unit of work; what waits for a digest is held back."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from pbm.domain.logs import EntryKind
from pbm.domain.mail import IncomingMail
from pbm.domain.mailings import (
    ENDS_AN_HOUR,
    FOLLOWED_AN_HOUR,
    Held,
    Leaving,
    Mailing,
    held_name,
    held_on,
)
from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId
from pbm.domain.settings import DIGEST, ECHO, chosen
from pbm.domain.timekeeping import players_to_move
from pbm.service.board_messages import BoardNotice, Event, Happening, merged
from pbm.service.context import Services, day_of, hour_of
from pbm.service.letters import Letter, Message, letter
from pbm.service.ports import UnitOfWork
from pbm.service.readers import visibility


def post(
    services: Services,
    work: UnitOfWork,
    notices: Iterable[Message],
    now: datetime,
    mail: IncomingMail | None = None,
    number: int | None = None,
) -> None:
    """Compose each notice that is wanted and can reach its recipient, and put it into the outbox.

    A notice to the author of `mail` joins the thread of that mail, and `number` is that of the
    mail in the inbox that led to them all.
    """
    composed, compose, new_id = [], services.composer.compose, services.chance.new_id
    for notice, to in _wanted(work, merged(notices), now):
        answers = mail.message_id if mail and to == mail.author else None
        uid, returns = new_id(), new_id()
        composed.append(compose(notice, uid, returns, now, answers))
    work.outbox.add(composed, now, number)


def _wanted(
    work: UnitOfWork, notices: Iterable[Message], now: datetime
) -> Iterator[tuple[Message, str]]:
    """Yield the notices that go out now and where to: none waits for a digest, or is an echo."""
    for notice in notices:
        to = notice.recipient
        if to is None:
            continue
        if not isinstance(notice, BoardNotice) or notice.digest:
            yield notice, to
        elif whole := to_send(work, notice, now):
            yield whole, to


_TURNS = frozenset({Event.MOVED, Event.SWAPPED})
"""The events that are a turn and no more."""


def to_send(work: UnitOfWork, notice: BoardNotice, now: datetime) -> BoardNotice | Letter | None:
    """Return the notice as it goes out now, with the turns held back, or None if it does not.

    It does not if it waits for the digest, which is stored here, if it is an echo, or if its
    reader has had enough mails about boards that they only follow. A reader who has had enough is
    told so once a day.
    """
    if notice.follows and not any(_is_own(h, notice) for h in notice.happenings):
        return _for_follower(work, notice, now)
    number = notice.board.match.number
    held = held_on(number, notice.to.settings)
    if _can_wait(notice):
        # Written even if it is there already: a digest may be taking it away just now.
        held = held or Held(number, _first_ply(notice), now)
        work.players.set_setting(notice.to.id, held.name, held.value)
        return None
    if held is None:
        return None if _is_echo(notice) else notice
    work.players.set_setting(notice.to.id, held_name(number), None)
    missed = turns_for(work, notice.board, notice.to.id, held.ply, _first_ply(notice))
    return replace(notice, happenings=(*missed, *notice.happenings))


def _for_follower(
    work: UnitOfWork, notice: BoardNotice, now: datetime
) -> BoardNotice | Letter | None:
    """Count one more mail for its reader, who does not play there, and return what they get."""
    reader, match = notice.to.id, notice.board.match
    had = work.tally(f"followed:{reader}", hour_of(now))
    ended = any(happening.event is Event.ENDED for happening in notice.happenings)
    if had <= (ENDS_AN_HOUR if ended else FOLLOWED_AN_HOUR):
        return notice
    if work.tally(f"followed-enough:{reader}", day_of(now)) > 1:
        return None
    return letter(
        notice.to, "digests/followed_enough", most=FOLLOWED_AN_HOUR, number=match.number,
        game=match.game, leave=Leaving(Mailing.FOLLOWED, match.number),
    )  # fmt: skip


def _can_wait(notice: BoardNotice) -> bool:
    """Return whether it only reports that it is the turn of its reader, who wants a digest.

    What they did themselves is answered at once.
    """
    if chosen(DIGEST, notice.to.settings) != "yes" or not _waits_for_reader(notice):
        return False
    return all(
        h.event in _TURNS and (h.queued or not _is_own(h, notice)) for h in notice.happenings
    )


def _is_echo(notice: BoardNotice) -> bool:
    """Return whether it reports only turns that its reader played, and they want no such mail.

    If it is their turn again they need the mail, because they answer it.
    """
    if chosen(ECHO, notice.to.settings) != "no" or _waits_for_reader(notice):
        return False
    return all(h.event in _TURNS and _is_own(h, notice) for h in notice.happenings)


def _is_own(happening: Happening, notice: BoardNotice) -> bool:
    return happening.actor == notice.to.id


def _waits_for_reader(notice: BoardNotice) -> bool:
    return notice.to.id in players_to_move(notice.board)


def _first_ply(notice: BoardNotice) -> int:
    """Return the number of the first ply that the notice reports, or of the one that is due.

    Plies that were taken back later in the same mail do not count.
    """
    latest = takewhile(lambda h: h.event is not Event.TAKEN_BACK, reversed(notice.happenings))
    return notice.board.due - sum(_is_ply(happening) for happening in latest)


def _is_ply(happening: Happening) -> bool:
    """Return whether it is a ply: a turn, or the move that ended the match."""
    return happening.event in _TURNS or (happening.event is Event.ENDED and bool(happening.text))


def turns_for(
    work: UnitOfWork, board: LiveMatch, reader: PlayerId, start: int, end: int | None = None
) -> tuple[Happening, ...]:
    """Return the plies from `start` up to, not including, `end`, as `reader` may see them.

    Without `end`, all plies from `start` are returned.
    """
    turns = tuple(_turns(board, range(start, min(end or board.due, board.due))))
    visible = visibility(work, turns)
    return tuple(shown for turn in turns if (shown := visible(turn, reader)))


def _turns(board: LiveMatch, plies: Iterable[int]) -> Iterable[Happening]:
    entries = board.match.plies
    for ply in plies:
        entry = entries[ply - 1]
        event = Event.SWAPPED if entry.kind is EntryKind.SWAP else Event.MOVED
        actor = None if entry.seat is None else board.match.seating(ply - 1)[entry.seat]
        yield Happening(event, actor, entry.text, entry.comment)
