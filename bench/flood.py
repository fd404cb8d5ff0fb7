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

from bench.boards import Hall, Sent
from bench.play import field_of
from bench.report import Plan, Report
from bench.servers import PROCESSES, backend_of, peak_memory, scratch_house, serving
from bench.way import Layout, layouts
from bench.wire import Arrivals, Clients, clients, sink


def report(plan: Plan) -> Report:
    """Return for each layout what became of a flood; raise BenchError if a mail is lost."""
    layouts_played = layouts(replace(plan, forms=("html",)))
    rows = [asyncio.run(_flooded(layout, plan)) for layout in layouts_played]
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
            "resident": max(peak_memory(each.process.pid) for each in server.running) / (1 << 20),
        }


async def _answer(client: Clients, mail: Sent, arrivals: Arrivals) -> float:
    """Send a mail; return the seconds until all who are told of it have been."""
    sent = time.perf_counter()
    client.send(mail)
    await arrivals.wait(lambda: all(reader in arrivals.at for reader in mail.readers))
    return max(arrivals.at[reader] for reader in mail.readers) - sent
