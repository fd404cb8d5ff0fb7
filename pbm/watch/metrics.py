"""The figures of a process for Prometheus: what it has done, and how things stand when asked.

Imported only by a server that is told where to show them. Labels take few values: fates and
verdicts are enums, rules are names of our own code, replies those of our listeners; whatever
would be the hundredth value of a label is counted as "other".
"""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbm.domain.mail import Fate
from pbm.service.ports.operator import (
    Handed,
    Handover,
    Played,
    Taken,
    ThoughtFate,
    ThoughtTold,
)
from pbm.watch.standing import Standing

_MOST_VALUES = 100
"""Values of one label that are told apart."""

_PLAY_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_WAITED_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0, 600.0, 3600.0, 21_600.0, 86_400.0)


_MEMORY = Path("/proc/self/statm")
"""Pages in all, resident, ... (proc(5))."""

_CODE = re.compile(r"\d{3}(?: \d\.\d{1,2}\.\d{1,2})?")
"""The code of a reply, and the enhanced one if there is one (RFC 3463)."""

Look = Callable[[], Standing | None]
"""Returns how things stand; None if the database cannot be used."""


class MetricsWitness:
    """A witness that counts. `registry` holds the counts; give it to what shows them."""

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
            "thought_waited_seconds",
            "From asking for it until it was done.",
            _WAITED_SECONDS,
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
        """See Witness."""
        for taken in mails:
            protocol = taken.mail.listener.partition(" ")[0] or "none"
            self._of(self._taken, protocol, "yes" if taken.repeat else "no").inc()
            self._octets.inc(len(taken.mail.content))

    def not_taken(self, mails: int, why: str) -> None:
        """See Witness."""
        del why
        self._not_taken.inc(mails)

    def turned_away(self, reply: str) -> None:
        """See Witness."""
        code = _CODE.match(reply)
        self._of(self._refused, code[0] if code else "other").inc()

    def played(self, mails: Sequence[Played]) -> None:
        """See Witness."""
        for mail in mails:
            outcome = mail.outcome
            self._played.labels(outcome.fate.value).inc()
            self._play_seconds.observe(mail.seconds)
            if outcome.rule:
                self._of(self._rules, outcome.fate.value, outcome.rule).inc()

    def done_by_itself(self, done: Mapping[str, int]) -> None:
        """See Witness."""
        for chore, count in done.items():
            self._of(self._chores, chore).inc(count)

    def handed(self, mails: Sequence[Handed]) -> None:
        """See Witness."""
        for mail in mails:
            self._handed.labels(mail.fate.value).inc()
            if mail.fate is Handover.SENT:
                self._waited.observe(mail.waited)

    def thought(self, thought: ThoughtTold) -> None:
        """See Witness."""
        kind, level = thought.kind.value, str(thought.level)
        self._of(self._thoughts, kind, level, thought.fate.value).inc()
        self._of(self._thought_seconds, kind, level).inc(thought.seconds)
        if thought.fate in (ThoughtFate.DONE, ThoughtFate.REPLACED):
            self._thought_waited.observe(thought.waited)


class ProcessFigures(Collector):
    """CPU and memory under the names that they have everywhere.

    The library's own collector wants /proc/stat, which the unit in deploy/ hides from us.
    """

    def describe(self) -> Iterator[Metric]:
        """Yield nothing, so that registering it asks for nothing."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Yield what the system tells of this process."""
        yield CounterMetricFamily(
            "process_cpu_seconds", "User and system CPU.", value=time.process_time()
        )
        with suppress(OSError):
            pages = int(_MEMORY.read_text("ascii").split()[1])
            octets = pages * os.sysconf("SC_PAGE_SIZE")
            yield GaugeMetricFamily("process_resident_memory_bytes", "Memory.", value=octets)


class StandingCollector(Collector):
    """Tells how things stand at the moment when it is asked."""

    def __init__(self, look: Look, cannot_write: Callable[[], bool] = bool) -> None:
        self._look = look
        self._cannot_write = cannot_write

    def describe(self) -> Iterator[Metric]:
        """Yield nothing, so that registering it asks for nothing."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges; if the database cannot be read only the one that says so."""
        standing = self._look()
        usable = standing is not None and not self._cannot_write()
        yield _gauge("database_usable", "1 if the database can be used.", usable)
        if standing is None:
            return
        queues, now = standing.queues, standing.now
        yield _gauge("inbox_mails", "Mails that wait to be played.", queues.waiting)
        yield _gauge("inbox_octets", "Octets of these.", queues.octets)
        yield _gauge("inbox_oldest_seconds", "How long the oldest waits.", _age(queues.oldest, now))
        yield _gauge("shunt_mails", "Mails that met a bug.", queues.shunted)
        yield _gauge("outbox_mails", "Mails that wait for the relay.", queues.outgoing)
        yield _gauge("outbox_overdue_seconds", "Since when one is due.", _age(queues.due, now))
        yield _gauge("outbox_dead_mails", "Mails that were given up.", queues.dead)
        thoughts = standing.thoughts
        yield _gauge("thoughts_waiting", "Thoughts that are due.", thoughts.waiting)
        yield _gauge("thoughts_held", "Thoughts that are being thought.", thoughts.held)
        yield _gauge(
            "thoughts_oldest_seconds", "How long the oldest is due.", _age(thoughts.oldest, now)
        )
        fails = any(pulse.failing for pulse in standing.pulses)
        yield _gauge("relay_up", "0 if the relay took no mail at the last try.", not fails)
        yield _silences(standing)


def _silences(standing: Standing) -> Metric:
    gauge = GaugeMetricFamily(
        "pbm_part_sign_age_seconds", "The age of the last sign of life.", labels=["part"]
    )
    for pulse in standing.pulses:
        gauge.add_metric([pulse.name], _age(pulse.at, standing.now))
    return gauge


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"pbm_{name}", told, value=float(value))


def _age(since: datetime | None, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
