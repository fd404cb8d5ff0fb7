"""Opening a database: its settings, the start of a transaction, and the meaning of errors.

`sqlite:///var/pbm.db` is the default and has one writer at a time; `postgresql+psycopg://...`
is shared by any number of processes.

A host that vanishes sends no word: its cable is out, or its power is gone. TCP by itself notices
after fifteen minutes to two hours, and until then its transaction holds locks that others wait for.
So a host and its PostgreSQL are both told to ask soon whether the other is still there.
"""

import os
import select
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, event, make_url, text
from sqlalchemy import create_engine as create
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, InvalidatePoolError

from pbm.errors import PlainError
from pbm.store.driver.dialects import trouble_of
from pbm.store.driver.sqlite import note_damage, orphaned, stand_in_queue, stay_with_file

BUSY_SECONDS = 20.0
"""Seconds that a SQLite connection waits by default for another that is writing."""

_READERS_SECONDS = 1.0
"""Seconds that a command waits for reads of the server to end, while nobody can write."""

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    # Played mails hold passwords, so what is deleted is overwritten, also in pages that become
    # free (those of mails longer than a page), which FAST would leave as they are.
    "PRAGMA secure_delete=ON",
    # The log goes to the file after 16 MB, not 4: the pages of mails are used again soon, and need
    # not go there each time. With pictures a move takes play a tenth less CPU.
    "PRAGMA wal_autocheckpoint=4000",
)

_READ = "pbm_read"

_OURS = {
    "connect_timeout": 5,
    # The server is asked after 5 s of silence, and given up after three questions, 2 s apart.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    # What it does not even acknowledge is lost after 10 s, so that intake can say 451 (RFC 5321
    # section 4.5.3.2.6: the client waits ten minutes for that).
    "tcp_user_timeout": 10_000,
}
"""Parameters of libpq (PostgreSQL's manual, section 34.1.2) in seconds, the last in ms."""

_THEIRS = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15000",
    # A process that is frozen while its host answers: its transaction is undone.
    "idle_in_transaction_session_timeout": "60000",
    # Somebody at a prompt may hold a lock for hours. As long as SQLite waits: intake says 451 then,
    # and the log tells why nothing goes on.
    "lock_timeout": "20000",
    # The only form of a time that psycopg reads; a server, database or role may have another one.
    "datestyle": "ISO",
}
"""Settings of a session in the server, in seconds and, where there are thousands, in milliseconds.
What is left there of a host that has vanished ends after 15 s."""

_SET = "SELECT " + ", ".join(f"set_config('{name}', '{at}', false)" for name, at in _THEIRS.items())


@contextmanager
def not_overwriting(connection: Connection) -> Iterator[None]:
    """On SQLite, leave pages that become free in this block as they are until they are used again.

    For texts that hold no secret: the mails that have left. To overwrite their pages, for which
    they go to the log and the file once more, takes half the CPU of delivering pictures.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql("PRAGMA secure_delete=FAST")
    try:
        yield
    finally:
        connection.exec_driver_sql("PRAGMA secure_delete=ON")


class StoreError(PlainError):
    """A database that cannot be used as asked; `str()` is a sentence for the operator."""


def parse_url(url: str) -> URL:
    """Return `url` as SQLAlchemy's, with psycopg as PostgreSQL's driver; raise StoreError."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # A ValueError quotes what stands in the place of the port, which may be a password.
        raise StoreError(
            "The database URL cannot be read; it is like sqlite:///var/pbm.db or "
            "postgresql+psycopg://user@host/name."
        ) from None
    if parsed.drivername in ("postgres", "postgresql"):
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(
            f"pbm keeps its data in SQLite or PostgreSQL, not in {parsed.get_backend_name()}."
        )
    if parsed.get_backend_name() == "sqlite" and (parsed.host or parsed.username):
        raise StoreError("SQLite keeps its data in a file of this host: sqlite:///var/pbm.db.")
    return parsed


