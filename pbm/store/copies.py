"""Copies of a database: backups, restores, and a copy of all rows into PostgreSQL.

A backup is made while the server runs; the others while nobody uses the database.
"""

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL, Connection, Table, func, insert, inspect, select, text

from pbm.store.driver.database import (
    StoreError,
    create_engine,
    parse_url,
    reading,
    reading_uri,
    sqlite_file,
)
from pbm.store.driver.dialects import is_damage
from pbm.store.migrations import head, refuse_unknown, stored_in, upgrade
from pbm.store.tables import metadata
from pbm.system import sync

_OURS = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"
_REVISION = "SELECT max(version_num) FROM alembic_version"
_LAST_NUMBER = "SELECT max(value) FROM counters WHERE name = 'board'"
_SKIP_NUMBERS = (
    "UPDATE counters SET value = max(value + 1000, :last) WHERE name = 'board'",
    "INSERT OR IGNORE INTO counters (name, value) SELECT 'board', :last WHERE :last > 0",
)
"""Boards that were begun after the backup are gone, but mails about them are out. A reply to one is
not to play on another board of the same two, so their numbers are not given out again."""


BATCH = 500
"""Rows that are copied into PostgreSQL at once."""

Tick = Callable[[int], None]
"""Is told how many more rows have been copied."""

_LOCK = 7_061_726_302
"""Names the lock under which one process at a time copies into a PostgreSQL database."""

_TRIES = 50
"""Questions to PostgreSQL, a tenth of a second apart, whether others are still connected."""

_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = 'pbm' AND pid <> pg_backend_pid()"
)

_DUMP_SECONDS = 4 * 3600.0
"""The longest time that pg_dump may take."""


def backup_into(url: str, folder: Path, now: datetime) -> Path:
    """Write a checked copy of the database to a new file in `folder`, and return the file.

    Its name says when it was made, and only its owner can read it. PostgreSQL's is in the custom
    format of pg_dump. Raises StoreError.
    """
    parsed = parse_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    file = folder / f"pbm-{now:%Y%m%dT%H%M%SZ}.{'db' if sqlite else 'dump'}"
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder}; it must belong to the user of pbm.")
    if sqlite:
        backup(url, file)
    else:
        _dump(parsed, file)
    return file


def backup(url: str, target: Path) -> None:
    """Write one consistent and checked copy of the database to `target`, a new file.

    The server may keep running. The file is there whole, or not at all; only its owner can read
    it. Raises StoreError, also for PostgreSQL, which has its own tools for this.
    """
    source = _file(url, "saved with pg_dump")
    _must_exist(source)
    if target.exists():
        raise StoreError(f"{target} exists already; a backup never overwrites one.")
    with _made(target) as unfinished:
        _copy_file(source, unfinished)


@contextmanager
def _made(file: Path) -> Iterator[Path]:
    """Yield another new file, for its owner alone, which gets the name of `file` at the end.

    Raises StoreError if that fails; then there is no file.
    """
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)
        yield unfinished
        sync(unfinished)
        unfinished.rename(file)
        sync(file.parent)
    except (sqlite3.Error, OSError) as reason:
        raise StoreError(f"The backup to {file} failed: {reason}.") from reason
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def restore(url: str, source: Path) -> None:
    """Put the backup `source` in the place of the database, in one transaction.

    The next board gets a number that none had before, neither in the backup nor here. Raises
    StoreError, and changes nothing, if `source` is damaged, not a database of pbm's or of a newer
    pbm, or if a server or another program has the database open.
    """
    target = _file(url, "restored with psql or pg_restore")
    _must_exist(source)
    try:
        with _opened_file(source, read_only=True) as backed_up:
            _check_file(backed_up, source)
            refuse_unknown(*backed_up.execute(_REVISION).fetchone())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch(mode=0o600)
            with _opened_file(target) as database:
                take_alone(database, target, "restore")
                last = _last_number(database)
                backed_up.backup(database)
                for statement in _SKIP_NUMBERS:
                    database.execute(statement, {"last": last})
    except (sqlite3.Error, OSError) as reason:
        raise StoreError(f"{source} cannot be restored: {reason}.") from reason


def _file(url: str, instead: str) -> Path:
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise StoreError(f"pbm copies SQLite files only; a PostgreSQL database is {instead}.")
    return sqlite_file(parsed)


def _must_exist(file: Path) -> None:
    if not file.is_file():
        raise StoreError(f"There is no file {file}.")


def _last_number(database: sqlite3.Connection) -> int:
    """Return the number of the last board, 0 if there is none or the database is damaged."""
    try:
        return database.execute(_LAST_NUMBER).fetchone()[0] or 0
    except sqlite3.DatabaseError:
        return 0


def _copy_file(source: Path, target: Path) -> None:
    with _opened_file(source, read_only=True) as database, _opened_file(target) as copy:
        database.backup(copy)
        # Makes the file complete by itself, without -wal and -shm: it can be moved anywhere.
        copy.execute("PRAGMA journal_mode=DELETE")
        _check_file(copy, source)


