"""A stage: a thread that works until asked to stop, waits to be woken, and outlasts an outage."""

import logging
import threading
import time
from collections.abc import Callable

from pbm.core.bugs import trace_of
from pbm.server.watch.incidents import Incident
from pbm.store.errors import StoreUnavailable
from pbm.system.liveness import Activity

log = logging.getLogger("pbm")

OUTAGE_SECONDS = 5.0
"""The wait of a stage when the database is unavailable."""


class Stage(threading.Thread):
    """A thread that repeats `step` while that returns work done, and otherwise waits to be woken.

    If nobody wakes it, it looks again after `every()` seconds. After work and one quiet wait, it
    calls `rest` until that returns True. It calls `close` when it ends.

    A bug in it ends the whole process through `on_bug`, so that a supervisor restarts it: a
    server that takes mails and never plays them would be worse.
    """

    def __init__(
        self, name: str, step: Callable[[], int], rest: Callable[[], bool],
        on_bug: Callable[[], None], every: Callable[[], float],
        close: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        super().__init__(name=f"pbm-{name}", daemon=True)
        self._step = step
        self._rest = rest
        self._on_bug = on_bug
        self._every = every
        self._close = close
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self.failed = False
        self.activity = Activity(name)
        self.outages = outages()
        """The stages that are without the database; all stages of a process share it."""

    def goes_on(self) -> bool:
        """Return True until asked to stop. A step that asks shows that it is not stuck."""
        self.activity.go_on()
        return not self._stopping.is_set()

    def wake(self) -> None:
        """Say that there may be work."""
        self._wake.set()

    def stop(self) -> None:
        """Ask the stage to stop after its current step."""
        self._stopping.set()
        self._wake.set()

    def run(self) -> None:
        """Work until stopped."""
        rested = False
        try:
            while not self._stopping.is_set():
                self._wake.clear()
                done = self._work(self._step)
                if done or done is None:
                    rested = False
                elif not self._wake.wait(self._every()) and not rested:
                    rested = bool(self._work(self._rest))
        except BaseException as bug:  # noqa: BLE001 - whatever it is, the process ends
            self.failed = True
            trace = trace_of(bug)  # without values, of which a password may be one
            log.error("the stage %s has failed. Traceback:\n%s", self.name, trace)  # noqa: TRY400
            self._on_bug()
        finally:
            self._close()

    def _work(self, piece: Callable[[], int]) -> int | None:
        """Return how much a piece of work has done; None if the database is away, after a pause."""
        try:
            with self.activity.turning():
                done = piece()
        except StoreUnavailable as outage:
            self.outlast(outage)
            return None
        self.outages.end(self.name)
        return done

    def outlast(self, outage: StoreUnavailable) -> bool:
        """Wait a while for the database; return False if the stage has been asked to stop."""
        self.outages.begin(self.name, str(outage))
        self._stopping.wait(OUTAGE_SECONDS)
        return self.goes_on()


def outages() -> Incident:
    """Return the incident that says in the log that the database is away, and that it is back."""
    return Incident(log, "%s", "the database works again, after %(lasted)s", time.monotonic)