def sqlite_file(url: URL) -> Path:
    """Return the file of a SQLite URL; raise StoreError if it names none."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        raise StoreError("The database is not a SQLite file.")
    return Path(str(url.database))


class NoDatabaseError(StoreError):
    """There is no file or no table yet."""


MISSING = (
    "If there was one, is its disk mounted? A backup comes back by pbm db restore FILE; for a new "
    "server, pbm db upgrade makes one."
)


def create_engine(url: str, patience: float = BUSY_SECONDS, *, new: bool = False) -> Engine:
    """Return an engine for `url` with pbm's settings; raise StoreError if that is impossible.

    `patience` is how many seconds a SQLite connection waits for another that is writing.

    If it may be `new`, a missing SQLite file is created with its folder, for its owner alone.
    The engine's errors never show a statement's parameters, which can be mails with passwords.
    """
    parsed = parse_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    try:
        engine = _sqlite(parsed, patience, new=new) if sqlite else _postgresql(parsed)
    except ModuleNotFoundError as missing:
        raise StoreError(
            f"The database driver {missing.name} is not installed; pbm-server[postgres] has it."
        ) from missing
    event.listen(engine, "handle_error", _translate)
    return engine


def reading(connection: Connection, *, only: bool = True) -> Connection:
    """Return `connection` set so that its transactions read one state and take no write lock.

    If not `only`, they may write again.
    """
    options: dict[str, Any] = {_READ: only}
    if connection.dialect.name == "postgresql":
        level = "REPEATABLE READ" if only else "READ COMMITTED"
        options |= {"isolation_level": level, "postgresql_readonly": only}
    return connection.execution_options(**options)


def empty_wal(engine: Engine, patience: float = 0.0) -> bool:
    """Empty the write-ahead log of a SQLite database; return False if another connection blocks it.

    A deleted mail is overwritten in the database, but its bytes would stay in the log until
    as much again has been written: on a quiet server, for days. This waits for others no longer
    than `patience` seconds, because writers would have to wait too
    (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
    """
    if engine.dialect.name != "sqlite":
        return True
    try:
        with closing(engine.raw_connection()) as pooled:
            return _truncate_wal(pooled.cursor().connection, patience)
    except sqlite3.OperationalError:
        return False


def overwrite_freed(engine: Engine) -> bool:
    """Write a SQLite file anew without what was deleted; return False if others are in the way.

    Deleted cells are overwritten at once, but a page may keep an older copy of a cell that was
    moved. PostgreSQL keeps dead rows until it vacuums.
    """
    if engine.dialect.name != "sqlite":
        return True
    try:
        with closing(engine.raw_connection()) as pooled:
            pooled.cursor().connection.execute("VACUUM")
    except sqlite3.OperationalError:
        return False
    return empty_wal(engine, _READERS_SECONDS)


def _truncate_wal(connection: sqlite3.Connection, patience: float) -> bool:
    connection.execute(f"PRAGMA busy_timeout={patience * 1000:.0f}")
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}")
    return not busy


def _sqlite(url: URL, patience: float, *, new: bool) -> Engine:
    file = sqlite_file(url)
    if hindrance := orphaned(file):
        raise StoreError(hindrance)
    try:
        if not file.exists():
            if not new:
                raise NoDatabaseError(f"There is no database {file}. {MISSING}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
    except OSError as reason:
        raise StoreError(f"The database {file} cannot be opened: {reason.strerror}.") from reason
    # With isolation_level None the driver never begins or commits on its own; SQLAlchemy
    # says BEGIN below. (The driver's own BEGIN is late and DEFERRED.)
    driver: dict[str, Any] = {"isolation_level": None, "timeout": patience}
    if is_read_only(file):
        uri, driver = reading_uri(file), {**driver, "uri": True, "check_same_thread": False}
        engine = create(url, hide_parameters=True, creator=lambda: sqlite3.connect(uri, **driver))
    else:
        engine = create(url, hide_parameters=True, connect_args=driver)
        event.listen(engine, "connect", _set_pragmas)
    stay_with_file(engine, file)
    stand_in_queue(engine, patience, _READ)
    event.listen(engine, "begin", _begin)
    return engine


def is_read_only(file: Path) -> bool:
    """Return whether a file is on a disk that can only be read, as ext4 makes it after an error."""
    return bool(os.statvfs(file).f_flag & os.ST_RDONLY)


def reading_uri(file: Path) -> str:
    """Return the URI by which SQLite only reads a file, also on such a disk.

    SQLite makes files beside it if there is no log, unless it is told that nobody writes.
    """
    log = Path(f"{file}-wal")
    still = is_read_only(file) and not (log.exists() and log.stat().st_size)
    return f"{file.resolve().as_uri()}?mode=ro{'&immutable=1' if still else ''}"


def _postgresql(url: URL) -> Engine:
    engine = create(
        url,
        hide_parameters=True,
        pool_size=5,
        # In turn, each would have to prepare every statement, and its caches would be cold.
        pool_use_lifo=True,
        max_overflow=5,
        pool_timeout=30,
        # Without an encoding, a database in SQL_ASCII would give bytes instead of text.
        connect_args={
            "application_name": "pbm",
            "client_encoding": "utf8",
            **_parameters(url),
        },
    )
    event.listen(engine, "checkout", _replace_if_cut)
    event.listen(engine, "connect", _set_adapters)
    event.listen(engine, "connect", _tell_server)
    return engine


def _set_adapters(connection: Any, record: object) -> None:
    """Spare both sides work that psycopg's ways of sending values make."""
    from psycopg.types.array import ListBinaryDumper  # noqa: PLC0415 - an extra
    from psycopg.types.numeric import Int8BinaryDumper  # noqa: PLC0415

    del record
    # To escape mails takes ten times as long as all else.
    connection.adapters.register_dumper(list, ListBinaryDumper)
    # By itself it takes the least type that holds a number, and each mixture of types is another
    # statement to be prepared.
    connection.adapters.register_dumper(int, Int8BinaryDumper)


def _set_pragmas(connection: sqlite3.Connection, record: object) -> None:
    del record
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: a transaction that has read and then wants to write
    # would fail without waiting if another has written in between.
    read = connection.get_execution_options().get(_READ, False)
    connection.exec_driver_sql("BEGIN" if read else "BEGIN IMMEDIATE")


_UNPREPARED = frozenset({"0A000", "26000"})
"""The errors of a prepared statement whose table has changed, or that PostgreSQL does not know (its
manual, appendix A). A new connection prepares its own."""


def _translate(context: ExceptionContext) -> None:
    """Raise the store's own exception in place of a driver's if a later try may succeed."""
    error = context.original_exception
    if not isinstance(error, Exception):
        # The process is told to end, which SQLAlchemy takes for a lost connection.
        return
    if context.sqlalchemy_exception is None:
        # Not the driver's. If a statement was interrupted, its answer may still be on its way.
        context.is_disconnect = context.execution_context is not None
        return
    note_damage(context.engine, error)
    if getattr(error, "sqlstate", None) in _UNPREPARED:
        context.is_disconnect = True
    lost = context.is_disconnect or context.connection is None
    if trouble := trouble_of(error, disconnected=lost):
        raise trouble from error


def _parameters(url: URL) -> dict[str, object]:
    """Return what to tell libpq for a connection to `url`, but for what the URL itself says."""
    return {name: value for name, value in _OURS.items() if name not in url.query}


def _tell_server(connection: Any, record: object) -> None:
    """Tell the server how long to wait for this new connection of psycopg's.

    By a statement and not as it connects, because poolers let few parameters pass.
    """
    del record
    connection.execute(_SET)
    connection.commit()
    connection.prepared_max = 500  # there are about a hundred statements


def require_sessions(engine: Engine) -> None:
    """Raise StoreError if a pooler gives each transaction another session of PostgreSQL.

    Locks, settings, prepared statements and LISTEN belong to a session. Such a pooler gives one
    that is idle to the next who asks, or one client another session the next time.
    """
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as first, engine.connect() as second:
        sessions = []
        for connection in (first, second, first):
            sessions.append(connection.scalar(text("SELECT pg_backend_pid()")))
            connection.rollback()
    if sessions[0] != sessions[2] or sessions[0] == sessions[1]:
        raise StoreError(
            "Between pbm and PostgreSQL is a pooler that gives each transaction another session, "
            "and pbm needs sessions of its own. Let PgBouncer use pool_mode = session for this "
            "database, or name PostgreSQL itself in the URL."
        )


def is_cut(connection: Any) -> bool:
    """Return whether the server has hung up on a connection of psycopg's, without asking it."""
    import psycopg  # noqa: PLC0415 - an extra

    if connection.closed:
        return True
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    try:
        while watch.poll(0):
            # It ends, or tells what nobody has asked for, such as a new setting.
            connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return True
    return False


def _replace_if_cut(driver: Any, _record: object, _pooled: object) -> None:
    """Let the pool replace its connections if a restart of the server has cut one."""
    if is_cut(driver):
        raise InvalidatePoolError
