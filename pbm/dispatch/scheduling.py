"""One round of everything that is due: the same for `pbm remind` and for the role `remind`.

Any number of processes may run it at once, early, late, or twice. They take turns, batch by batch:
on PostgreSQL by the scheduler's lock, on SQLite because it has one writer. Each batch looks again
at what is due, so it does not find what an earlier one has done.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

from pbm.dispatch.jobs import JOBS, PRUNING
from pbm.features.announcements import ANNOUNCEMENTS
from pbm.service.bugs import trace_of
from pbm.service.context import Context, Services, context_without_mail
from pbm.service.heartbeat import silent_since
from pbm.service.ports import Conflict, OpenUnit, StoreUnavailable, UnitOfWork
from pbm.service.schedule import Due, ScheduledJob

log = logging.getLogger("pbm.remind")

MOST_CONFLICTS = 20
"""How often one batch is tried while players' mails come first; after that the rest waits."""

BUG = "bug"
"""The key under which a job that could not be done is counted."""


def do_what_is_due(
    open_unit: OpenUnit, services: Services, now: datetime, *, drill: bool = False,
    goes_on: Callable[[], bool] = lambda: True,
) -> Counter[str]:  # fmt: skip
    """Do every job that is due at `now`; return how often each thing was done.

    Between two batches it asks `goes_on`, and ends if that is False.

    While a part of the server is silent, nothing is done, so that players who cannot write or be
    written to lose nothing (pbm.service.heartbeat). A `drill`, whose `now` is not the real time,
    runs all the same. A job that meets a bug is left for the next round, and counted as a
    BUG.
    """

    def may_begin(work: UnitOfWork) -> bool:
        return drill or silent_since(work, now) is None

    done: Counter[str] = Counter()
    for job in _jobs(drill=drill):
        try:
            while goes_on() and (batch := _batch(open_unit, services, job, now, may_begin)):
                done += batch
        except StoreUnavailable:
            raise
        except Exception as bug:  # noqa: BLE001 - any bug: one job must not stop all others
            _note(job, bug)
            done[BUG] += 1
    return done


def _jobs(*, drill: bool) -> tuple[ScheduledJob, ...]:
    """Return the jobs to do; a drill leaves out pruning, so that it forgets nothing."""
    return tuple(job for job in JOBS if not (drill and job is PRUNING))


def _note(job: ScheduledJob, bug: Exception) -> None:
    log.error("the job %s met a bug:\n%s", job.name, trace_of(bug))


def tell_news(open_unit: OpenUnit, services: Services, now: datetime) -> Counter[str]:
    """Tell the news to everybody, even while a part of the server is silent."""
    done: Counter[str] = Counter()
    while batch := _batch(open_unit, services, ANNOUNCEMENTS, now, lambda _work: True):
        done += batch
    return done


def list_what_is_due(open_reading: OpenUnit, services: Services, now: datetime) -> list[Due]:
    """Return what `do_what_is_due` would do, the earliest first; nothing is changed."""
    with open_reading() as work:
        context = context_without_mail(services, work, now)
        return sorted(_all_due(context), key=lambda due: due.at)


def _all_due(context: Context) -> Iterator[Due]:
    for job in JOBS:
        yield from job.due(context)


def _batch(
    open_unit: OpenUnit,
    services: Services,
    job: ScheduledJob,
    now: datetime,
    may_begin: Callable[[UnitOfWork], bool],
) -> Counter[str]:
    """Do one batch of `job`; try again if somebody else saves one of its matches first."""
    for _ in range(MOST_CONFLICTS):
        try:
            with open_unit() as work:
                work.be_only_scheduler()
                if not may_begin(work):
                    return Counter()
                done = job.carry_out(context_without_mail(services, work, now))
                if done:
                    work.commit()
                return done
        except Conflict:
            continue
    log.warning("%s: others were always faster; the rest waits for the next round", job.name)
    return Counter()
