"""The figures of a process for Prometheus, and whether it is healthy and ready, shown by HTTP.

Imported only by a server that is told where to show them. Labels have few values: fates and
verdicts are enums, rules are names in our own code, replies those of our listeners. Whatever would
be the hundredth value of a label is counted as "other". The HTTP server is the one that comes with
prometheus_client. It is for the operator's own net, since it asks nobody who they are.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    make_wsgi_app,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbm.config import TcpEndpoint
from pbm.domain.bounces import QueuedMail, Returns
from pbm.domain.mail import Fate
from pbm.domain.observer import Handed, Handover, Observer, Played, Taken, ThoughtFate, ThoughtTold
from pbm.domain.pauses import PauseKind
from pbm.engine import frozen
from pbm.server.locks import explained
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.operator import Queues
from pbm.store.robots import ThoughtCounts
from pbm.store.time import Pulse
from pbm.store.unit import OpenUnit

FRESH_SECONDS = 1.0
"""The time for which the state that was read is good, so that asking often costs little."""

_RETURNS_SECONDS = 300.0
"""The time for which the count of mails that came back is good: all of a day are looked at."""

_PATIENCE = 3.0
"""Seconds to wait for another reader: after that the database counts as away."""

_MOST_VALUES = 100
"""Values of one label that are counted separately."""

_PLAY_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_WAITED_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0, 600.0, 3600.0, 21_600.0, 86_400.0)


_MEMORY = Path("/proc/self/statm")
"""Pages in all, resident, ... (proc(5))."""

_CODE = re.compile(r"\d{3}(?: \d\.\d{1,2}\.\d{1,2})?")
"""The code of a reply, and the enhanced one if there is one (RFC 3463)."""


class MetricsObserver(Observer):
    """Counts what happens. The counters are in `registry`."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(ProcessFigures())
        self._values: dict[Counter, set[tuple[str, ...]]] = {}
        self._taken = self._counter("intake_mails", "Mails stored.", "protocol", "repeated")
        self._octets = self._counter("intake_octets", "Octets of mails stored.")
        self._not_taken = self._counter("intake_not_taken", "Mails answered 451.")
        self._refused = self._counter("intake_refusals", "Refusals by the listeners.", "reply")
        self._played = self._counter("play_mails", "Mails played.", "fate")
        self._rules = self._counter("play_rules", "Refusals and silences.", "fate", "rule")
        self._play_seconds = self._histogram(
            "play_seconds", "How long a mail was played.", _PLAY_SECONDS
        )
        self._handed = self._counter("delivery_mails", "Mails offered to the relay.", "verdict")
        self._waited = self._histogram(
            "delivery_seconds", "From composing a mail until the relay had it.", _WAITED_SECONDS
        )
        self._chores = self._counter("chores", "What was done by itself.", "chore")
        self._thoughts = self._counter("thoughts", "Thoughts.", "kind", "level", "fate")
        self._thought_seconds = self._counter(
            "thought_seconds", "Seconds of a core that were thought.", "kind", "level"
        )
        self._thought_waited = self._histogram(
            "thought_waited_seconds", "From asking for it until it was done.", _WAITED_SECONDS
        )
        for fate in Fate:
            self._played.labels(fate.value)
        for verdict in Handover:
            self._handed.labels(verdict.value)

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(f"pbm_{name}", told, labels, registry=self.registry)

    def _histogram(self, name: str, told: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"pbm_{name}", told, registry=self.registry, buckets=buckets)

    def _of(self, counter: Counter, *values: str) -> Counter:
        """Return the counter of these labels, or of the rest if there are too many."""
        known = self._values.setdefault(counter, set())
        if values not in known:
            if len(known) >= _MOST_VALUES:
                values = tuple("other" for _ in values)
            known.add(values)
        return counter.labels(*values)

    def taken(self, mails: Sequence[Taken]) -> None:
        """See Observer."""
        for taken in mails:
            protocol = taken.mail.listener.partition(" ")[0] or "none"
            self._of(self._taken, protocol, "yes" if taken.repeat else "no").inc()
            self._octets.inc(len(taken.mail.content))

    def not_taken(self, mails: int, why: str) -> None:
        """See Observer."""
        del why
        self._not_taken.inc(mails)

    def turned_away(self, reply: str) -> None:
        """See Observer."""
        code = _CODE.match(reply)
        self._of(self._refused, code[0] if code else "other").inc()

    def played(self, mails: Sequence[Played]) -> None:
        """See Observer."""
        for mail in mails:
            outcome = mail.outcome
            self._played.labels(outcome.fate.value).inc()
            self._play_seconds.observe(mail.seconds)
            if outcome.rule:
                self._of(self._rules, outcome.fate.value, outcome.rule).inc()

    def done_by_itself(self, done: Mapping[str, int]) -> None:
        """See Observer."""
        for chore, count in done.items():
            self._of(self._chores, chore).inc(count)

    def handed(self, mails: Sequence[Handed]) -> None:
        """See Observer."""
        for mail in mails:
            self._handed.labels(mail.fate.value).inc()
            if mail.fate is Handover.SENT:
                self._waited.observe(mail.waited)

    def thought(self, thought: ThoughtTold) -> None:
        """See Observer."""
        kind, level = thought.kind.value, str(thought.level)
        self._of(self._thoughts, kind, level, thought.fate.value).inc()
        self._of(self._thought_seconds, kind, level).inc(thought.seconds)
        if thought.fate in (ThoughtFate.DONE, ThoughtFate.REPLACED):
            self._thought_waited.observe(thought.waited)


