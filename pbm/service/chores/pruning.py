"""What is forgotten once a day: mails and requests whose time is over. Nobody is told of it.

What is played stays for ever: matches with their logs, and ratings.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from pbm.domain.errands import LONGEST
from pbm.domain.periods import SIGNUP_LASTS
from pbm.service.chores.base import Chore, Due
from pbm.service.context import Context, day_of
from pbm.service.ports import Cutoffs

BATCH = 1000
"""Rows of each kind in one transaction."""

COUNTS_LAST = timedelta(days=2)
"""How long counts are of use: their windows are hours and days (pbm.service.context)."""

_MARK = "pruned"
"""The name under which a day is counted on which all is forgotten that was to be."""


def _due(_context: Context) -> Iterator[Due]:
    """Yield nothing: nobody who asks what is due would wait for this."""
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
    """Return the time that is `age` ago, and as much more as everybody's clocks stood since.

    A server that was silent for long, or whose clock has run ahead, forgets nothing because of it.
    """
    began, now = context.now - age, context.now
    ends = [(pause, min(pause.until or now, now)) for pause in context.work.pauses.of(None)]
    stood = (until - pause.began_at for pause, until in ends if began < until > pause.began_at)
    return began - sum(stood, timedelta(0))


PRUNING = Chore("pruning", _due, _carry_out)
"""Forgetting."""
