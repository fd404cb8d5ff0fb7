"""What it costs to store mails while many wait, against none: the letterbox alone."""

import gc
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from typing import Any

from pbm.bench.letters import reply
from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report
from pbm.bench.scratch import ADDRESS, backend_of, scratch_house
from pbm.bootstrap import House
from pbm.domain.mail import ReceivedMail

AT_ONCE = 64
"""Mails in a commit."""


class Queue:
    """A house whose mails nobody plays."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._letters = 0

    def fill(self, mails: int) -> float:
        """Store so many mails; return the CPU of each, in microseconds."""
        batches = [list(self._mails(min(AT_ONCE, mails - n))) for n in range(0, mails, AT_ONCE)]
        gc.collect()
        start = time.process_time()
        for batch in batches:
            self._house.inbox.put(batch)
        return (time.process_time() - start) * 1e6 / max(1, mails)

    def _mails(self, many: int) -> Iterator[ReceivedMail]:
        for _ in range(many):
            self._letters += 1
            author = f"sender{self._letters}@d{self._letters % 1000}.example.org"
            content = reply(author, ADDRESS, "help", str(self._letters))
            yield ReceivedMail(author, (ADDRESS,), content, self._house.clock())


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return len(plan.servers) * (1 + plan.rounds)


def report(plan: Plan, tick: Tick) -> Report:
    """Return the microseconds of CPU of a mail with an empty and a long queue, and their ratio."""
    rows = [_row(server, plan, tick) for server in plan.servers]
    settings = {"rounds": plan.rounds, "moves": plan.moves, "waiting": plan.waiting}
    return Report("queue", "microseconds of CPU a mail", rows, settings)


def _row(server: str, plan: Plan, tick: Tick) -> dict[str, Any]:
    costs = []
    with ExitStack() as stack:
        empty, full = (Queue(stack.enter_context(scratch_house(server))) for _ in range(2))
        for first in range(0, plan.waiting, 1000):
            full.fill(min(1000, plan.waiting - first))
        empty.fill(AT_ONCE)
        tick()
        for _ in range(plan.rounds):
            costs.append((empty.fill(plan.moves), full.fill(plan.moves)))
            tick()
    return {
        "database": backend_of(server),
        "waiting": plan.waiting,
        "empty": median(early for early, _ in costs),
        "full": median(late for _, late in costs),
        "ratio": median(late / early for early, late in costs),
    }