class ProcessFigures(Collector):
    """CPU and memory under the names that they have everywhere.

    The library's own collector wants /proc/stat, which the unit in deploy/ hides from us.
    """

    def collect(self) -> Iterator[Metric]:
        """Yield what the system tells of this process."""
        yield CounterMetricFamily(
            "process_cpu_seconds", "User and system CPU.", value=time.process_time()
        )
        with suppress(OSError):
            pages = int(_MEMORY.read_text("ascii").split()[1])
            octets = pages * os.sysconf("SC_PAGE_SIZE")
            yield GaugeMetricFamily("process_resident_memory_bytes", "Memory.", value=octets)


@frozen
class State:
    """The mails and thoughts that wait in the database at `now`, and the signs of life.

    `undelivered` players have clocks that are stopped, because their mail is not taken. `returns`
    are the mails that came back within a day, and `queue` are those that the host's Postfix has.
    """

    now: datetime
    queues: Queues
    pulses: tuple[Pulse, ...]
    thoughts: ThoughtCounts
    undelivered: int
    returns: tuple[Returns, ...] = ()
    queue: tuple[QueuedMail, ...] = ()


def gauges(state: State | None, *, usable: bool) -> Iterator[Metric]:
    """Yield the gauges of a state; without one only whether the database can be used."""
    yield _gauge("database_usable", "1 if the database can be used.", usable)
    if state is None:
        return
    queues, thoughts, now = state.queues, state.thoughts, state.now
    for name, told, value in (
        ("inbox_mails", "Mails that wait to be played.", queues.waiting),
        ("inbox_octets", "Octets of these.", queues.octets),
        ("inbox_oldest_seconds", "How long the oldest waits.", _age(queues.oldest, now)),
        ("shunt_mails", "Mails that met a bug.", queues.shunted),
        ("outbox_mails", "Mails that wait for the relay.", queues.outgoing),
        ("outbox_overdue_seconds", "Since when one is due.", _age(queues.due, now)),
        ("outbox_dead_mails", "Mails that were given up.", queues.dead),
        ("undelivered_players", "Players whose mail no relay takes.", state.undelivered),
        ("host_queue_mails", "Mails in the queue of this host's Postfix.", len(state.queue)),
        (
            "host_queue_oldest_seconds",
            "How long the oldest of them waits.",
            _age(min((mail.arrived_at for mail in state.queue), default=None), now),
        ),
        ("thoughts_waiting", "Thoughts that are due.", thoughts.waiting),
        ("thoughts_held", "Thoughts that are being thought.", thoughts.held),
        ("thoughts_oldest_seconds", "How long the oldest is due.", _age(thoughts.oldest, now)),
    ):
        yield _gauge(name, told, value)
    returned = GaugeMetricFamily(
        "pbm_returned_mails", "Mails that came back within a day.", labels=["provider"]
    )
    for each in state.returns[:_MOST_VALUES]:
        returned.add_metric([each.provider], each.returned)
    yield returned
    fails = any(pulse.failing for pulse in state.pulses)
    yield _gauge("relay_up", "0 if the relay took no mail at the last try.", not fails)
    ages = GaugeMetricFamily(
        "pbm_part_sign_age_seconds", "The age of the last sign of life.", labels=["part"]
    )
    for pulse in state.pulses:
        ages.add_metric([pulse.name], _age(pulse.at, now))
    yield ages


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"pbm_{name}", told, value=float(value))


