"""The differences between SQLite and PostgreSQL: types of columns, upserts, errors, one writer.

SQLite has one writer, and lets the others try again after a wait that grows to a tenth of a second.
A stage that begins its next transaction right after a commit is always faster than they are: under
a flood, play would keep intake and delivery out for good. So the threads of a process queue up
before they ask SQLite at all.

SQLite goes on to write a file that was deleted or replaced, and its log likewise. All of it is lost
when the process ends, and whoever opens the name finds something else. So a transaction begins only
while the names lead to what is open.
"""

import os
import re
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import (
    BigInteger,
    Connection,
    Dialect,
    Engine,
    Executable,
    Integer,
    Row,
    String,
    Table,
    TypeDecorator,
    event,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.types import TypeEngine

from pbm.store.errors import Conflict, StoreUnavailable

# A row of any columns. SQLAlchemy 2.0 and 2.1 spell its type differently.
if TYPE_CHECKING:
    AnyRow = Row[*tuple[Any, ...]]
else:
    AnyRow = Row

# SQLite numbers rows by itself only in a column declared INTEGER.
BigId = BigInteger().with_variant(Integer(), "sqlite")


class AnyText(TypeDecorator[str]):
    """Text from outside, which may hold anything, such as U+0000 and lone surrogates.

    What a database refuses is stored as a backslash and its number.
    """

    impl = String
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:
        """Return what makes a text one that can be stored."""
        # SQLAlchemy's own, around `process_bind_param`, calls two functions for each value.
        del dialect
        return _storable


def _storable(value: str | None) -> str | None:
    # A member of an enumeration of texts is no plain one: psycopg would store its name.
    if value is None or (type(value) is str and value.isascii() and "\0" not in value):
        return value
    return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


class FoldedText(AnyText):
    """Text that is looked up and sorted: compared byte by byte on both databases."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return text with the collation of bytes, which is SQLite's own."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(collation=collation))


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC and returned in UTC; a naive one is refused.

    PostgreSQL has a type for it. On SQLite it is text of one fixed width such as
    2026-02-01T09:30:00.000000Z, so that texts compare as the times do and people can read it.
    """

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return TIMESTAMP WITH TIME ZONE on PostgreSQL, text elsewhere."""
        kind: TypeEngine[Any] = TIMESTAMP(timezone=True)
        return dialect.type_descriptor(kind if dialect.name == "postgresql" else String(27))

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return what makes a time one for the driver; it refuses a time without a zone."""
        return _in_utc if dialect.name == "postgresql" else _time_as_text

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], datetime | None]:
        """Return what makes a time in UTC of that which the driver returns."""
        del coltype
        return _in_utc if dialect.name == "postgresql" else _time_of_text


def _in_utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{value} has no time zone; the store takes aware times only")
    return value.astimezone(UTC) if value else None


def _time_as_text(value: datetime | None) -> str | None:
    moment = _in_utc(value)
    return moment.isoformat(timespec="microseconds")[: -len("+00:00")] + "Z" if moment else None


def _time_of_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


Insert = postgresql.Insert | sqlite.Insert

_INSERTS: Mapping[str, Callable[[Table], Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}

T = TypeVar("T", bound=Executable)


def insert(connection: Connection, table: Table) -> Insert:
    """Return an INSERT that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return _INSERTS[connection.dialect.name](table)


def in_each_dialect(table: Table, finish: Callable[[Insert], T]) -> Mapping[str, T]:
    """Return the INSERT into `table` that `finish` completes, by the name of the dialect.

    Call this once per statement: building one for each call costs more than running it.
    """
    return {dialect: finish(start(table)) for dialect, start in _INSERTS.items()}


def replace_row(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Store a row of `table`, in place of one with the same key."""
    connection.execute(replaces(table)(insert(connection, table)), row)


def replaces(table: Table) -> Callable[[Insert], Insert]:
    """Return what lets an INSERT into `table` replace the row with the same key."""
    keys = [column.name for column in table.primary_key]

    def finish(start: Insert) -> Insert:
        rest = {c.name: start.excluded[c.name] for c in table.columns if not c.primary_key}
        return start.on_conflict_do_update(index_elements=keys, set_=rest)

    return finish


# What another try of the whole unit of work can cure (PostgreSQL, appendix A).
_CONFLICTS = frozenset({"40001", "40P01"})

# Classes 08, 53, 57, 58: connection, resources, operator's intervention, system error. Then single
# states: it can only be read, as a standby; a transaction has been idle or lasted too long; a lock
# was not had in time; a right is missing; tables or indexes are damaged.
_OUTAGES = (
    *("08", "53", "57", "58"),
    *("25006", "25P03", "25P04", "55P03", "42501", "XX001", "XX002"),
)

_DAMAGED = (
    "its file is damaged. Stop pbm, restore a backup, and see whether the disk is sound "
    "(docs/operations.md)"
)

_LOCKED = "another process keeps it locked. docs/operations.md says how to find it"

_POSTGRESQL_OUTAGES = {"55P03": _LOCKED}
"""Our words in place of PostgreSQL's, by the state of its error."""

_SQLITE_OUTAGES = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_READONLY: "this user may not write it, or its disk is read-only",
    sqlite3.SQLITE_IOERR: "its disk cannot be read or written",
    sqlite3.SQLITE_FULL: "its disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work: is it on a network file system?",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
"""The errors that make SQLite unusable for a while, in words (sqlite.org/rescode.html)."""

_LONGEST_REASON = 200

_NO_HOST = re.compile(r"""(?:host )?(['"])[^'"]*@[^'"]*\1""")


def trouble_of(error: BaseException, *, disconnected: bool) -> Conflict | StoreUnavailable | None:
    """Return the store's own exception for a driver's `error` if a later try may succeed."""
    if getattr(error, "sqlstate", None) in _CONFLICTS:
        return Conflict("the database has given this transaction up")
    if _is_outage(error, disconnected=disconnected):
        return StoreUnavailable(f"the database cannot be used now: {_reason(error)}")
    return None


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of SQLite's says that its file is damaged."""
    return isinstance(error, sqlite3.Error) and (
        _SQLITE_OUTAGES.get(_sqlite_code(error)) is _DAMAGED
    )


def _is_outage(error: BaseException, *, disconnected: bool) -> bool:
    if isinstance(error, sqlite3.Error):
        return _sqlite_code(error) in _SQLITE_OUTAGES
    state = getattr(error, "sqlstate", None) or ""
    return disconnected or state.startswith(_OUTAGES)


def _sqlite_code(error: sqlite3.Error) -> int:
    """Return the primary result code."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def _reason(error: BaseException) -> str:
    """Return what is wrong as one line of ASCII, without values of a statement.

    Of what PostgreSQL says itself only the first part is taken, which holds none in these classes.
    An error without such a part is of the connection, and says which host does not answer. What is
    quoted with an @ in it is no host but the end of a password that had one.
    """
    if isinstance(error, sqlite3.Error):
        return _SQLITE_OUTAGES[_sqlite_code(error)]
    if words := _POSTGRESQL_OUTAGES.get(getattr(error, "sqlstate", None) or ""):
        return words
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    said = _NO_HOST.sub("the host of the database URL", said)
    line = " ".join(said.partition("\n")[0].split())[:_LONGEST_REASON]
    return line.encode("ascii", "replace").decode("ascii") or type(error).__name__


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
