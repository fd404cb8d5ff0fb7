"""What the server does by itself as time passes: the scheduled jobs of all features.

`pbm remind` and the role `remind` of `pbm serve` run the same jobs (pbm.dispatch.scheduling). A
job works in batches, each in a unit of work of its own: what is done, what is remembered of it and
the mails about it are committed together, so that nothing is ever done twice.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from pbm.domain.confirmations import LONGEST, SIGNUP_LASTS
from pbm.features.announcements import ANNOUNCEMENTS
from pbm.features.bounces import UNREACHABLE
from pbm.features.closed_invitations import EXPIRED_INVITATIONS
from pbm.features.digests import DIGESTS
from pbm.features.reminders import REMINDERS
from pbm.features.seeks import EXPIRED_SEEKS
from pbm.features.vacations import VACATIONS
from pbm.service.context import Context, day_of
from pbm.service.ports import Cutoffs
from pbm.service.schedule import Due, ScheduledJob

BATCH = 1000
"""Rows of each kind in one transaction."""

COUNTS_LAST = timedelta(days=2)
"""How long counts are useful: their windows are hours and days (pbm.service.context)."""

_MARK = "pruned"
"""The name under which a day is counted once everything due that day is deleted."""


def _due(_context: Context) -> Iterator[Due]:
    """Yield nothing: nobody waits for this job."""
    yield from ()


def _carry_out(context: Context) -> Counter[str]:
    today = day_of(context.now)
    if context.work.tallied(_MARK, today):
        return Counter()
    rows = context.work.prune(_cutoffs(context), BATCH)
    if rows == 0:
        context.work.tally(_MARK, today)
    return Counter({"pruned": rows})


def _cutoffs(context: Context) -> Cutoffs:
    periods = context.services.periods
    done = _ago(context, timedelta(days=periods.keep))
    return Cutoffs(
        done=done,
        dead=_ago(context, timedelta(days=periods.keep_dead)),
        asked=done - max(LONGEST, SIGNUP_LASTS),
        counted=context.now - COUNTS_LAST,
    )


def _ago(context: Context, age: timedelta) -> datetime:
    """Return the time `age` ago, moved back by as long as everybody's clocks were stopped since.

    So a long outage, or a clock that has run ahead, deletes nothing too early.
    """
    began, now = context.now - age, context.now
    ends = [(pause, min(pause.until or now, now)) for pause in context.work.pauses.of(None)]
    stopped = (until - pause.began_at for pause, until in ends if began < until > pause.began_at)
    return began - sum(stopped, timedelta(0))


PRUNING = ScheduledJob("pruning", _due, _carry_out)
"""Deletes what is too old."""


JOBS: tuple[ScheduledJob, ...] = (
    ANNOUNCEMENTS, VACATIONS, UNREACHABLE, DIGESTS, REMINDERS, EXPIRED_INVITATIONS, EXPIRED_SEEKS,
    PRUNING,
)  # fmt: skip
"""All scheduled jobs, in the order in which they are done.

Players who are back from vacation are told so before the boards nag them.
"""
