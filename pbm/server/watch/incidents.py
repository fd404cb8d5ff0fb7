"""Incidents: states that last a while, logged when they begin and when they are over.

A night without a database would otherwise be thousands of lines, among which the one that says why
is lost. In between only another reason is logged: whoever has mended the first one looks for it.
"""

import logging
import re
import threading
from collections.abc import Callable

MOST_REASONS = 5
"""Reasons that are logged of one incident, in case each of them is worded differently."""

SETTLED = 60.0
"""Seconds between two reasons that are logged. Several parts describe the beginning of one trouble
in their own words, and trouble that passes need not be logged."""

_NUMBERS = re.compile(r"\d+")
"""They differ from time to time, as those of processes, of mails and of seconds do."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


class Incident:
    """A state that some parts of the server are in; it lasts until none of them is.

    `begins` and `over` are the sentences of the log: the first takes the reason, the second how
    long it has lasted. `clock` counts seconds. It is not over until it `settles`: on a full disk
    one small mail can be taken, and the next one not. Any thread may call it.
    """

    def __init__(
        self, log: logging.Logger, begins: str, over: str, clock: Callable[[], float],
        settles: float = 0.0,
    ) -> None:  # fmt: skip
        self._log = log
        self._begins = begins
        self._over = over
        self._clock = clock
        self._holders: set[str] = set()
        self._settles = settles
        self._since = self._last = 0.0
        self._times = 0
        self._said: set[str] = set()
        self._said_at = 0.0
        self._lock = threading.Lock()

    @property
    def ongoing(self) -> bool:
        """Whether any part is in it."""
        return bool(self._holders)

    def begin(self, holder: str, reason: str, times: int = 1) -> None:
        """Note that `holder` is in it; a new `reason` is logged. `times` are added up."""
        with self._lock:
            if not self._holders:
                self._since, self._times = self._clock(), 0
                self._said.clear()
            self._last = self._clock()
            self._holders.add(holder)
            self._times += times
            is_new = self._is_new(_NUMBERS.sub("", reason))
        if is_new:
            self._log.warning(self._begins, reason)

    def _is_new(self, reason: str) -> bool:
        """Return whether a reason must be logged, and count it as logged."""
        if reason in self._said or len(self._said) == MOST_REASONS:
            return False
        now = self._clock() if self._said else self._since
        if self._said and now < self._said_at + SETTLED:
            return False
        self._said.add(reason)
        self._said_at = now
        return True

    def end(self, holder: str) -> None:
        """Note that `holder` is no longer in it; the end is logged if no other part is."""
        if holder not in self._holders:  # nearly always, and then no lock is taken
            return
        if self._clock() < self._last + self._settles:
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
