"""States that last a while, said when they begin and when they are over, and not in between.

A night without a database would otherwise be thousands of lines, among which the one that says why
is lost.
"""

import logging
import threading
from collections.abc import Callable

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


class Spell:
    """A state that some of the `holders` are in; it lasts until none of them is.

    `begins` and `over` are the sentences of the log: the first takes the reason, the second how
    long it has lasted. `clock` counts seconds. Any thread may call it.
    """

    def __init__(
        self, log: logging.Logger, begins: str, over: str, clock: Callable[[], float]
    ) -> None:
        self._log = log
        self._begins = begins
        self._over = over
        self._clock = clock
        self._holders: set[str] = set()
        self._since = 0.0
        self._times = 0
        self._lock = threading.Lock()

    @property
    def lasts(self) -> bool:
        """Whether anybody is in it."""
        return bool(self._holders)

    def holds(self, holder: str, reason: str, times: int = 1) -> None:
        """Note that `holder` is in it; this is said if nobody was. `times` are added up."""
        with self._lock:
            begins = not self._holders
            self._holders.add(holder)
            if begins:
                self._since, self._times = self._clock(), 0
            self._times += times
        if begins:
            self._log.warning(self._begins, reason)

    def is_over(self, holder: str) -> None:
        """Note that `holder` is in it no more; this is said if nobody else is."""
        if holder not in self._holders:  # nearly always, and then no lock is taken
            return
        with self._lock:
            self._holders.discard(holder)
            over, seconds, times = not self._holders, self._clock() - self._since, self._times
        if over:
            self._log.warning(self._over, {"lasted": lasted(seconds), "times": times})


def lasted(seconds: float) -> str:
    """Return a length of time in words: "3 min 20 s"."""
    whole = int(seconds)
    parts = (
        (whole // _DAY, "d"), (whole % _DAY // _HOUR, "h"), (whole % _HOUR // _MINUTE, "min"),
        (whole % _MINUTE, "s"),
    )  # fmt: skip
    told = [f"{count} {unit}" for count, unit in parts if count]
    return " ".join(told[:2]) or "less than a second"
