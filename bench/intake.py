"""Mails taken in by SMTP, durable before the 250: against N.

The server has the role of intake alone. The other yardstick is D, SQLite transactions of one row
each with synchronous=FULL: what it would cost to make every mail durable by itself.
"""

import asyncio
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.boards import Hall
from bench.play import field_of
from bench.report import Plan, Report
from bench.servers import Server, backend_of, scratch_house, serving
from bench.way import WayCost, Work, cost_of, null_way
from bench.wire import Clients, clients

MANY = 64
"""Connections in the second half of the measurements, as many as mails in a commit."""


@dataclass(frozen=True, slots=True)
class Door:
    """What is measured: N, D or a kind of database, and the number of connections."""

    name: str
    connections: int


@dataclass(frozen=True, slots=True)
class Taking:
    """A server that takes mails in, and its clients."""

    server: Server
    hall: Hall
    clients: Clients

    async def measure(self, moves: int) -> WayCost:
        """Hand so many mails in."""
        mails = list(self.hall.mails(moves))
        return await cost_of(self.server, moves, self.clients.hand_in(mails))


@dataclass(frozen=True, slots=True)
class Transactions:
    """The yardstick D, on a database in `folder`."""

    folder: Path

    async def measure(self, moves: int) -> WayCost:
        """Commit so many rows, one by one."""
        database = sqlite3.connect(self.folder / "yardstick.db", isolation_level=None)
        with closing(database):
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            database.execute("CREATE TABLE IF NOT EXISTS one (content BLOB)")
            row = (bytes(3000),)
            start, used = time.perf_counter(), time.process_time()
            for _ in range(moves):
                database.execute("INSERT INTO one VALUES (?)", row)
            took, cpu = time.perf_counter() - start, time.process_time() - used
        return WayCost(moves / took, {"null": cpu * 1e6 / moves})


def report(plan: Plan) -> Report:
    """Return the rates of N, D and intake, in alternating rounds."""
    rows = asyncio.run(_measured(plan))
    return Report("intake", "mails a second; microseconds of CPU a mail", rows, plan.settings)


async def _measured(plan: Plan) -> list[dict[str, Any]]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pbm-bench-")))
        works: dict[Door, Work] = {Door("D", 0): Transactions(folder)}
        for many in (plan.connections, MANY):
            works[Door("N", many)] = await stack.enter_async_context(null_way(many))
        for server in plan.servers:
            for many in (plan.connections, MANY):
                door = Door(backend_of(server), many)
                works[door] = await _taking(stack, server, plan, many)
        costs: dict[Door, list[WayCost]] = {door: [] for door in works}
        for _ in range(plan.rounds):
            for door, work in works.items():
                costs[door].append(await work.measure(plan.moves))
    return [_row(door, costs) for door in costs]


async def _taking(stack: AsyncExitStack, server: str, plan: Plan, connections: int) -> Taking:
    house = stack.enter_context(scratch_house(server))
    hall = Hall(house, field_of(plan.forms[0], plan), plan.boards)
    house.close()
    running = stack.enter_context(serving(house, ("intake",), "null:"))
    connected = await stack.enter_async_context(clients(running.ports, connections))
    taking = Taking(running, hall, connected)
    await taking.measure(MANY)
    return taking


def _row(door: Door, costs: Mapping[Door, Sequence[WayCost]]) -> dict[str, Any]:
    """Return the medians of a door; `ratio` is to N."""
    own = costs[door]
    null = costs.get(Door("N", door.connections), own)
    return {
        "name": door.name,
        "connections": door.connections or None,
        "rate": median(cost.rate for cost in own),
        "ratio": median(a.rate / b.rate for a, b in zip(own, null, strict=True)),
        "cpu": median(sum(cost.cpu.values()) for cost in own),
        "cpu_ratio": median(
            sum(a.cpu.values()) / sum(b.cpu.values()) for a, b in zip(own, null, strict=True)
        ),
    }