def _age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


@dataclass(eq=False)
class Watched(Collector):
    """The pages that a process shows: /metrics, /healthz and /readyz.

    The server says through `watch` how to ask what does not work, and through `listens` when it
    listens. `seconds` counts seconds.
    """

    registry: CollectorRegistry
    open_reading: OpenUnit
    clock: Callable[[], datetime]
    seconds: Callable[[], float] = time.monotonic
    queue: Callable[[], tuple[QueuedMail, ...]] = tuple
    _returns: tuple[Returns, ...] = ()
    _counted: float = float("-inf")
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _state: State | None = None
    _looked: float = float("-inf")
    _failed: Callable[[], str] = str
    _cannot_write: Callable[[], bool] = bool
    _listening: bool = False

    def __post_init__(self) -> None:
        self._metrics = make_wsgi_app(self.registry)
        self.registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges of the state at this moment."""
        state = self._look()
        yield from gauges(state, usable=state is not None and not self._cannot_write())

    def watch(self, failed: Callable[[], str], cannot_write: Callable[[], bool]) -> None:
        """Ask `failed` from now on what does not work; it answers "" if everything does.

        Ask `cannot_write` whether a stage waits for the database.
        """
        self._failed = failed
        self._cannot_write = cannot_write

    def listens(self) -> None:
        """Note that all listeners are open."""
        self._listening = True

    @contextmanager
    def shown_at(self, endpoint: TcpEndpoint) -> Iterator[TcpEndpoint]:
        """Show the pages while the block runs; yield where, as port 0 means a free one.

        Raises Occupied if the endpoint cannot be listened at.
        """
        try:
            server, _ = start_http_server(endpoint.port, endpoint.host, self.registry)
        except OSError as error:
            raise explained(error, endpoint) from error
        server.set_app(self._answer)
        try:
            yield TcpEndpoint(endpoint.host, server.server_port)
        finally:
            server.shutdown()
            server.server_close()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Sequence[bytes]:
        if environ["PATH_INFO"] == "/metrics":
            page: Sequence[bytes] = self._metrics(environ, start_response)
            return page
        pages = {"/healthz": (self._failed, "all stages turn"), "/readyz": (self._unready, "ready")}
        status, text = HTTPStatus.NOT_FOUND, "no such page"
        if asked := pages.get(environ["PATH_INFO"]):
            why_not, well = asked
            failed = why_not()
            status = HTTPStatus.SERVICE_UNAVAILABLE if failed else HTTPStatus.OK
            text = failed or well
        start_response(
            f"{status.value} {status.phrase}", [("Content-Type", "text/plain; charset=utf-8")]
        )
        return [f"{text}\n".encode()]

    def _unready(self) -> str:
        """Return why the server is not ready, in a sentence; "" if it is."""
        if failed := self._failed():
            return failed
        if not self._listening:
            return "the listeners are not open yet"
        # A database that can still be read, as with a full disk, takes no mails either.
        return "the database cannot be used" if self._cannot_write() or not self._look() else ""

    def _look(self) -> State | None:
        """Return the state; None if the database cannot be used, or is not open yet."""
        if not self._listening or not self._lock.acquire(timeout=_PATIENCE):
            return None
        try:
            if self.seconds() - self._looked >= FRESH_SECONDS:
                self._state = None
                with suppress(StoreUnavailable, Conflict):
                    self._state = self._read()
                self._looked = self.seconds()
            return self._state
        finally:
            self._lock.release()

    def _read(self) -> State:
        queue = self.queue()
        with self.open_reading() as work:
            now, pulses = self.clock(), tuple(work.pulses.all())
            undelivered = work.statistics.away(now).get(PauseKind.UNDELIVERED, 0)
            if self.seconds() - self._counted >= _RETURNS_SECONDS:
                self._returns = work.undelivered.returns(now - timedelta(days=1))
                self._counted = self.seconds()
            return State(
                now, work.statistics.queues(), pulses, work.thoughts.counts(now), undelivered,
                self._returns, queue,
            )  # fmt: skip
