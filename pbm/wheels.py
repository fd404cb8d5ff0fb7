"""Whether the parts of a server turn: a watchdog looks at them."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.mail import Letterbox


class Wheel:
    """A part of the server called `name` that works by turns: a turn that does not end is stuck."""

    def __init__(self, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._now = now
        self._since: float | None = None

    @contextmanager
    def turning(self) -> Iterator[None]:
        """Work for a turn."""
        self.go_on()
        try:
            yield
        finally:
            self._since = None

    def go_on(self) -> None:
        """Say that the turn goes on: a long one is many small steps."""
        self._since = self._now()

    @property
    def seconds(self) -> float:
        """For how long the turn has shown no sign of going on; 0.0 between turns."""
        since = self._since
        return 0.0 if since is None else self._now() - since


class WatchedLetterbox:
    """A letterbox whose writes are seen to end: behind a stuck one, intake takes nothing more."""

    def __init__(self, letterbox: Letterbox) -> None:
        self._letterbox = letterbox
        self._putting, self._syncing = self.wheels = Wheel("intake"), Wheel("intake's disk")

    def put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        """Store `mails` as the letterbox does."""
        with self._putting.turning():
            return self._letterbox.put(mails)

    @property
    def unsynced(self) -> bool:
        """Whether what was put last needs a `sync`."""
        return self._letterbox.unsynced

    def sync(self) -> None:
        """Sync as the letterbox does."""
        with self._syncing.turning():
            self._letterbox.sync()
