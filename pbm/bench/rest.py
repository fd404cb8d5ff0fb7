"""What a server that has nothing to do costs: CPU and memory of each of its processes."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from pbm.bench.plan import Plan, Tick
from pbm.bench.processes import resident_bytes
from pbm.bench.report import Report
from pbm.bench.scratch import backend_of
from pbm.bench.way import layouts, whole_way
from pbm.stages import POLL_SECONDS

_SETTLED = POLL_SECONDS + 5.0
"""Seconds after the last move until everything that follows it is done, at most.

A stage that nobody has called for POLL_SECONDS compiles what templates it has not yet needed,
and forgets what is done.
"""

MEGABYTE = 1024 * 1024


def steps(_plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return 1


def report(plan: Plan, tick: Tick) -> Report:
    """Return for each process the CPU at rest, in per cent of a core, and resident megabytes."""
    plan = replace(plan, forms=("html",))
    rows = asyncio.run(_measured(plan))
    tick()
    return Report("rest", "per cent of a core; megabytes", rows, {"seconds": plan.seconds})


async def _measured(plan: Plan) -> list[dict[str, Any]]:
    async with AsyncExitStack() as stack:
        works = {
            layout: await stack.enter_async_context(whole_way(layout, plan))
            for layout in layouts(plan)
        }
        for work in works.values():
            stack.enter_context(work.server.turn())
        await asyncio.sleep(min(_SETTLED, plan.seconds))
        running = [(layout, each) for layout, work in works.items() for each in work.server.running]
        before = [each.cpu for _, each in running]
        await asyncio.sleep(plan.seconds)
        return [
            {
                "database": backend_of(layout.database),
                "processes": layout.processes,
                "stage": each.stage,
                "percent": 100 * (each.cpu - spent) / plan.seconds,
                "resident": resident_bytes(each.process.pid) / MEGABYTE,
            }
            for (layout, each), spent in zip(running, before, strict=True)
        ]
