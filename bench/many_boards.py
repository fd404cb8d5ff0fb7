"""What a move costs a server with many boards, against one with few."""

from contextlib import ExitStack
from itertools import product
from statistics import median
from typing import Any

from bench.boards import Hall
from bench.play import PlayWork, field_of
from bench.report import Plan, Report
from bench.servers import backend_of, scratch_house
from bench.statements import Count

PLAYED = 640
"""Boards that are played on, at most; the others lie idle before and behind them."""


def report(plan: Plan) -> Report:
    """Return the microseconds of CPU of a move with few and with many boards, and their ratio."""
    rows = [_row(*each, plan) for each in product(plan.servers, plan.forms)]
    return Report("many-boards", "microseconds of CPU a move", rows, plan.settings)


def _row(server: str, form: str, plan: Plan) -> dict[str, Any]:
    fewer = max(1, plan.boards * 2 // 25)
    with ExitStack() as stack:
        sizes = (fewer, plan.boards)
        works = [_furnished(stack, server, form, plan, size) for size in sizes]
        for work in works:
            work.measure(plan.moves)
        costs = [[work.measure(plan.moves) for work in works] for _ in range(plan.rounds)]
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
