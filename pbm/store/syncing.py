"""Syncs of SQLite's log apart from the commits that wrote there, so that no lock is held meanwhile.

With synchronous=FULL a commit syncs the log (pbm.db-wal) while nobody else can write. With NORMAL
it only writes there; the database stays sound after a crash, but the last commits may be gone
(https://www.sqlite.org/pragma.html#pragma_synchronous). Whoever promises something then syncs the
log, which is only ever added to until all of it is in the file and synced there.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine

from pbm.store.asking import say
from pbm.store.engine import sqlite_file

_sync_content = os.fdatasync if sys.platform == "linux" else os.fsync


@contextmanager
def synced_later(connection: Connection) -> Iterator[None]:
    """On SQLite, commit the transactions of this block without a sync: `log_sync` makes up for it.

    No transaction may be open at either end of the block.
    """
    if connection.dialect.name != "sqlite":
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


def log_sync(engine: Engine) -> Callable[[], None]:
    """Return what brings everything that `engine` has committed to the disk; it raises OSError."""
    if engine.dialect.name == "sqlite":
        return _LogSync(Path(f"{sqlite_file(engine.url)}-wal"))
    # PostgreSQL has synced when a commit returns.
    return lambda: None


class _LogSync:
    """Syncs a log; that it is there at all is for its folder to know, which is synced once."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._known: int | None = None

    def __call__(self) -> None:
        # To close a file drops all locks that this process has on it. SQLite locks the database and
        # its -shm, but never the log (https://www.sqlite.org/howtocorrupt.html, 2.2).
        descriptor = os.open(self._log, os.O_RDONLY)
        try:
            _sync_content(descriptor)
            inode = os.fstat(descriptor).st_ino
        finally:
            os.close(descriptor)
        if inode != self._known:
            _sync_folder(self._log.parent)
            self._known = inode


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
