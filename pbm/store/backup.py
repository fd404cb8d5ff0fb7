"""Copies of a SQLite database: made while the server runs, restored while it does not."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbm.store.database import StoreError, parse_url, sqlite_file
from pbm.store.migrations import refuse_newer
from pbm.store.trouble import is_damage
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


def backup(url: str, target: Path) -> None:
    """Write one consistent and checked copy of the database to `target`, a new file.

    The server may keep running. The file is there whole, or not at all; only its owner can read
    it. Raises StoreError, also for PostgreSQL, which has its own tools for this.
    """
    source = _file(url, "saved with pg_dump")
    _must_exist(source)
    if target.exists():
        raise StoreError(f"{target} exists already; a backup never overwrites one.")
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        _copy_anew(source, unfinished)
        unfinished.rename(target)
        sync(target.parent)
    except (sqlite3.Error, OSError) as reason:
        raise StoreError(f"The backup to {target} failed: {reason}.") from reason
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
        with _opened(source, read_only=True) as backed_up:
            _check(backed_up, source)
            refuse_newer(*backed_up.execute(_REVISION).fetchone())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch(mode=0o600)
            with _opened(target) as database:
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


def _copy_anew(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    with _opened(source, read_only=True) as database, _opened(target) as copy:
        database.backup(copy)
        # Makes the file complete by itself, without -wal and -shm: it can be moved anywhere.
        copy.execute("PRAGMA journal_mode=DELETE")
        _check(copy, source)
    sync(target)


def _check(database: sqlite3.Connection, file: Path) -> None:
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
def _opened(file: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{file.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=1
    )
    try:
        yield connection
    finally:
        connection.close()
