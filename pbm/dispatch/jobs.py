"""The scheduled jobs of all features, and the follow-up jobs of mails.

`pbm remind` and the role `remind` of `pbm serve` run the same scheduled jobs. A job works in
batches, each in a unit of work of its own: what is done, what is remembered of it and the mails
about it are committed together, so that nothing is ever done twice.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import Context, Services, context_without_mail, day_of
from pbm.core.heartbeat import silent_since
from pbm.core.outbox import post
from pbm.core.schedule import Do, Due, ScheduledJob
from pbm.domain.confirmations import LONGEST, SIGNUP_LASTS
from pbm.features.announcements import ANNOUNCEMENTS
from pbm.features.bounces import HELD_UP, RETURNED, UNDELIVERED, UNREACHABLE
from pbm.features.closed_invitations import EXPIRED_INVITATIONS
from pbm.features.digests import DIGESTS
from pbm.features.following import go_on_telling_followers
from pbm.features.league_seasons import LEAGUES, begin_boards
from pbm.features.leaving import go_on_leaving
from pbm.features.reminders import REMINDERS
from pbm.features.seeks import EXPIRED_SEEKS, announce_seek
from pbm.features.talk import go_on_broadcasting
from pbm.features.vacations import VACATIONS
from pbm.store.errors import Conflict
from pbm.store.personal import Cutoffs
from pbm.store.time import FollowUp, FollowUpKind
from pbm.store.unit import OpenUnit

log = logging.getLogger("pbm.remind")
play_log = logging.getLogger("pbm.play")

PRUNED_AT_ONCE = 1000
"""Rows of each kind in one transaction."""

COUNTS_LAST = timedelta(days=2)
"""The time in which counts are useful: their windows are hours and days (pbm.core.context)."""

SILENCED_LAST = timedelta(days=1)
"""The time that the operator can ask about a mail that did nothing: a flood of them fills disks."""

_MARK = "pruned"
"""The name under which a day is counted once everything due that day is deleted."""


def _prune(context: Context) -> Counter[str]:
    today, periods = day_of(context.now), context.services.periods
    if context.work.tallied(_MARK, today):
        return Counter()
    done = _ago(context, timedelta(days=periods.keep))
    cutoffs = Cutoffs(
        done=done,
        silenced=_ago(context, SILENCED_LAST),
        dead=_ago(context, timedelta(days=periods.keep_dead)),
        asked=done - max(LONGEST, SIGNUP_LASTS),
        counted=context.now - COUNTS_LAST,
    )
    rows = context.work.prune(cutoffs, PRUNED_AT_ONCE)
    if rows == 0:
        context.work.tally(_MARK, today)
    return Counter({"pruned": rows})


def _ago(context: Context, age: timedelta) -> datetime:
    """Return the time `age` ago, moved back by as long as everybody's clocks were stopped since.

    So a long outage, or a clock that has run ahead, deletes nothing too early.
    """
    began, now = context.now - age, context.now
    ends = [(pause, min(pause.until or now, now)) for pause in context.work.pauses.of(None)]
    stopped = (until - pause.began_at for pause, until in ends if began < until > pause.began_at)
    return began - sum(stopped, timedelta(0))


PRUNING = ScheduledJob("pruning", lambda _context: iter(()), _prune)
"""Deletes old rows. Nobody waits for that, so it is never listed as due."""

JOBS: tuple[ScheduledJob, ...] = (
    ANNOUNCEMENTS, VACATIONS, UNREACHABLE, UNDELIVERED, HELD_UP, RETURNED, DIGESTS,
    REMINDERS, EXPIRED_INVITATIONS, EXPIRED_SEEKS, LEAGUES, PRUNING,
)  # fmt: skip
"""All scheduled jobs, in the order in which they are done.

Players who are back from vacation get that mail before the boards nag them.
"""

MOST_CONFLICTS = 20
"""The most tries of one batch while players' mails come first; after that the rest waits."""

BUG = "bug"
"""The key under which a job that could not be done is counted."""


