"""Servers under mails by SMTP: the whole way of a move, intake alone, answers, and floods.

Clients and sink are in this process, the server in one or several others. What counts is the ratio
to the yardstick N of the same round: with everything on the same cores, it says how much more a
move costs than to throw a mail away.
"""

import gc
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.boards import Hall, Sent, field_of, reply
from bench.report import Cost, Plan, Rows, in_turn, medians, part, ratio
from bench.servers import PROCESSES, Server, backend_of, scratch_app, serving, yardstick
from bench.wire import Arrivals, Clients, sink

_ON_THEIR_WAY = 512
"""Moves that have been sent and not yet led to a mail for each player."""

_MANY = 64
"""Connections in the second half of the measurements of intake, as many as mails in a commit."""

INTAKE = "intake"
"""The layout of a server that only takes mails in."""

_EACH_SECOND = 5
"""Moves sent in a second where the time of the answers is measured."""


class Layout(NamedTuple):
    """Where a server keeps its data, in how many processes it runs, and what mails it sends."""

    database: str
    processes: str
    form: str

    @property
    def facts(self) -> dict[str, Any]:
        """The columns of a table that say which one it is."""
        return {"database": backend_of(self.database), "processes": self.processes}


_USUAL = {"sqlite": ("one", "three", "four"), "postgresql": ("one", "two", "four")}
"""The layouts that are compared on each kind of database."""


def layouts(plan: Plan, forms: Sequence[str]) -> list[Layout]:
    """Return a layout for each form on each server, in the plan's processes or the usual ones."""
    return [
        Layout(server, name, form)
        for form in forms
        for server in plan.servers
        for name in plan.processes or _USUAL[backend_of(server)]
    ]


@dataclass(frozen=True, slots=True)
class Traffic:
    """A server, its clients, where `mails` come from, and what comes to a sink."""

    server: Server
    clients: Clients
    mails: Callable[[int], Iterable[Sent]]
    arrivals: Arrivals

    def measure(self, moves: int) -> Cost:
        """Hand so many mails in, in a turn of the server; return their rate, and the CPU of one.

        A mail is done when all that it leads to has come to the sink.
        """
        mails, come = list(self.mails(moves)), self.arrivals.count
        gc.collect()
        with self.server.turn():
            before, start = self.server.cpu(), time.perf_counter()
            self.clients.hand_in(mails)
            self.arrivals.reach(come + self.arrivals.answers * moves)
            took, after = time.perf_counter() - start, self.server.cpu()
        cpu = {f"cpu.{name}": 1e6 * (after[name] - before[name]) / moves for name in after}
        return {"rate": moves / took, "cpu": sum(cpu.values()), **cpu}

    def times(self, moves: int) -> list[float]:
        """Send moves at their times; return how long each of the answers has taken, in seconds."""
        mails, come, sent_at = list(self.mails(moves)), self.arrivals.count, []
        gc.collect()
        with self.server.turn():
            start = time.perf_counter()
            for number, mail in enumerate(mails):
                time.sleep(max(0.0, start + number / _EACH_SECOND - time.perf_counter()))
                sent_at.append(time.perf_counter())
                self.clients.begin([mail])
            self.arrivals.reach(come + self.arrivals.answers * moves)
        came = map(self.arrivals.last, mails)
        return [one - other for one, other in zip(came, sent_at, strict=True)]


