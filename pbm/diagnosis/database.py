"""Checks of the database and of its file."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from pbm.diagnosis.verdict import Verdict, fail, mode_of, ok, warn
from pbm.domain.pauses import Pause
from pbm.operator.statistics import Figures, figures
from pbm.service.ports import StoreUnavailable
from pbm.store import migrations
from pbm.store.database import create_engine, parse_url, reading, sqlite_file
from pbm.store.sqlite import orphaned
from pbm.store.tables import matches
from pbm.store.unit import SqlUnitOfWork

LITTLE_SPACE = 1_000_000_000
NO_SPACE = 100_000_000
"""Free bytes on the disk below which to warn and to fail."""

_BESIDE = ("-wal", "-shm", "-claims", "-thoughts", "-host", "-wake")
"""What a server needs beside a SQLite file, if it is there: see deploy/README.md, step 9."""

LONG_LOG = 250_000_000
"""Octets of SQLite's log that only a reader who does not end lets it reach: the server begins it
anew after 16 MB."""


def usable(database: str) -> Verdict:
    """Check that the database can be opened, read and written; create and change nothing."""
    url = parse_url(database)
    if "@" in (url.host or ""):
        # The part before the @ is the end of the password.
        return fail("special characters in the password of the URL are written as %XX, so @ is %40")
    if _file_of(url) and not (file := sqlite_file(url)).exists():
        missing = f"there is no {file}; pbm db upgrade creates it, or the first pbm serve"
        return fail(orphaned(file) or missing)
    try:
        with _engine(database) as engine, engine.begin() as connection:
            hindrance = hindrance_of(connection)
    except (SQLAlchemyError, StoreUnavailable, sqlite3.Error) as error:
        return fail(f"{_shown(url)} cannot be used: {_reason(error)}")
    return fail(f"{_shown(url)}: {hindrance}") if hindrance else ok(f"{_shown(url)} is in order")


def fits(database: str) -> Verdict:
    """Check that the tables are those of this version of pbm."""
    differences = migrations.check(database)
    if differences:
        return fail("; ".join(differences))
    return ok(f"the tables are at {migrations.head()}, as this pbm needs them")


def private(database: str) -> Verdict:
    """Check that nobody else on the host can read the database, which holds password hashes.

    Its owner must also have the files beside it: without one of them nothing is played.
    """
    file = _file_of(parse_url(database))
    if file is None:
        return ok("PostgreSQL guards its own files")
    if strange := _of_others(file):
        return fail(f"not all of it belongs to one user: chown --reference={file} {strange}")
    files = [path for end in ("", "-wal", "-shm") if (path := Path(f"{file}{end}")).exists()]
    modes = {path: mode_of(path) for path in files}
    for bits, verdict, who in ((0o007, fail, "everybody on this host"), (0o070, warn, "a group")):
        open_ones = [str(path) for path, mode in modes.items() if mode & bits]
        if open_ones:
            return verdict(f"{who} has access: chmod 600 {' '.join(open_ones)}")
    return ok(f"{file} is open to its owner only" if files else "there is no file yet")


def _of_others(file: Path) -> str:
    """Return which of the files beside a database do not belong to its owner, "" if all do."""
    if not file.exists():
        return ""
    owner = file.stat().st_uid
    beside = [path for end in _BESIDE if (path := Path(f"{file}{end}")).exists()]
    return " ".join(str(path) for path in beside if path.stat().st_uid != owner)


def disk_space(database: str) -> Verdict:
    """Check that the disk of the database has room, and that SQLite's log does not fill it."""
    file = _file_of(parse_url(database))
    if file is None:
        return ok("PostgreSQL has a disk of its own, which is not checked")
    folder = next(each for each in file.absolute().parents if each.exists())
    free = shutil.disk_usage(folder).free
    told = f"{free // 1_000_000} MB are free in {folder}"
    if free < NO_SPACE:
        return fail(f"{told}: make room, or mails are turned away")
    log = Path(f"{file}-wal")
    if log.exists() and (size := log.stat().st_size) > LONG_LOG:
        return warn(
            f"{told}, and {log} has grown to {size // 1_000_000} MB: another program has had a "
            f"transaction open for long, such as a shell of sqlite3. fuser -v {file} tells which; "
            "end it"
        )
    return warn(f"{told}: make room soon") if free < LITTLE_SPACE else ok(told)


def read_stored(database: str, now: datetime) -> tuple[Figures, tuple[Pause, ...]]:
    """Return the figures of `now`, and the pauses that concern everybody."""
    with _engine(database) as engine, SqlUnitOfWork(engine, write=False) as work:
        return figures(work, now), work.pauses.of(None)


def open_rules(database: str) -> dict[tuple[str, int], int]:
    """Return how many boards are open, by the key of their game and the version of its rules."""
    rules = (matches.c.game, matches.c.rules_version)
    counted = select(*rules, func.count()).where(matches.c.over.is_(False)).group_by(*rules)
    with _engine(database) as engine, reading(engine.connect()) as connection:
        found = connection.execute(counted.order_by(*rules)).all()
    return {(game, version): number for game, version, number in found}


def read_keys(database: str) -> tuple[str, ...]:
    """Return the fingerprints of the keys that have signed, in the order in which they began."""
    with _engine(database) as engine, SqlUnitOfWork(engine, write=False) as work:
        return work.token_keys.all()


@contextmanager
def _engine(database: str) -> Iterator[Engine]:
    engine = create_engine(database)
    try:
        yield engine
    finally:
        engine.dispose()


def hindrance_of(connection: Connection) -> str | None:
    """Return what keeps pbm from working with a database in which a write has begun."""
    if connection.dialect.name == "postgresql":
        read_only = connection.exec_driver_sql("SHOW transaction_read_only").scalar_one()
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            return f"its encoding is {encoding}; make it anew by createdb --encoding UTF8"
        return "it can only be read; is it a standby?" if read_only == "on" else None
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    return None if mode == "wal" else f"its journal is {mode}, not WAL; put it on a local disk"


def _file_of(url: URL) -> Path | None:
    return sqlite_file(url) if url.get_backend_name() == "sqlite" else None


def _shown(url: URL) -> str:
    return str(_file_of(url) or url.set(query={}).render_as_string(hide_password=True))


def _reason(error: BaseException) -> str:
    """Return the driver's message in one line; neither driver repeats a password."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split())
