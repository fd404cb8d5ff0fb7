"""Whose turn it is to write: the writers of one process, first come, first served.

SQLite has one writer, and lets the others try again after a wait that grows to a tenth of a
second. A stage that begins its next transaction right after a commit is always faster than
they are: under a flood, play would keep intake and delivery out for good. So the threads of a
process queue up before they ask SQLite at all.
"""

import threading
from collections import deque

from sqlalchemy import Connection, Engine, event

from pbm.service.ports import StoreUnavailable

_HELD = "pbm_writes"


class WriterQueue:
    """A lock that is handed to the thread that has waited longest."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def enter(self) -> None:
        """Return when it is the caller's turn; raise StoreUnavailable after `patience` seconds."""
        turn = threading.Event()
        with self._mutex:
            if not self._taken:
                self._taken = True
                return
            self._waiting.append(turn)
        if turn.wait(self._patience):
            return
        with self._mutex:
            if not turn.is_set():
                self._waiting.remove(turn)
                # Whoever has the turn is ours, and waits for SQLite or for the disk.
                raise StoreUnavailable(
                    "the database cannot be used now: another process keeps it locked, or its disk "
                    "is too slow. docs/operations.md says how to find it"
                )

    def leave(self) -> None:
        """Hand the turn to the next thread."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


def stand_in_queue(engine: Engine, patience: float, read_option: str) -> None:
    """Make every transaction of `engine` wait for its turn, except those with `read_option`.

    The turn ends when the connection goes back to the pool, which it does on every way out.
    """
    queue = WriterQueue(patience)

    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(read_option, False):
            queue.enter()
            connection.info[_HELD] = True

    def end(_dbapi_connection: object, record: object, *_exception: object) -> None:
        if getattr(record, "info", {}).pop(_HELD, False):
            queue.leave()

    event.listen(engine, "begin", begin)
    event.listen(engine, "checkin", end)
    event.listen(engine, "invalidate", end)
