"""The whole way of a move: in by SMTP, durable, played, two mails out to an SMTP sink.

Clients and sink are in this process, the server in one or several others. The clients keep a
number of moves on their way, so that every stage has work until the end. What counts is the ratio
to the yardstick N of the same round: with everything on the same cores, it tells how much more a
move costs than to throw a mail away.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Protocol

from bench.boards import Hall, Sent, reply
from bench.play import field_of
from bench.report import Plan, Report, row_of
from bench.servers import PROCESSES, Server, backend_of, scratch_house, serving, yardstick
from bench.wire import Arrivals, Clients, clients, sink

ON_THEIR_WAY = 512
"""Moves that have been sent and not yet led to a mail for each player."""

WARM_UP = 64
"""Moves before the first round, unmeasured."""


@dataclass(frozen=True, slots=True)
class WayCost:
    """Moves a second, and the CPU of a move in microseconds, by stage, in one round."""

    rate: float
    cpu: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class WayRate:
    """A contestant: the medians of its rounds.

    `ratio` is that of the rates to N's in the same round, `cpu_ratio` how many mails of N have
    cost the CPU of one move, with PostgreSQL's.
    """

    database: str
    processes: str
    form: str
    rate: float
    ratio: float
    rate_by_round: tuple[float, ...]
    cpu: Mapping[str, float]
    cpu_ratio: float


class Work(Protocol):
    """What takes its turn in the rounds."""

    async def measure(self, moves: int) -> WayCost:
        """Do so many moves; return what they cost."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """N with its clients."""

    server: Server
    clients: Clients

    async def measure(self, moves: int) -> WayCost:
        """Throw so many mails away."""
        to = f"pbm+{'a' * 42}@localhost"
        author = "player@example.org"
        mails = [Sent(author, to, reply(author, to, "C3", str(n))) for n in range(moves)]
        return await cost_of(self.server, moves, self.clients.hand_in(mails))


@dataclass(frozen=True, slots=True)
class WholeWay:
    """A server with boards, its clients, and its sink."""

    server: Server
    hall: Hall
    clients: Clients
    arrivals: Arrivals
    at_once: int

    async def measure(self, moves: int) -> WayCost:
        """Play so many moves, each from the client to its mails at the sink."""
        mails = list(self.hall.mails(moves))
        return await cost_of(self.server, moves, self._answered(mails))

    async def _answered(self, mails: Sequence[Sent]) -> None:
        """Hand the mails in, and return once all that they lead to has come."""
        come, sent = self.arrivals.count, self.clients.handed_in

        def may_send() -> bool:
            done = (self.arrivals.count - come) // self.hall.readers
            return self.clients.handed_in - sent < done + self.at_once

        self.arrivals.on_arrival = self.clients.go_on
        await self.clients.hand_in(mails, may_send)
        await self.arrivals.reach(come + self.hall.readers * len(mails))


async def cost_of(server: Server, moves: int, work: Awaitable[None]) -> WayCost:
    """Do the work of so many moves, in a turn of the server; return what each has cost it."""
    gc.collect()
    with server.turn():
        before, start = server.cpu(), time.perf_counter()
        await work
        took, after = time.perf_counter() - start, server.cpu()
    cpu = {stage: (after[stage] - before[stage]) * 1e6 / moves for stage in after}
    return WayCost(moves / took, cpu)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a server keeps its data, in how many processes it runs, and what mails it sends."""

    database: str
    processes: str
    form: str


@asynccontextmanager
async def whole_way(layout: Layout, plan: Plan) -> AsyncIterator[WholeWay]:
    """Yield a server with boards, warmed up, that waits for its turn.

    `layout.database` is a server of databases.
    """
    async with AsyncExitStack() as stack:
        port, arrivals = await stack.enter_async_context(sink())
        house = stack.enter_context(scratch_house(layout.database))
        hall = Hall(house, field_of(layout.form, plan), plan.boards)
        house.close()
        server = stack.enter_context(
            serving(house, PROCESSES[layout.processes], f"smtp://127.0.0.1:{port}")
        )
        connected = await stack.enter_async_context(clients(server.ports, plan.connections))
        # So few that no board gets its next move before the last one is played.
        at_once = min(ON_THEIR_WAY, max(1, plan.boards // 2))
        work = WholeWay(server, hall, connected, arrivals, at_once)
        await work.measure(min(WARM_UP, plan.boards))
        yield work


@asynccontextmanager
async def null_way(connections: int) -> AsyncIterator[Yardstick]:
    """Yield the yardstick N, warmed up."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pbm-bench-")))
        server = stack.enter_context(yardstick(folder))
        connected = await stack.enter_async_context(clients(server.ports, connections))
        work = Yardstick(server, connected)
        await work.measure(WARM_UP)
        yield work


USUAL_PROCESSES = {"sqlite": ("one", "three", "four"), "postgresql": ("one", "two", "four")}
"""The layouts that are compared on each kind of database."""


def layouts(plan: Plan) -> tuple[Layout, ...]:
    """Return a layout for each form on each server, in the plan's processes or the usual ones."""
    return tuple(
        Layout(server, name, form)
        for form in plan.forms
        for server in plan.servers
        for name in plan.processes or USUAL_PROCESSES[backend_of(server)]
    )


def report(plan: Plan) -> Report:
    """Return the rates of N, which comes first, and of each layout, in alternating rounds."""
    rates = asyncio.run(_measured(plan))
    rows = [row_of(rate) for rate in rates]
    return Report("way", "moves a second; microseconds of CPU a move", rows, plan.settings)


async def _measured(plan: Plan) -> tuple[WayRate, ...]:
    async with AsyncExitStack() as stack:
        works: dict[Layout, Work] = {
            Layout("", "one", ""): await stack.enter_async_context(null_way(plan.connections))
        }
        for layout in layouts(plan):
            works[layout] = await stack.enter_async_context(whole_way(layout, plan))
        costs = await in_turn(works, plan.moves, plan.rounds)
    first = next(iter(costs.values()))
    return tuple(_rate(layout, own, first) for layout, own in costs.items())


async def in_turn(
    works: Mapping[Layout, Work], moves: int, rounds: int
) -> dict[Layout, list[WayCost]]:
    """Return what each has cost in each round."""
    costs: dict[Layout, list[WayCost]] = {layout: [] for layout in works}
    for _ in range(rounds):
        for layout, work in works.items():
            costs[layout].append(await work.measure(moves))
    return costs


def _rate(layout: Layout, own: Sequence[WayCost], null: Sequence[WayCost]) -> WayRate:
    pairs = list(zip(own, null, strict=True))
    return WayRate(
        backend_of(layout.database) if layout.database else "N",
        layout.processes,
        layout.form,
        median(cost.rate for cost in own),
        median(cost.rate / n.rate for cost, n in pairs),
        tuple(cost.rate for cost in own),
        {stage: median(cost.cpu[stage] for cost in own) for stage in own[0].cpu},
        median(sum(cost.cpu.values()) / sum(n.cpu.values()) for cost, n in pairs),
    )
