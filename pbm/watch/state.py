"""What the window shows: the figures, whether the process turns, and whether it is ready."""

import threading
from collections.abc import Callable
from contextlib import suppress

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from pbm.service.ports import Conflict, StoreUnavailable
from pbm.watch.metrics import MetricsWitness, StandingCollector
from pbm.watch.standing import Standing
from pbm.watch.window import Page, Pages, sentence

FRESH_SECONDS = 1.0
"""How long what was read of the database is good, so that asking often costs little."""

_PATIENCE = 3.0
"""How long one waits for another who is reading: after that the database counts as away."""


class Watched:
    """What a process shows of itself; `read` reads how things stand, `clock` counts seconds.

    The server says through `begins` when it listens, and how one learns what does not work.
    """

    def __init__(
        self, witness: MetricsWitness, read: Callable[[], Standing], clock: Callable[[], float]
    ) -> None:
        self._witness = witness
        self._read = read
        self._clock = clock
        self._lock = threading.Lock()
        self._standing: Standing | None = None
        self._looked = float("-inf")
        self._failed: Callable[[], str] = str
        self._outage: Callable[[], bool] = bool
        self._listening = False
        witness.registry.register(StandingCollector(self.look, self._cannot_write))

    def watch(self, failed: Callable[[], str], cannot_write: Callable[[], bool]) -> None:
        """See Watching."""
        self._failed = failed
        self._outage = cannot_write

    def listens(self) -> None:
        """Note that all listeners are open."""
        self._listening = True

    def look(self) -> Standing | None:
        """Return how things stand; None if the database cannot be used, or is not open yet."""
        if not self._listening or not self._lock.acquire(timeout=_PATIENCE):
            return None
        try:
            if self._clock() - self._looked >= FRESH_SECONDS:
                self._standing = None
                with suppress(StoreUnavailable, Conflict):
                    self._standing = self._read()
                self._looked = self._clock()
            return self._standing
        finally:
            self._lock.release()

    def _cannot_write(self) -> bool:
        return self._outage()

    def pages(self) -> Pages:
        """Return the pages of the window."""
        return {"/metrics": self._metrics, "/healthz": self._health, "/readyz": self._readiness}

    def _metrics(self) -> Page:
        return Page(generate_latest(self._witness.registry), CONTENT_TYPE_LATEST)

    def _health(self) -> Page:
        failed = self._failed()
        return sentence(failed or "all stages turn", fine=not failed)

    def _readiness(self) -> Page:
        failed = self._failed()
        if not self._listening:
            failed = failed or "the listeners are not open yet"
        # One that can still be read, as with a full disk, takes no mails either.
        if not failed and (self._cannot_write() or self.look() is None):
            failed = "the database cannot be used"
        return sentence(failed or "ready", fine=not failed)
