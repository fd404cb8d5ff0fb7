"""A SQLite file: its one writer, and the file that stays the same while it is open.

SQLite has one writer, and lets the others try again after a wait that grows to a tenth of a second.
A stage that begins its next transaction right after a commit is always faster than they are: under
a flood, play would keep intake and delivery out for good. So the threads of a process queue up
before they ask SQLite at all.

SQLite goes on to write a file that was deleted or replaced, and its log likewise. All of it is lost
when the process ends, and whoever opens the name finds something else. So a transaction begins only
while the names lead to what is open.
"""

import os
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event

from pbm.store.driver.dialects import is_damage, trouble_of
from pbm.store.errors import StoreUnavailable

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


_Files = Sequence[os.stat_result | None]

_DAMAGE = "pbm_damage"


class SameFile:
    """Knows which files were opened, for as long as a connection of the engine is open.

    The last connection to close removes the log, so the next one opens another.
    """

    def __init__(self, file: Path) -> None:
        self._paths = (str(file), f"{file.resolve()}-wal")  # SQLite follows links for its log
        self._open: set[int] = set()
        self._opened: _Files = ()

    def opened(self, connection: Any, record: object) -> None:
        """Note that a connection of the driver is open."""
        del record
        # Whoever has read holds the log open, so nobody removes it whose connection is the last.
        connection.execute("PRAGMA schema_version").fetchone()
        if not self._open:
            self._opened = self._there()
        self._open.add(id(connection))

    def closed(self, connection: Any, record: object) -> None:
        """Note that a connection of the driver is closed."""
        del record
        self._open.discard(id(connection))

    def check(self, connection: Connection) -> None:
        """Raise StoreUnavailable if one of the files is gone, is another one, or is damaged."""
        if trouble := connection.get_execution_options().get(_DAMAGE):
            raise StoreUnavailable(str(trouble))
        for path, now, opened in zip(self._paths, self._there(), self._opened, strict=True):
            if _identity(now) != _identity(opened):
                how = "replaced" if now else "deleted or moved"
                raise StoreUnavailable(
                    f"the database cannot be used now: {path} was {how} while it was open, so that "
                    "what is written would be lost. docs/operations.md says how to get it back"
                )

    def _there(self) -> _Files:
        return [_stat(path) for path in self._paths]


def stay_with_file(engine: Engine, file: Path) -> None:
    """Let no transaction of a SQLite engine begin whose file or log is no longer there."""
    same = SameFile(file)
    event.listen(engine, "connect", same.opened)
    event.listen(engine, "close", same.closed)
    event.listen(engine, "begin", same.check)


def note_damage(engine: Engine | None, error: BaseException) -> None:
    """Note if an error says that a SQLite file is damaged: the engine promises nothing more then.

    A backup will take the place of the file, without the mails that were taken after this.
    """
    if engine is not None and is_damage(error):
        engine.update_execution_options(**{_DAMAGE: trouble_of(error, disconnected=False)})


def orphaned(file: Path) -> str:
    """Return what is wrong if a SQLite file is missing whose log is there; "" if not.

    A clean end removes the log. To make a new file beside it would mix the two.
    """
    log = Path(f"{file}-wal")
    if file.exists() or not log.exists():
        return ""
    return (
        f"There is no {file}, but its log {log.name} is there: the file was deleted or moved while "
        "a server ran. Put it back first: see docs/operations.md."
    )


def _stat(path: str) -> os.stat_result | None:
    """Return what the system says of a file; None if there is none."""
    try:
        return os.stat(path)  # noqa: PTH116 - before each transaction: a Path takes twice as long
    except OSError:
        return None


def _identity(found: os.stat_result | None) -> tuple[int, int] | None:
    """Return what tells a file from others; None if there is none."""
    return (found.st_dev, found.st_ino) if found else None
