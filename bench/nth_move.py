"""What the n-th move of a match costs the play stage, against one of its first.

A game has its largest board, unless options say otherwise, and n is as near to 300 as random
moves get. Each round plays a move on each of some boards that are new and some that are old. All
have the same moves, so that pictures are drawn once and the length of the match is all that
differs.
"""

from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import product
from statistics import median
from typing import Any

from bench.boards import Field, Hall, Line
from bench.engines import seeded
from bench.play import PlayWork, field_of
from bench.report import BenchError, Plan, Report
from bench.servers import backend_of, scratch_house
from bench.statements import Count
from pbm.engine import AnyGame
from pbm.system import utc_now

_PLIES = (299, 199, 99, 49, 29, 14)
"""Plies that may have been played before, the most that random moves allow."""


def _contestants(plan: Plan) -> list[tuple[str, str, Plan]]:
    """Return each server with each form, and each game with its options."""
    plans = [replace(plan, games=(game,), options=_largest(plan, game)) for game in plan.games]
    return list(product(plan.servers, plan.forms, plans))


def _largest(plan: Plan, game: AnyGame) -> dict[str, str]:
    return dict(plan.options) or {each.name: each.choices[-1] for each in game.info.options}


def report(plan: Plan) -> Report:
    """Return the microseconds of CPU of a first and of an n-th move, and their ratio."""
    rows = [_row(*contestant) for contestant in _contestants(plan)]
    return Report("nth-move", "microseconds of CPU a move", rows, plan.settings)


def _row(server: str, form: str, plan: Plan) -> dict[str, Any]:
    with ExitStack() as stack:
        house = stack.enter_context(scratch_house(server))
        old = _plays(form, plan)
        new = replace(old, plies=0)
        first, nth = (
            PlayWork(house, Hall(house, plays, plan.boards, name), Count())
            for name, plays in (("new", new), ("old", old))
        )
        for work in (first, nth):
            work.measure(plan.boards)
        costs = [
            (first.measure(plan.boards).play, nth.measure(plan.boards).play)
            for _ in range(plan.rounds)
        ]
    return {
        "game": plan.game.info.key,
        "database": backend_of(server),
        "form": form,
        "n": old.plies + 1,
        "first": median(early for early, _ in costs),
        "nth": median(late for _, late in costs),
        "ratio": median(late / early for early, late in costs),
    }


def _plays(form: str, plan: Plan) -> Field:
    """Return what is played after as many plies as there can be; raise BenchError."""
    plays = replace(field_of(form, plan), alike=True)
    for plies in _PLIES:
        with suppress(BenchError):
            # A line that has met its end would try other moves than the boards do.
            Line(plays, utc_now(), seeded()).after(plies + plan.rounds + 2)
            return replace(plays, plies=plies)
    raise BenchError(f"A match of {plan.game.info.title} ends too soon to be measured.")
