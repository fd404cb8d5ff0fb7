"""How intake's commits come to the disk: with a sync in each, or apart from it on a slow disk.

With synchronous=FULL a commit of SQLite syncs the log (pbm.db-wal) while nobody else can write. On
a quick disk that costs least. Where it takes milliseconds, intake commits with NORMAL, which only
writes to the log: the database stays sound after a power cut, but the last commits may be gone
(https://www.sqlite.org/pragma.html#pragma_synchronous). Then the log is synced by itself, before
anything is promised. It is only ever added to until all of it is in the file, and synced there.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine

from pbm.store.asking import say
from pbm.store.database import sqlite_file
from pbm.system import sync

SLOW_SECONDS, QUICK_SECONDS = 0.002, 0.001
"""A disk is slow once several commits in a row took longer, and quick again once several syncs did
not. A commit waits for Python's lock, too, so it is given more."""

SEVERAL = 8

_sync_content = os.fdatasync if sys.platform == "linux" else os.fsync


class Syncs:
    """The transactions of intake in one database, and when they are on the disk."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.monotonic) -> None:
        sqlite = engine.dialect.name == "sqlite"
        self._engine = engine
        self._log = Path(f"{sqlite_file(engine.url)}-wal") if sqlite else None
        self._now = now
        self._apart = False
        self._took: deque[float] = deque(maxlen=SEVERAL)
        self._known: int | None = None
        self.unsynced = False
        """Whether the last transaction must still be synced."""

    @contextmanager
    def begun(self) -> Iterator[Connection]:
        """Open a transaction, which is committed in the end."""
        apart = self.unsynced = self._apart
        with self._engine.connect() as connection, _synced(connection, later=apart):
            with connection.begin():
                yield connection
                written = self._now()
            # PostgreSQL waits for the disk without a lock that others need.
            if self._log and not apart:
                self._turn(self._now() - written, slow=min)

    def sync(self) -> None:
        """Bring the log to the disk; raise OSError if that fails."""
        if self._log is None:
            return
        began = self._now()
        # To close a file drops all locks that this process has on it. SQLite locks the database and
        # its -shm, but never the log (https://www.sqlite.org/howtocorrupt.html, 2.2).
        descriptor = os.open(self._log, os.O_RDONLY)
        try:
            _sync_content(descriptor)
            inode = os.fstat(descriptor).st_ino
        finally:
            os.close(descriptor)
        if inode != self._known:
            # That it is there at all is for its folder to know.
            sync(self._log.parent)
            self._known = inode
        if self._apart:
            self._turn(self._now() - began, slow=max)

    def _turn(self, seconds: float, slow: Callable[[deque[float]], float]) -> None:
        """Note how long the disk took, and change how the next commits are made if it is another.

        `slow` picks the time that counts: the least of commits, the longest of syncs.
        """
        self._took.append(seconds)
        if len(self._took) < SEVERAL:
            return
        apart = slow(self._took) > (QUICK_SECONDS if self._apart else SLOW_SECONDS)
        if apart != self._apart:
            self._took.clear()
            self._apart = apart


@contextmanager
def _synced(connection: Connection, *, later: bool) -> Iterator[None]:
    """Commit the transaction of this block with a sync, or without one if it comes `later`."""
    if not later:
        yield
        return
    say(connection, "PRAGMA synchronous=NORMAL")
    try:
        yield
    finally:
        try:
            say(connection, "PRAGMA synchronous=FULL")
        except BaseException:
            # Whoever gets it next promises more.
            connection.invalidate()
            raise
