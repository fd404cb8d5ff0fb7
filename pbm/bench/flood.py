"""Thousands of moves at once: is each answered, in what memory, and how soon is one in between.

The flood comes over kept connections as fast as the server takes it. In its middle a player who
has nothing else waiting sends a move over a connection of their own.
"""

import asyncio
import gc
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from pbm.bench.boards import Hall, Sent
from pbm.bench.plan import Plan, Tick
from pbm.bench.play import field_of
from pbm.bench.processes import resident_bytes
from pbm.bench.report import Report
from pbm.bench.rest import MEGABYTE
from pbm.bench.scratch import backend_of, scratch_house
from pbm.bench.servers import PROCESSES, serving
from pbm.bench.way import Layout, layouts
from pbm.bench.wire import Arrivals, Clients, clients, sink


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return len(_layouts(plan))


def _layouts(plan: Plan) -> tuple[Layout, ...]:
    return layouts(replace(plan, forms=("html",)))


def report(plan: Plan, tick: Tick) -> Report:
    """Return for each layout what became of a flood; raise BenchError if a mail is lost."""
    rows = []
    for layout in _layouts(plan):
        rows.append(asyncio.run(_flooded(layout, plan)))
        tick()
    return Report("flood", "seconds; megabytes, the most of a process", rows, plan.settings)


async def _flooded(layout: Layout, plan: Plan) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        port, arrivals = await stack.enter_async_context(sink())
        house = stack.enter_context(scratch_house(layout.database))
        plays = field_of(layout.form, plan)
        hall = Hall(house, plays, plan.boards)
        mails = list(hall.mails(plan.moves))
        (between,) = Hall(house, plays, 1, name="guest").mails(1)
        house.close()
        server = stack.enter_context(
            serving(house, PROCESSES[layout.processes], f"smtp://127.0.0.1:{port}")
        )
        many = await stack.enter_async_context(clients(server.ports, plan.connections))
        one = await stack.enter_async_context(clients(server.ports, 1))
        gc.collect()
        start = time.perf_counter()
        await many.hand_in(mails[: len(mails) // 2])
        rest = asyncio.create_task(many.hand_in(mails[len(mails) // 2 :]))
        between_took = await _answer(one, between, arrivals)
        await rest
        taken = time.perf_counter() - start
        await arrivals.reach(hall.readers * (len(mails) + 1))
        return {
            "database": backend_of(layout.database),
            "processes": layout.processes,
            "mails": len(mails),
            "taken": taken,
            "answered": time.perf_counter() - start,
            "between": between_took,
            "resident": max(resident_bytes(each.process.pid, most=True) for each in server.running)
            / MEGABYTE,
        }


async def _answer(client: Clients, mail: Sent, arrivals: Arrivals) -> float:
    """Send a mail; return the seconds until all who are told of it have been."""
    sent = time.perf_counter()
    client.send(mail)
    await arrivals.wait(lambda: all(reader in arrivals.at for reader in mail.readers))
    return max(arrivals.at[reader] for reader in mail.readers) - sent
