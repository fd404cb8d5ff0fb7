"""Named points in the product, at which a server under torture kills itself.

The product knows nothing of them: functions are wrapped from outside, in the process that is to
die, before it serves.
"""

import importlib
import itertools
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any


@dataclass(frozen=True)
class Point:
    """A moment in the life of a role: before or after each call of `target`."""

    role: str
    name: str
    target: str
    after: bool
    most: int
    """How many times it may be passed before the process dies, at most."""


def _both(role: str, name: str, target: str, most: int) -> tuple[Point, Point]:
    """Return the points before and after the same call."""
    return (
        Point(role, f"before {name}", target, after=False, most=most),
        Point(role, f"after {name}", target, after=True, most=most),
    )


_BATCH = "pbm.store.batch:Batch"
_STATEMENT = "pbm.store.statements:Statement"
_TRIP = "pbm.store.pipeline:send"
_COMMIT = "sqlalchemy.engine.default:DefaultDialect.do_commit"

POINTS = (
    *_both("play", "the claim", f"{_BATCH}.claim", 8),
    *_both("play", "reading ahead", f"{_BATCH}.read_ahead", 8),
    *_both("play", "a mail is played", "pbm.worker:PlayStage._receive", 150),
    *_both("play", "the writing transaction", f"{_BATCH}._write_behind", 8),
    *_both("play", "the flush", "pbm.store.inbox:store_played", 8),
    *_both("play", "the matches are written", "pbm.store.matches:save_matches", 8),
    *_both("play", "a statement for many", f"{_STATEMENT}.each", 40),
    *_both("play", "a statement for all", f"{_STATEMENT}.ask", 40),
    *_both("play", "a round trip", _TRIP, 12),
    *_both("play", "COMMIT", _COMMIT, 12),
    *_both("play", "the batch's end", f"{_BATCH}.commit", 8),
    *_both("play", "a hash", "pbm.passwords:Argon2Passwords.verify", 12),
    *_both("play", "a mail is put aside", "pbm.passwords:HashWorks.begin", 8),
    *_both("play", "a part of a follow-up job", "pbm.worker:PlayStage.go_on", 20),
    Point("play", "in a transaction", f"{_BATCH}._plain", after=True, most=20),
    *_both("intake", "mails are put", "pbm.store.intake:Letterbox.put", 30),
    *_both("intake", "a row is written", "pbm.store.intake:_insert", 30),
    *_both("intake", "slots are given", "pbm.store.fair_queue:Schedule.give", 30),
    *_both("intake", "a round trip", _TRIP, 60),
    *_both("intake", "COMMIT", _COMMIT, 30),
    Point("intake", "before a reply", "pbm.smtp.session:BoundedSession.push", False, 300),
    *_both("deliver", "the lease", "pbm.store.outbox:Outbox.claim", 12),
    *_both("deliver", "verdicts are recorded", "pbm.service.delivery:_Batch.record", 8),
    *_both("deliver", "a verdict", "pbm.service.delivery:_Batch.judge", 60),
    *_both("deliver", "a round trip", _TRIP, 20),
    *_both("deliver", "COMMIT", _COMMIT, 20),
    *_both("think", "a thought is claimed", "pbm.store.robots:Thoughts.claim", 12),
    *_both("think", "a worker is told", "pbm.thinking.workers:Workers.begin", 12),
    *_both(
        "think", "a thought is carried out", "pbm.dispatch.thoughts:ThoughtQueue._carry_out", 12
    ),
    *_both("think", "a thought is done", "pbm.store.robots:Thoughts.done", 12),
    *_both("think", "COMMIT", _COMMIT, 30),
    *_both("deliver", "dead leases are freed", "pbm.service.delivery:release_dead", 1),
)


def place_of(point: Point) -> tuple[Any, str]:
    """Return the module or class that has the function of `point`, and the function's name."""
    module, _, path = point.target.partition(":")
    holder: Any = importlib.import_module(module)
    *owners, name = path.split(".")
    for owner in owners:
        holder = getattr(holder, owner)
    return holder, name


def arm(point: Point, passes: int) -> None:
    """Let this process kill itself when `point` is passed so often."""
    holder, name = place_of(point)
    setattr(holder, name, _deadly(getattr(holder, name), point, passes))


def _deadly(function: Callable[..., Any], point: Point, passes: int) -> Callable[..., Any]:
    counter = itertools.count(1)

    def pass_by() -> None:
        if next(counter) == passes:
            os.kill(os.getpid(), signal.SIGKILL)

    @wraps(function)
    def wrapped(*arguments: Any, **more: Any) -> Any:
        if not point.after:
            pass_by()
        result = function(*arguments, **more)
        if point.after:
            pass_by()
        return result

    return wrapped
