"""What a move costs the play stage: CPU and statements, in one process without sockets.

Moves are put into the inbox through the letterbox, 64 at a time as intake does it under load, and
played in batches of 64. What they led to is handed to a relay that throws it away.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from bench.boards import Field, Hall
from bench.engines import chess_playouts, cpu_rate, seeded
from bench.report import BenchError, Plan, Report, row_of
from bench.servers import backend_of, backends, cpu_of_all, database_name, scratch_house, set_clock
from bench.statements import Count, counting
from pbm.bootstrap import House
from pbm.worker import BATCH

FORMS: Mapping[str, tuple[Mapping[str, str], bool]] = {
    "text": ({"format": "text"}, False),
    "html": ({}, True),
    "drawn": ({}, False),
}
"""What players have set, and whether all boards have the same moves.

`html` finds each picture among those that were drawn before, `drawn` draws every one.
"""


_YARDSTICK_SECONDS = 0.2
"""CPU of python-chess before each round."""


@dataclass(frozen=True, slots=True)
class PlayCost:
    """What a move cost in one round, or the medians of several.

    CPU is in microseconds of this process, `database` of PostgreSQL's own if it runs here.
    `intake` is the letterbox alone, `play` the play stage, `delivery` the outbox and a relay
    that throws away. `statements` are those of the play stage.
    """

    intake: float
    play: float
    delivery: float
    database: float
    statements: float


@dataclass(frozen=True, slots=True)
class PlayRate:
    """A contestant: its database, the form of its mails, its medians, and `play` of each round.

    `ratio` is how many plies of python-chess take as long as to play a move does, the median of
    the rounds: a busy machine slows both.
    """

    database: str
    form: str
    median: PlayCost
    play_by_round: tuple[float, ...]
    ratio: float


def field_of(form: str, plan: Plan, plies: int = 0) -> Field:
    """Return what is played where players get mails of `form`, after so many plies."""
    settings, alike = FORMS[form]
    return Field(plan.game, plan.options, settings, alike, plies)


class PlayWork:
    """Boards in a house, and a play stage that is measured on them."""

    def __init__(self, house: House, hall: Hall, count: Count) -> None:
        self._house = house
        self._hall = hall
        self._count = count
        self._relay = house.new_relay()

    def measure(self, moves: int) -> PlayCost:
        """Play so many moves; return the cost of each. Raises BenchError if one was not played."""
        set_clock(self._house)
        batches = [min(BATCH, moves - first) for first in range(0, moves, BATCH)]
        letters = [
            [mail.received(self._house.clock()) for mail in self._hall.mails(size)]
            for size in batches
        ]
        gc.collect()
        database = self._database_cpu()
        intake = _cpu(lambda: [self._house.inbox.put(batch) for batch in letters])
        before = self._count.statements
        play = _cpu(lambda: self._play(moves))
        statements = self._count.statements - before
        database = self._database_cpu() - database
        delivery = _cpu(lambda: self._deliver(moves))
        micro = 1e6 / moves
        return PlayCost(
            intake * micro, play * micro, delivery * micro, database * micro, statements / moves
        )

    def _play(self, moves: int) -> None:
        while moves > 0:
            taken = self._house.play_stage.play_waiting()
            if not taken:
                raise BenchError("A mail of the benchmark has not reached the play stage.")
            moves -= taken

    def _deliver(self, moves: int) -> None:
        """Throw away what the moves led to; raise BenchError unless each player is told."""
        delivered = 0
        while handed := self._house.deliver_waiting(self._relay):
            delivered += handed
        with self._house.open_reading() as work:
            shunted = len(work.shunt.listing())
        if shunted or delivered != self._hall.readers * moves:
            raise BenchError(
                f"{moves} moves led to {delivered} mails, and {shunted} met a bug: this house "
                "cannot be measured."
            )

    def _database_cpu(self) -> float:
        return cpu_of_all(backends(database_name(self._house)))


def _cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that this process needs for `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


def report(plan: Plan) -> Report:
    """Return what a move costs on each database with each form of mails, in alternating rounds.

    One batch of each is played before, unmeasured. Raises BenchError.
    """
    with ExitStack() as stack:
        count = stack.enter_context(counting())
        works = {
            (backend_of(server), form): opened(stack, server, form, plan, count)
            for server in plan.servers
            for form in plan.forms
        }
        for work in works.values():
            work.measure(min(BATCH, plan.moves))
        rates = _in_turn(works, plan)
    return Report(
        "play", "microseconds of CPU a move", [row_of(rate) for rate in rates], plan.settings
    )


def _in_turn(works: Mapping[tuple[str, str], PlayWork], plan: Plan) -> tuple[PlayRate, ...]:
    """Return what each costs, measured in turn and after the yardstick."""
    yardstick = chess_playouts(seeded())
    costs: dict[tuple[str, str], list[PlayCost]] = {name: [] for name in works}
    ratios: dict[tuple[str, str], list[float]] = {name: [] for name in works}
    for _ in range(plan.rounds):
        for name, work in works.items():
            plies_per_second = cpu_rate(yardstick, _YARDSTICK_SECONDS)
            costs[name].append(work.measure(plan.moves))
            ratios[name].append(costs[name][-1].play * plies_per_second / 1e6)
    return tuple(
        PlayRate(*name, medians(own), tuple(cost.play for cost in own), median(ratios[name]))
        for name, own in costs.items()
    )


def opened(stack: ExitStack, server: str, form: str, plan: Plan, count: Count) -> PlayWork:
    """Return a play stage with boards on a new database, which goes with the `stack`."""
    house = stack.enter_context(scratch_house(server))
    return PlayWork(house, Hall(house, field_of(form, plan), plan.boards), count)


def medians(costs: Sequence[PlayCost]) -> PlayCost:
    """Return the medians of each of the figures."""
    return PlayCost(
        median(cost.intake for cost in costs),
        median(cost.play for cost in costs),
        median(cost.delivery for cost in costs),
        median(cost.database for cost in costs),
        median(cost.statements for cost in costs),
    )
