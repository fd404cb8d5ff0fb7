"""The think stage: a thread that claims thoughts, has them thought, and carries out what was found.

It does no thinking itself, and never waits for any: the worker processes wake it.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from pbm.core.leases import Leases
from pbm.dispatch.thoughts import Claimed, ThoughtQueue
from pbm.server.thinking.workers import Fault, TaskResult, Worker, Workers
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.unit import OpenUnit

log = logging.getLogger("pbm.think")

LOOK_SECONDS = 1.0
"""Seconds between two looks at the processes that think."""


@dataclass
class Thinking:
    """The thoughts of this process: those that are being thought about, by who thinks them.

    `ended` is how many have come to an end.
    """

    queue: ThoughtQueue
    leases: Leases
    workers: Workers
    open_unit: OpenUnit
    open_reading: OpenUnit
    ended: int = 0
    _under_way: dict[Worker, Claimed] = field(default_factory=dict)
    _found: list[tuple[Claimed, TaskResult | Fault]] = field(default_factory=list)

    @property
    def busy(self) -> bool:
        """True while anything is being thought about."""
        return bool(self._under_way or self._found)

    def step(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Take over what dead processes left, carry out results, begin thoughts; return how many.

        Raises StoreUnavailable; what was found is kept for the next time.
        """
        try:
            for owner in self.leases.free_abandoned(self.open_unit, self.open_reading):
                log.warning("took over what %s was thinking about", owner.rpartition(":")[0])
            self.workers.tidy()
            done = self._carry_out()
            while not stopping() and self.workers.has_room and self._begin():
                done += 1
        except StoreUnavailable:
            self.leases.renounce()
            raise
        return done

    def _carry_out(self) -> int:
        """Carry out what has been found; return how many thoughts came to an end by that."""
        for worker, answer in self.workers.answered():
            self._found.append((self._under_way.pop(worker), answer))
        before = self.ended
        while self._found:
            claimed, answer = self._found[0]
            if isinstance(answer, Fault):
                self.queue.fault(claimed, answer.trace, answer.seconds)
            else:
                self.queue.carry_out(claimed, answer.value, answer.seconds)
            del self._found[0]
            self.ended += 1
        return self.ended - before

    def _begin(self) -> bool:
        """Give the next thought to a worker; return False if there is none."""
        if not self.queue.anything_due():
            return False
        try:
            taken = self.queue.take(self.leases.hold())
        except Conflict:
            return True  # somebody else was first
        if taken is not None:
            claimed, task = taken
            self._under_way[self.workers.begin(task)] = claimed
        return taken is not None

    def close(self) -> None:
        """End the workers, and give back what they were thinking about."""
        self.workers.close()
        left = [*self._under_way.values(), *(claimed for claimed, _ in self._found)]
        self._under_way.clear()
        self._found.clear()
        # Without the database it is free once this process has ended.
        with suppress(StoreUnavailable, Conflict):
            for claimed in left:
                self.queue.give_back(claimed)


def think_waiting(thinking: Thinking, is_over: Callable[[], bool]) -> int:
    """Think until nothing is due; return how many thoughts came to an end.

    None is begun once it `is_over`. What is being thought about by then is still carried out.
    """
    called = threading.Event()
    thinking.workers.wake = called.set
    try:
        while (done := thinking.step(is_over)) or thinking.busy:
            if not done:
                called.wait(LOOK_SECONDS)
                called.clear()
    finally:
        thinking.close()
    return thinking.ended
