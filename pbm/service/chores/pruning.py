"""Mails and requests whose time is over are forgotten, once a day. Nobody is told.

Matches with their logs, and ratings, stay for ever.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from pbm.domain.confirmations import LONGEST, SIGNUP_LASTS
from pbm.service.context import Context, day_of
from pbm.service.ports import Cutoffs
from pbm.service.schedule import Due, ScheduledJob

BATCH = 1000
"""Rows of each kind in one transaction."""

COUNTS_LAST = timedelta(days=2)
"""How long counts are useful: their windows are hours and days (pbm.service.context)."""

_MARK = "pruned"
"""The name under which a day is counted once everything due that day is forgotten."""


def _due(_context: Context) -> Iterator[Due]:
    """Yield nothing: nobody who asks what is due is waiting for this."""
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
    """Return the time `age` ago, moved back by as long as everybody's clocks stood since.

    So a long silence of the server, or a clock that has run ahead, makes it forget nothing.
    """
    began, now = context.now - age, context.now
    ends = [(pause, min(pause.until or now, now)) for pause in context.work.pauses.of(None)]
    stood = (until - pause.began_at for pause, until in ends if began < until > pause.began_at)
    return began - sum(stood, timedelta(0))


PRUNING = ScheduledJob("pruning", _due, _carry_out)
"""Forgetting what is too old."""
