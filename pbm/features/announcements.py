"""Announcements: what the operator writes to all players, outages, and all clocks stopped.

Each goes to one batch of players at a time, in one mail each.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import partial

from pbm.core.audit import Signature, record
from pbm.core.board_messages import WaitingList
from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import Context
from pbm.core.letters import Message, letter
from pbm.core.open_boards import waiting
from pbm.core.outbox import post
from pbm.core.schedule import Due, ScheduledJob
from pbm.core.tokens import player_token
from pbm.domain import settings
from pbm.domain.errors import NotUnderstood
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.player import Player
from pbm.store.time import Announcement, News
from pbm.store.unit import UnitOfWork

log = logging.getLogger("pbm.remind")

BATCH = 100
"""Players in one transaction."""

LONGEST_SUBJECT = 150

LONGEST_TEXT = 20_000


def readers(work: UnitOfWork) -> int:
    """Return how many players would get what the operator writes now."""
    return sum(map(_gets_news, work.players.listing()))


def check_announcement(subject: str, text: str) -> None:
    """Raise NotUnderstood unless they can be sent."""
    if not subject.strip() or not subject.isprintable() or len(subject) > LONGEST_SUBJECT:
        raise NotUnderstood(f"A subject is one line of at most {LONGEST_SUBJECT} letters.")
    if not text.strip():
        raise NotUnderstood("The text is empty: give a FILE, or write it to standard input.")
    if len(text) > LONGEST_TEXT:
        raise NotUnderstood(f"The text has {len(text)} letters; {LONGEST_TEXT} are the most.")


def announce(work: UnitOfWork, now: datetime, by: Signature, subject: str, text: str) -> int:
    """Store the operator's text for all players; return how many they are. The caller commits."""
    check_announcement(subject, text)
    count = readers(work)
    work.announcements.add(News.WRITTEN, None, now, subject=subject, text=text)
    record(work, by, now, "announce", subject, {}, {"players": count, "letters": len(text)})
    return count


def _gets_news(player: Player) -> bool:
    """Return whether a player is active, can be reached, and wants news."""
    wants = settings.chosen(settings.NEWS, player.settings) == "yes"
    return player.active and player.address is not None and wants


def _due(context: Context) -> Iterator[Due]:
    announcement = context.work.announcements.next()
    if announcement is not None:
        yield Due(context.now, f"news: {announcement.news}")


def _carry_out(context: Context) -> Counter[str]:
    announcement = context.work.announcements.next()
    if announcement is None:
        return Counter()
    audience = _audience(context, announcement)
    messages = [_message(context, announcement, each) for each in audience if _gets_news(each)]
    post(context, messages)
    if len(audience) < BATCH:
        context.work.announcements.done(announcement.id)
    else:
        context.work.announcements.progress(announcement.id, audience[-1].id)
    return Counter({"news": len(audience)})


def _audience(context: Context, announcement: Announcement) -> list[Player]:
    """Return the next players: all of them for a text of the operator, else those who play."""
    after, pause = announcement.told_up_to, announcement.pause
    if pause is None:
        return list(context.work.players.all_active(after=after, limit=BATCH))
    if announcement.news is News.OUTAGE and pause.until == pause.began_at:
        return []  # it has become part of another outage
    ids = context.work.announcements.audience(after, BATCH)
    people = context.people(ids)
    return [people[player] for player in ids]


def _message(context: Context, announcement: Announcement, player: Player) -> Message:
    to_player = partial(
        letter, player, f"announcements/{announcement.news}",
        reply=player_token(player.id), leave=Leaving(Mailing.NEWS),
    )  # fmt: skip
    pause = announcement.pause
    if pause is None:
        return to_player(subject=announcement.subject, text=announcement.text)
    if announcement.news is News.STOPPED:
        return to_player(began=pause.began_at)
    boards = _waiting(context, player)
    if announcement.news is News.CORRECTED:
        return to_player(waiting=boards)
    return to_player(began=pause.began_at, until=pause.until, waiting=boards)


def _waiting(context: Context, player: Player) -> WaitingList:
    """Return the boards that wait for `player`; none after a bug, which is logged."""
    with isolate_bugs() as bugs, context.services.time_limited():
        return waiting(context, player)
    log.error("the boards of %s cannot be told:\n%s", player.userid, trace_of(bugs[0]))
    return WaitingList(player)


ANNOUNCEMENTS = ScheduledJob("news", _due, _carry_out)
"""News from the operator, outages, and all clocks stopped or started."""
