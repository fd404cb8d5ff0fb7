"""Whose turn it is to write on SQLite, which has one writer at a time.

By itself it lets the others try again after waits that grow to a tenth of a second. A stage that
begins its next transaction right after a commit is always faster than they are: under a flood, play
would keep intake and delivery out for good. So the threads of a process queue up, first come, first
served, before they ask SQLite at all. And processes ask it again every half millisecond, because
they wait for each other's commits, of which most take one or two: where they slept as SQLite does,
both cores were idle for a sixth of the time under full load.
"""

import sqlite3
import threading
import time
from collections import deque
from typing import cast

from sqlalchemy import Connection, Engine, event

from pbm.service.ports import StoreUnavailable
from pbm.store.asking import opened_cursor

_HELD = "pbm_writes"

_AGAIN_SECONDS = 0.0005


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
                raise StoreUnavailable("another thread of this process has been writing too long")

    def leave(self) -> None:
        """Hand the turn to the next thread."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


def begin_writing(connection: Connection, patience: float) -> None:
    """Begin a transaction that writes, once no other process does.

    It takes the lock at once: one that has read and then wants to write would fail without waiting
    if another has written in between. Raises StoreUnavailable after `patience` seconds.
    """
    until = time.monotonic() + patience
    with opened_cursor(connection) as cursor:
        cursor.execute("PRAGMA busy_timeout=0", ())
        try:
            while not _begun(cast("sqlite3.Cursor", cursor), until):
                time.sleep(_AGAIN_SECONDS)
        finally:
            cursor.execute(f"PRAGMA busy_timeout={patience * 1000:.0f}", ())


def _begun(cursor: sqlite3.Cursor, until: float) -> bool:
    """Try to begin; return False if another process writes, which is borne `until` then."""
    try:
        cursor.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
            raise
        return False
    return True


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