def whole_way(stack: ExitStack, layout: Layout, plan: Plan, at_once: int = 0) -> Traffic:
    """Return a server with boards, its clients and a sink; all go with the `stack`.

    At most `at_once` moves are on their way, usually so few that no board gets its next move
    before the last one is played.
    """
    app = stack.enter_context(scratch_app(layout.database))
    hall = Hall(app, field_of(layout.form, plan), plan.boards)
    app.close()
    at_once = at_once or min(_ON_THEIR_WAY, max(1, plan.boards // 2))
    arrivals = Arrivals(0 if layout.processes == INTAKE else hall.readers, at_once)
    relay = f"smtp://127.0.0.1:{stack.enter_context(sink(arrivals))}"
    processes = PROCESSES.get(layout.processes, (INTAKE,))
    server = stack.enter_context(serving(app, processes, relay))
    connected = stack.enter_context(closing(Clients(server.ports, plan.connections, arrivals)))
    return Traffic(server, connected, hall.mails, arrivals)


def null_way(stack: ExitStack, connections: int) -> Traffic:
    """Return the yardstick N with its clients; all go with the `stack`."""
    author, to = "player@example.org", f"pbm+{'a' * 42}@localhost"
    mail = Sent(author, to, reply(author, to, "C3", "1"))
    server = stack.enter_context(yardstick())
    connected = stack.enter_context(closing(Clients(server.ports, connections, Arrivals())))
    return Traffic(server, connected, lambda moves: [mail] * moves, Arrivals())


def one_by_one(folder: Path, moves: int) -> Cost:
    """Commit so many rows of 3 KB to SQLite, each durable by itself: the yardstick D."""
    with closing(sqlite3.connect(folder / "yardstick.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE IF NOT EXISTS one (content BLOB)")
        start, used = time.perf_counter(), time.process_time()
        for _ in range(moves):
            database.execute("INSERT INTO one VALUES (?)", (bytes(3000),))
        took, cpu = time.perf_counter() - start, time.process_time() - used
    return {"rate": moves / took, "cpu": 1e6 * cpu / moves}


@part("way", "moves a second; microseconds of CPU a move", moves=4000, boards=1500)
def way(plan: Plan) -> Rows:
    """Return moves a second of N, which comes first, and of each layout, and the CPU of a move.

    `ratio` is that of the rates to N's in the same round, `cpu_ratio` how many mails of N have
    cost the CPU of one move, with PostgreSQL's.
    """
    with ExitStack() as stack:
        ways = {None: null_way(stack, plan.connections)} | {
            layout: whole_way(stack, layout, plan) for layout in layouts(plan, plan.forms)
        }
        works = {layout: partial(way.measure, plan.moves) for layout, way in ways.items()}
        costs = in_turn(works, plan.rounds)
    rows = []
    for layout, own in costs.items():
        facts = layout.facts if layout else {"database": "N", "processes": "one"}
        form, figures = layout.form if layout else "", medians(own)
        ratios = _ratios(own, costs[None])
        rows.append({**facts, "form": form, "rate": figures["rate"], **ratios, **figures})
    return rows


def _ratios(own: Sequence[Cost], null: Sequence[Cost]) -> dict[str, float]:
    return {"ratio": ratio(own, null, "rate"), "cpu_ratio": ratio(own, null, "cpu")}


@part("intake", "mails a second; microseconds of CPU a mail", moves=1500, boards=750)
def intake(plan: Plan) -> Rows:
    """Return mails a second of D, N and intake alone, and the CPU of a mail; ratios are to N."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pbm-bench-")))
        works = {("D", 0): partial(one_by_one, folder, plan.moves)}
        for many in (plan.connections, _MANY):
            works["N", many] = partial(null_way(stack, many).measure, plan.moves)
            for server in plan.servers:
                layout = Layout(server, INTAKE, plan.forms[0])
                taking = whole_way(stack, layout, replace(plan, connections=many))
                works[backend_of(server), many] = partial(taking.measure, plan.moves)
        costs = in_turn(works, plan.rounds)
    rows = []
    for (name, many), own in costs.items():
        figures = {"rate": medians(own)["rate"], "cpu": medians(own)["cpu"]}
        ratios = _ratios(own, costs.get(("N", many), own))
        rows.append({"name": name, "connections": many or None, **figures, **ratios})
    return rows


@part("latency", "milliseconds to both mails at the sink", moves=30, boards=150)
def latency(plan: Plan) -> Rows:
    """Return how long answers take on a quiet server, until both players' mails are at the sink.

    Moves are sent at their times, whether earlier ones are answered or not, so that a server that
    hangs is not asked less.
    """
    took: dict[Layout, list[float]] = {layout: [] for layout in layouts(plan, ("html",))}
    with ExitStack() as stack:
        ways = {layout: whole_way(stack, layout, plan) for layout in took}
        for _ in range(plan.rounds):
            for layout, way in ways.items():
                took[layout] += way.times(plan.moves)
    rows = []
    for layout, times in took.items():
        last = quantiles(times, n=100, method="inclusive")[98]
        answers = {"p50": median(times), "p99": last, "worst": max(times)}
        milliseconds = {name: 1000 * seconds for name, seconds in answers.items()}
        rows.append({**layout.facts, "answers": len(times), **milliseconds})
    return rows


@part("flood", "seconds; megabytes of a process", moves=10_000, boards=1000)
def flood(plan: Plan) -> Rows:
    """Return for each layout what became of thousands of moves at once.

    They come as fast as the server takes them. In their middle a player who has nothing else
    waiting sends a move over a connection of their own. Raises BenchError if a mail is lost.
    """
    return [_flooded(layout, plan) for layout in layouts(plan, ("html",))]


def _flooded(layout: Layout, plan: Plan) -> dict[str, Any]:
    with ExitStack() as stack:
        way = whole_way(stack, layout, plan, at_once=plan.moves)
        between, *mails = way.mails(plan.moves + 1)
        mails = [mail for mail in mails if mail.readers != between.readers]
        one = stack.enter_context(closing(Clients(way.server.ports, 1, Arrivals())))
        gc.collect()
        start = time.perf_counter()
        way.clients.hand_in(mails[: len(mails) // 2])
        rest = way.clients.begin(mails[len(mails) // 2 :])
        sent = time.perf_counter()
        one.hand_in([between])
        for thread in rest:
            thread.result()
        taken = time.perf_counter() - start
        way.arrivals.reach(way.arrivals.answers * (len(mails) + 1))
        return {
            **layout.facts,
            "mails": len(mails),
            "taken": taken,
            "answered": time.perf_counter() - start,
            "between": way.arrivals.last(between) - sent,
            "resident": way.server.peak_memory() / (1 << 20),
        }
