"""The cost of a move in the play stage, in one process without sockets, and what it leaves on disk.

Moves are put into the inbox as intake does it under load, 64 at a time, and played in batches of
64. What they led to is handed to a relay that throws it away. CPU is in microseconds of this
process, that of the `database` in microseconds of PostgreSQL's own, if it runs here.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import product

from sqlalchemy import create_engine, text

from bench.boards import Field, Hall, Line, field_of, seeded
from bench.games import chess_playouts, cpu_rate
from bench.report import BenchError, Cost, Plan, Rows, in_turn, medians, part, ratio
from bench.servers import backend_of, database_cpu, scratch_app
from pbm.server.assembly import App
from pbm.server.play_stage import BATCH
from pbm.store.driver.database import parse_url
from pbm.store.personal import Cutoffs
from pbm.system import collect_seldom, utc_now

YARDSTICK_SECONDS = 0.2
"""CPU of python-chess before each round."""


class Stage:
    """A play stage that is measured on the boards of a hall."""

    def __init__(self, app: App, hall: Hall) -> None:
        self._app = app
        self._hall = hall
        self._relay = app.new_relay()

    def measure(self, moves: int) -> Cost:
        """Play so many moves; return the cost of each. Raises BenchError if one was not played."""
        now, mails = self._app.clock(), self._hall.mails(moves)
        received = [mail.received(now) for mail in mails]
        batches = [received[first : first + BATCH] for first in range(0, moves, BATCH)]
        collect_seldom()
        database = database_cpu(self._app)
        intake = _cpu(lambda: [self._app.inbox.put(batch) for batch in batches])
        play = _cpu(lambda: self._play(moves))
        database = database_cpu(self._app) - database
        delivery = _cpu(lambda: self._deliver(moves))
        spent = {"intake": intake, "play": play, "delivery": delivery, "cpu.database": database}
        return {name: 1e6 * seconds / moves for name, seconds in spent.items()}

    def _play(self, moves: int) -> None:
        while moves > 0:
            taken = self._app.play_stage.play_waiting()
            if not taken:
                raise BenchError("A mail of the benchmark has not reached the play stage.")
            moves -= taken

    def _deliver(self, moves: int) -> None:
        """Throw away what the moves led to; raise BenchError unless each player gets a mail."""
        delivered = 0
        while handed := self._app.deliver_waiting(self._relay):
            delivered += handed
        with self._app.open_reading() as work:
            shunted = len(work.shunt.listing())
        if shunted or delivered != self._hall.readers * moves:
            raise BenchError(
                f"{moves} moves led to {delivered} mails, and {shunted} met a bug: this app "
                "cannot be measured."
            )


def _cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that this process needs for `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


@part("play", "microseconds of CPU a move")
def play(plan: Plan) -> Rows:
    """Return what a move costs on each database with each form of mails.

    `ratio` is how many plies of python-chess take as long as to play a move: a busy machine slows
    both.
    """
    yardstick = chess_playouts(seeded())

    def beside_yardstick(stage: Stage) -> Cost:
        speed = cpu_rate(yardstick, YARDSTICK_SECONDS)["plies_per_second"]
        cost = stage.measure(plan.moves)
        return {**cost, "ratio": cost["play"] * speed / 1e6}

    with ExitStack() as stack:
        works = {}
        for server, form in product(plan.servers, plan.forms):
            app = stack.enter_context(scratch_app(server))
            stage = Stage(app, Hall(app, field_of(form, plan), plan.boards))
            works[backend_of(server), form] = partial(beside_yardstick, stage)
        costs = in_turn(works, plan.rounds)
    return [
        {"database": database, "form": form, **medians(own)}
        for (database, form), own in costs.items()
    ]


_PLIES = (299, 199, 99, 49, 29, 14)
"""Plies that may have been played before, the most that random moves allow."""


@part("nth-move", "microseconds of CPU a move", boards=64)
def nth_move(plan: Plan) -> Rows:
    """Return the CPU of a first and of an n-th move of a match, and their ratio, in each game.

    A game has its largest board, unless options say otherwise, and n is as near to 300 as random
    moves get. All boards have the same moves, so that the length of the match is all that differs.
    """
    rows = []
    for server, form, game in product(plan.servers, plan.forms, plan.games):
        largest = {each.name: each.choices[-1] for each in game.info.options}
        new = Field(game, plan.options or largest, form, alike=True)
        old = replace(new, plies=_most_plies(new, plan.rounds))
        with scratch_app(server) as app:
            first = Stage(app, Hall(app, new, plan.boards, "new"))
            nth = Stage(app, Hall(app, old, plan.boards, "old"))
            costs = _compared(first, nth, plan.boards, plan.rounds)
        facts = {"game": game.info.key, "database": backend_of(server), "form": form}
        rows.append({**facts, "n": old.plies + 1, **costs})
    return rows


def _most_plies(new: Field, rounds: int) -> int:
    """Return after how many plies there are enough left; raise BenchError."""
    for plies in _PLIES:
        with suppress(BenchError):
            # A line that has met its end would try other moves than the boards do.
            Line(new, utc_now(), seeded()).after(plies + rounds + 2)
            return plies
    raise BenchError(f"A match of {new.game.info.title} ends too soon to be measured.")


_PLAYED = 640
"""Boards that are played on, at most, of many; the others lie idle between them."""


@part("many-boards", "microseconds of CPU a move", boards=50_000)
def many_boards(plan: Plan) -> Rows:
    """Return the CPU of a move with many boards, with 2/25 of them, and their ratio."""
    rows = []
    for server, form in product(plan.servers, plan.forms):
        few = max(1, plan.boards * 2 // 25)
        with scratch_app(server) as one, scratch_app(server) as other:
            plays = field_of(form, plan)
            small = Stage(one, Hall(one, plays, few, played=_PLAYED))
            large = Stage(other, Hall(other, plays, plan.boards, played=_PLAYED))
            costs = _compared(small, large, plan.moves, plan.rounds)
        facts = {"database": backend_of(server), "form": form}
        rows.append({**facts, "fewer": few, "boards": plan.boards, **costs})
    return rows


def _compared(one: Stage, other: Stage, moves: int, rounds: int) -> dict[str, float]:
    """Return the CPU of a move on two stages, measured in turn, and the ratio of the second."""
    works = {stage: partial(stage.measure, moves) for stage in (one, other)}
    costs = in_turn(works, rounds)
    return {
        "one": medians(costs[one])["play"],
        "other": medians(costs[other])["play"],
        "ratio": ratio(costs[other], costs[one], "play"),
        "database_ratio": ratio(costs[other], costs[one], "cpu.database"),
    }


@part("disk", "octets a move", moves=2000, boards=200)
def disk(plan: Plan) -> Rows:
    """Return octets a move: `done` while its mails are kept, `pruned` after, `lasting` in use.

    Moves are played and delivered in two halves. After each half all mails that are done are
    pruned. What the second half adds is what a server grows by, since it can use the room of the
    first.
    """
    rows = []
    for server, form in product(plan.servers, plan.forms):
        with scratch_app(server) as app:
            stage = Stage(app, Hall(app, field_of(form, plan), plan.boards))
            empty = _used(app)
            stage.measure(plan.moves)
            done = _used(app)
            _prune(app)
            pruned = _used(app)
            stage.measure(plan.moves)
            _prune(app)
            added = {
                "done": done - empty,
                "pruned": pruned - empty,
                "lasting": _used(app) - pruned,
            }
        each = {name: octets / plan.moves for name, octets in added.items()}
        rows.append({"database": backend_of(server), "form": form, **each})
    return rows


def _prune(app: App) -> None:
    """Forget all mails that are done, as happens once they are old."""
    soon = app.clock() + timedelta(days=1)
    pruned = 1
    while pruned:
        with app.open_unit() as work:
            pruned = work.prune(Cutoffs(*[soon] * 5), 1000)
            work.commit()


_PAGES = "pragma_page_count, pragma_freelist_count, pragma_page_size"

_USED = {
    "sqlite": (f"SELECT (page_count - freelist_count) * page_size FROM {_PAGES}",),  # noqa: S608
    # VACUUM is what it does by itself now and then, so that room is used again: pages of an index
    # after the second time, if there was a transaction since the first.
    "postgresql": (
        *("VACUUM", "SELECT pg_current_xact_id()", "VACUUM"),
        "SELECT pg_database_size(current_database())",
    ),
}


def _used(app: App) -> int:
    """Return the octets of the pages in use; of PostgreSQL, of its files after a VACUUM."""
    engine = create_engine(parse_url(app.settings.database), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in _USED[engine.dialect.name]:
            found = connection.execute(text(statement))
        used = int(found.scalar_one())
    engine.dispose()
    return used