def _check_file(database: sqlite3.Connection, file: Path) -> None:
    """Raise StoreError unless every page of the database is sound and it is one of pbm's."""
    (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise StoreError(f"{file} is damaged: {verdict}.")
    if not database.execute(_OURS).fetchone()[0]:
        raise StoreError(f"{file} is not a database of pbm's.")


def take_alone(database: sqlite3.Connection, file: Path, purpose: str) -> None:
    """Lock every other program out until the connection is closed.

    Raises StoreError, which names the `purpose`, if another one has the file open.
    """
    try:
        database.execute("PRAGMA journal_mode=WAL")
    except sqlite3.DatabaseError as reason:
        if not is_damage(reason):
            raise
        raise StoreError(
            f"{file} is damaged so much that nothing can take its place. Stop the server, move "
            f"{file}, {file.name}-wal and {file.name}-shm to another folder, and say this again."
        ) from reason
    database.execute("PRAGMA synchronous=FULL")
    database.execute("PRAGMA locking_mode=EXCLUSIVE")
    try:
        database.execute("BEGIN EXCLUSIVE")
        database.execute("COMMIT")
    except sqlite3.OperationalError as reason:
        raise StoreError(f"{file} is in use; stop the server before you {purpose}.") from reason


@contextmanager
def _opened_file(file: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    uri = reading_uri(file) if read_only else f"{file.resolve().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1)
    try:
        yield connection
    finally:
        connection.close()


def _dump(url: URL, file: Path) -> None:
    """Let pg_dump write to `file`, and pg_restore look whether it can be read."""
    # The password goes by the environment, because everybody on the host sees arguments.
    source = url.set(drivername="postgresql", password=None).render_as_string()
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    with _made(file) as unfinished:
        _run(["pg_dump", "--format=custom", f"--file={unfinished}", f"--dbname={source}"], secret)
        _run(["pg_restore", "--list", str(unfinished)], {})


def _run(words: list[str], secret: dict[str, str]) -> None:
    """Run one of PostgreSQL's tools, whose errors name no password."""
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and the words are ours
            words, env={**os.environ, **secret}, capture_output=True, text=True,
            timeout=_DUMP_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        raise StoreError(f"There is no {words[0]}; install postgresql-client.") from None
    except subprocess.TimeoutExpired:
        raise StoreError(f"{words[0]} took more than {_DUMP_SECONDS:.0f} s.") from None
    if done.returncode:
        told = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise StoreError(f"{words[0]} failed: {told}")


def rows_of(url: str) -> int:
    """Return how many rows the database holds in all; raise StoreError if it cannot be copied."""
    with _opened(url) as opened:
        source = reading(opened)
        _check_source(source)
        with source.begin():
            return sum(source.scalar(count) or 0 for count in _COUNTS)


def copy(source_url: str, target_url: str, tick: Tick) -> int:
    """Copy all rows into an empty PostgreSQL database in one transaction; return how many.

    Raises StoreError if the target holds anything else than empty tables, or if either is in use.
    """
    if parse_url(target_url).get_backend_name() != "postgresql":
        raise StoreError("pbm copies into PostgreSQL; a SQLite file is copied by pbm db backup.")
    if parse_url(source_url) == parse_url(target_url):
        raise StoreError("The copy would be the database itself.")
    with ExitStack() as stack:
        source = reading(stack.enter_context(_opened(source_url)))
        _be_alone(source, "the database")
        _check_source(source)
        _prepare(target_url)
        target = stack.enter_context(_opened(target_url))
        _be_alone(target, "the target")
        with source.begin(), target.begin():
            copied = sum(_copy(source, target, each, tick) for each in metadata.sorted_tables)
            target.execute(text("ANALYZE"))
        return copied


_COUNTS = [select(func.count()).select_from(table) for table in metadata.sorted_tables]


@contextmanager
def _opened(url: str) -> Iterator[Connection]:
    engine = create_engine(url, patience=1)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _be_alone(connection: Connection, name: str) -> None:
    """Raise StoreError if another process of pbm's has the database open; keep new ones out.

    On PostgreSQL a server that is started later is not kept out of the source, whose state of this
    moment is what is copied.
    """
    if connection.dialect.name == "sqlite":
        database = connection.connection.dbapi_connection
        take_alone(database, sqlite_file(connection.engine.url), "copy")  # type: ignore[arg-type]
        return
    if not any(_locked_alone(connection) for _ in range(_TRIES)):
        raise StoreError(f"{name.capitalize()} is in use; stop the server before you copy.")


def _locked_alone(connection: Connection) -> bool:
    """Take the lock of a copy, and return whether nobody else is there; a "no" takes a moment.

    PostgreSQL takes a moment to notice that a connection has ended, as those of a killed copy.
    """
    with connection.begin():
        locked = connection.scalar(select(func.pg_try_advisory_lock(_LOCK)))
        if locked and not connection.scalar(_OTHERS):
            return True
        connection.execute(select(func.pg_sleep(0.1)))
        return False


def _check_source(source: Connection) -> None:
    with source.begin():
        stored = stored_in(source)
    refuse_unknown(stored)
    if stored != head():
        raise StoreError("The database is of another version. Run: pbm db upgrade")


def _prepare(url: str) -> None:
    """Make the tables of the target; raise StoreError if it holds anything else than that."""
    with _opened(url) as target, target.begin():
        stored, tables = stored_in(target), inspect(target).get_table_names()
        if stored is None and tables:
            raise StoreError("The target holds tables that are not pbm's; copy into an empty one.")
        if stored not in (None, head()) or (stored and any(map(target.scalar, _COUNTS))):
            raise StoreError("The target holds data of pbm's already; copy into an empty database.")
    upgrade(url)


def _copy(source: Connection, target: Connection, table: Table, tick: Tick) -> int:
    """Copy the rows of `table`, and let its numbers go on after the last one; return how many."""
    copied = 0
    found = source.execute(select(table).execution_options(yield_per=BATCH)).mappings()
    for rows in found.partitions():
        target.execute(insert(table).inline(), [dict(row) for row in rows])
        copied += len(rows)
        tick(len(rows))
    if "id" in table.c and (last := target.scalar(select(func.max(table.c.id)))):
        sequence = target.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
        if sequence:
            target.execute(select(func.setval(sequence, last)))
    return copied
