"""How long a player waits for the answer on a quiet server: five moves a second.

Moves are sent at their times, whether earlier ones are answered or not, so that a server that
stands still is not asked less. An answer is there when both players' mails are at the sink.
"""

import asyncio
import gc
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from bench.report import Plan, Report
from bench.servers import backend_of
from bench.way import Layout, WholeWay, layouts, whole_way

EACH_SECOND = 5
"""Moves sent in a second."""

FORM = "html"
"""The form of the mails: what players get who have set nothing."""


def _chosen(plan: Plan) -> tuple[Layout, ...]:
    return tuple(layout for layout in layouts(plan) if layout.form == FORM)


def report(plan: Plan) -> Report:
    """Return for each layout how long answers take, in milliseconds."""
    rows = asyncio.run(_measured(plan))
    return Report("latency", "milliseconds to both mails at the sink", rows, plan.settings)


async def _measured(plan: Plan) -> list[dict[str, Any]]:
    took: dict[Layout, list[float]] = {layout: [] for layout in _chosen(plan)}
    async with AsyncExitStack() as stack:
        works = {
            layout: await stack.enter_async_context(whole_way(layout, plan)) for layout in took
        }
        for _ in range(plan.rounds):
            for layout, work in works.items():
                with work.server.turn():
                    took[layout] += await _answers(work, plan.moves)
    return [_row(layout, sorted(times)) for layout, times in took.items()]


async def _answers(work: WholeWay, moves: int) -> list[float]:
    """Return how long each of the answers has taken, in seconds."""
    mails = list(work.hall.mails(moves))
    gc.collect()
    come, start = work.arrivals.count, time.perf_counter()
    sent_at = []
    for number, mail in enumerate(mails):
        await asyncio.sleep(start + number / EACH_SECOND - time.perf_counter())
        sent_at.append(time.perf_counter())
        work.clients.send(mail)
    await work.arrivals.reach(come + work.hall.readers * moves)
    return [
        max(work.arrivals.at[reader] for reader in mail.readers) - sent
        for mail, sent in zip(mails, sent_at, strict=True)
    ]


def _row(layout: Layout, times: Sequence[float]) -> dict[str, Any]:
    return {
        "database": backend_of(layout.database),
        "processes": layout.processes,
        "answers": len(times),
        "p50": 1000 * percentile(times, 50),
        "p99": 1000 * percentile(times, 99),
        "worst": 1000 * times[-1],
    }


def percentile(times: Sequence[float], part: int) -> float:
    """Return the time within which `part` per cent of the sorted `times` are."""
    return times[max(0, -(-len(times) * part // 100) - 1)]
