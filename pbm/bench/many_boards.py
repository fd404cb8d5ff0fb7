"""What a move costs a server with many boards, against one with few."""

from contextlib import ExitStack
from itertools import product
from statistics import median
from typing import Any

from pbm.bench.boards import Hall
from pbm.bench.plan import Plan, Tick
from pbm.bench.play import PlayWork, field_of
from pbm.bench.report import Report
from pbm.bench.scratch import backend_of, scratch_house
from pbm.bench.statements import Count

PLAYED = 640
"""Boards that are played on, at most; the others lie idle before and behind them."""


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return len(plan.servers) * len(plan.forms) * (2 + plan.rounds)


def report(plan: Plan, tick: Tick) -> Report:
    """Return the microseconds of CPU of a move with few and with many boards, and their ratio."""
    rows = [_row(*each, plan, tick) for each in product(plan.servers, plan.forms)]
    return Report("many-boards", "microseconds of CPU a move", rows, plan.settings)


def _row(server: str, form: str, plan: Plan, tick: Tick) -> dict[str, Any]:
    fewer = max(1, plan.boards * 2 // 25)
    costs = []
    with ExitStack() as stack:
        works = []
        for size in (fewer, plan.boards):
            works.append(_furnished(stack, server, form, plan, size))
            tick()
        for work in works:
            work.measure(plan.moves)
        for _ in range(plan.rounds):
            costs.append([work.measure(plan.moves) for work in works])
            tick()
    few, many = zip(*costs, strict=True)
    return {
        "database": backend_of(server),
        "form": form,
        "fewer": fewer,
        "boards": plan.boards,
        "with_fewer": median(cost.play for cost in few),
        "with_boards": median(cost.play for cost in many),
        "ratio": median(b.play / a.play for a, b in costs),
        "database_ratio": median(b.database / a.database if a.database else 1.0 for a, b in costs),
    }


def _furnished(stack: ExitStack, server: str, form: str, plan: Plan, size: int) -> PlayWork:
    """Return a play stage with so many boards."""
    house = stack.enter_context(scratch_house(server))
    plays = field_of(form, plan)
    played = min(PLAYED, size)
    idle = size - played
    Hall(house, plays, idle // 2, "before")
    hall = Hall(house, plays, played)
    Hall(house, plays, idle - idle // 2, "behind")
    return PlayWork(house, hall, Count())
