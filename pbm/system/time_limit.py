"""A time limit: ends work in a thread that takes too much of a core, such as an endless loop.

A game is the code of strangers. One that loops would hold up the boards of all games, for good: the
mail that began it is the first to be played again after each restart.
"""

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOOK_SECONDS = 1.0
"""Seconds between two looks at the work under way. After the first time it is ended at each look,
in case the loop catches the error."""


CORE_SECONDS = 10.0
"""Seconds of a core after which a mail, or what is due on a board, has met a bug: a game loops.
Others take milliseconds."""


class EndlessError(Exception):
    """The work took more of a core than any should; most likely a game loops."""


class TimeLimit:
    """Ends work that takes more than `seconds` of a core. Time spent waiting does not count.

    Work inside other work has as much for itself, and what it takes is not counted again outside.
    """

    def __init__(self, seconds: float = CORE_SECONDS, look: float = LOOK_SECONDS) -> None:
        self._seconds = seconds
        self._look = look
        self._lock = threading.Lock()
        self._under_way: dict[int, float] = {}
        self._raised: set[int] = set()
        self._watched = False

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Raise EndlessError in the work inside once it has taken too much."""
        thread = threading.get_ident()
        left = self._begin(thread)
        try:
            yield
        finally:
            try:
                self._end(thread, left)
            except EndlessError:  # raised just as the work came to its end
                self._end(thread, left)

    def _begin(self, thread: int) -> float | None:
        """Begin to watch; return the seconds left for the work around this, None without any."""
        with self._lock:
            now, until = _core_seconds(thread), self._under_way.get(thread)
            self._under_way[thread] = now + self._seconds
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, name="pbm-time-limit", daemon=True).start()
        return None if until is None else until - now

    def _end(self, thread: int, left: float | None) -> None:
        """End the watch, or go on with that of the work around this."""
        with self._lock:
            self._under_way.pop(thread, None)
            if left is not None:
                self._under_way[thread] = _core_seconds(thread) + left
            was_raised = thread in self._raised
            self._raised.discard(thread)
        if was_raised:
            _take_here(thread)

    def _watch(self) -> None:
        """Look at the work again and again until there is none."""
        while True:
            # Nothing announces that work goes on for too long.
            time.sleep(self._look)
            with self._lock:
                if not self._under_way:
                    self._watched = False
                    return
                for thread, until in self._under_way.items():
                    if _core_seconds(thread) > until:
                        self._raised.add(thread)
                        _raise_in(thread)


def _core_seconds(thread: int) -> float:
    """Return what a thread has used of the cores; macOS only knows it of all threads together."""
    if sys.platform == "darwin":
        return time.process_time()
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int) -> None:
    """Raise EndlessError in a thread at its next step."""
    error = ctypes.py_object(EndlessError)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)


def _take_here(thread: int) -> None:
    """Take an error in this thread that may not have been raised yet, so that none comes later.

    To take it back with a null pointer would do, too, but leaves Python 3.11 and 3.12 looking for
    it at every step from then on, which makes all that runs many times slower.
    """
    with suppress(EndlessError):
        _raise_in(thread)
        while True:  # it comes within a step or two
            time.sleep(0)
