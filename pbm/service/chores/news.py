"""News for all players, told to one batch at a time, in one mail each."""

import logging
from collections import Counter
from collections.abc import Iterator

from pbm.domain import settings
from pbm.domain.player import Player
from pbm.service.bugs import trace_of
from pbm.service.context import Context, everybody
from pbm.service.notices.reminders import NewsTold
from pbm.service.open_boards import Waiting, waiting
from pbm.service.ports import Announcement, Conflict, News, StoreUnavailable
from pbm.service.post import post
from pbm.service.schedule import Due, ScheduledJob
from pbm.service.tokens import player_token

log = logging.getLogger("pbm.remind")

BATCH = 100
"""Players in one transaction."""


def _due(context: Context) -> Iterator[Due]:
    announcement = context.work.announcements.next()
    if announcement is not None:
        yield Due(context.now, f"news: {announcement.news}")


def _carry_out(context: Context) -> Counter[str]:
    announcement = context.work.announcements.next()
    if announcement is None:
        return Counter()
    audience = [] if _is_void(announcement) else _audience(context, announcement)
    wanting = [player for player in audience if _wants(player)]
    notices = [_told(context, announcement, player) for player in wanting]
    post(context.services, context.work, notices, context.now)
    if len(audience) < BATCH:
        context.work.announcements.done(announcement.id)
    else:
        context.work.announcements.progress(announcement.id, audience[-1].id)
    return Counter({"news": len(audience)})


def _wants(player: Player) -> bool:
    return settings.chosen(settings.NEWS, player.settings) == "yes"


def _is_void(announcement: Announcement) -> bool:
    """Return whether the announced outage has become part of another one."""
    pause = announcement.pause
    return announcement.news is News.OUTAGE and pause.until == pause.began_at


def _audience(context: Context, announcement: Announcement) -> list[Player]:
    ids = context.work.announcements.audience(announcement.told_up_to, BATCH)
    people = context.people(ids)
    return [people[player] for player in ids]


def _told(context: Context, announcement: Announcement, player: Player) -> NewsTold:
    told = Waiting() if announcement.news is News.STOPPED else _waiting(context, player)
    people = context.people({p for board in told.boards for p in everybody(board)})
    return NewsTold(
        player, announcement.news, announcement.pause, told.boards, people, told.more,
        reply=player_token(player.id),
    )  # fmt: skip


def _waiting(context: Context, player: Player) -> Waiting:
    """Return the boards that wait for `player`; none if a bug keeps them from being told."""
    try:
        with context.services.bounded():
            return waiting(context, player)
    except (Conflict, StoreUnavailable):
        raise
    except Exception as bug:  # noqa: BLE001 - any bug of a game: the news must reach all others
        log.error("the boards of %s cannot be told:\n%s", player.userid, trace_of(bug))  # noqa: TRY400
        return Waiting()


NEWS = ScheduledJob("news", _due, _carry_out)
"""Outages, and what the operator does to all clocks."""