def do_what_is_due(
    open_unit: OpenUnit, services: Services, now: datetime, *, drill: bool = False,
    goes_on: Callable[[], bool] = lambda: True,
) -> Counter[str]:  # fmt: skip
    """Do every job that is due at `now`; return how often each thing was done.

    Between two batches it asks `goes_on`, and ends if that is False.

    While a part of the server is silent, nothing is done, so that players who cannot write or be
    written to lose nothing (pbm.core.heartbeat). A `drill`, whose `now` is not the real time,
    runs all the same, and deletes nothing. A job that meets a bug is left for the next round, and
    counted as a BUG.
    """
    done: Counter[str] = Counter()
    for job in JOBS:
        if drill and job is PRUNING:
            continue
        with isolate_bugs() as bugs:
            while goes_on() and (batch := _batch(open_unit, services, job, now, always=drill)):
                done += batch
        for bug in bugs:
            log.error("the job %s met a bug:\n%s", job.name, trace_of(bug))
            done[BUG] += 1
    return done


def announce(open_unit: OpenUnit, services: Services, now: datetime) -> Counter[str]:
    """Send the news to everybody, even while a part of the server is silent."""
    done: Counter[str] = Counter()
    while batch := _batch(open_unit, services, ANNOUNCEMENTS, now, always=True):
        done += batch
    return done


def list_what_is_due(open_reading: OpenUnit, services: Services, now: datetime) -> list[Due]:
    """Return what `do_what_is_due` would do, the earliest first; nothing is changed."""
    with open_reading() as work:
        context = context_without_mail(services, work, now)
        return sorted((due for job in JOBS for due in job.due(context)), key=lambda due: due.at)


def _batch(
    open_unit: OpenUnit, services: Services, job: ScheduledJob, now: datetime, *, always: bool
) -> Counter[str]:
    """Do one batch of `job`, `always` or only if no part of the server is silent.

    It is tried again if somebody else saves one of its matches first.
    """
    for _ in range(MOST_CONFLICTS):
        try:
            with open_unit() as work:
                work.be_only_scheduler()
                if not always and silent_since(work, now) is not None:
                    return Counter()
                done = job.carry_out(context_without_mail(services, work, now))
                if done:
                    work.commit()
                return done
        except Conflict:
            continue
    log.warning("%s: others were always faster; the rest waits for the next round", job.name)
    return Counter()


_DO: Mapping[FollowUpKind, Do] = {
    FollowUpKind.BOARD: go_on_telling_followers,
    FollowUpKind.BROADCAST: go_on_broadcasting,
    FollowUpKind.LEAVING: go_on_leaving,
    FollowUpKind.SEEK: announce_seek,
    FollowUpKind.LEAGUE: begin_boards,
}
"""The functions that do a part of each kind of follow-up job."""


def do_a_part(
    open_unit: OpenUnit, open_reading: OpenUnit, services: Services, now: datetime
) -> bool:
    """Do the next part of the oldest follow-up job; return False if there is none.

    A job that meets a bug is given up, so that it does not delay the others, and the log says where
    the bug was. If another worker saves one of the same matches first, the part is left for the
    next time.
    """
    with open_reading() as work:
        if not work.follow_ups.wait():
            return False  # without the lock of a writer, which others need
    with open_unit() as work:
        job = work.follow_ups.claim()
        if job is None:
            return False
        try:
            up_to = _do_a_part(context_without_mail(services, work, now), job)
        except Conflict:
            play_log.info("another worker was first; a part of what %s began waits", job.kind)
            return True
        if up_to is None:
            work.follow_ups.done(job.id)
        else:
            work.follow_ups.progress(job.id, up_to)
        work.commit()
    return True


def _do_a_part(context: Context, job: FollowUp) -> int | None:
    """Do the next part of a job; return how far it is, or None if it is done or met a bug."""
    with isolate_bugs() as bugs, context.work.savepoint(), context.services.time_limited():
        part = _DO[job.kind](context, job)
        post(context, part.messages)
        return part.up_to
    play_log.error("follow-up job %d (%s) met a bug:\n%s", job.id, job.kind, trace_of(bugs[0]))
    return None
