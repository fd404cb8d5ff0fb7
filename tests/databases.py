"""Where tests find their databases: files for SQLite, databases of a server for PostgreSQL.

To make and drop a database of PostgreSQL, the server writes down all that it has in memory, which
takes longer than most tests. So one that a test gives back is emptied for the next that asks, and
all are dropped at the end of the process.
"""

import atexit
import os
import secrets
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from pbm.store import migrations
from pbm.store.tables import metadata

LOCAL_SERVERS = (
    "postgresql+psycopg://postgres@127.0.0.1:5432/postgres",
    "postgresql+psycopg://root@127.0.0.1:5432/postgres",
)

HOW_TO_GET_ONE = (
    "no PostgreSQL server; set PBM_TEST_POSTGRES to the URL of one, or start one: "
    "docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres"
)


@cache
def postgres_server() -> str:
    """Return the URL of a PostgreSQL server; without one, skip the test, or fail it in CI."""
    given = os.environ.get("PBM_TEST_POSTGRES")
    for url in (given,) if given else LOCAL_SERVERS:
        if _answers(url):
            return url
    if os.environ.get("CI"):
        pytest.fail(HOW_TO_GET_ONE)
    pytest.skip(HOW_TO_GET_ONE)


@contextmanager
def postgres_database(server: str, encoding: str = "", *, migrated: bool = False) -> Iterator[str]:
    """Yield the URL of a database on `server` that is empty, or `migrated`: has tables, no rows.

    Another test gets it later. So who changes more of it than tables and rows undoes that, as who
    has a migrated one undoes what changes a table. One with an `encoding` is dropped.
    """
    if encoding:
        name = _create(server, encoding)
        try:
            yield _url(server, name)
        finally:
            _drop(server, name)
        return
    free = _FREE[server, migrated]
    name = _emptied(server, free.pop(), migrated) if free else _begun(server, migrated)
    yield _url(server, name)
    free.append(name)


@cache
def migrated_file() -> Path:
    """Return a SQLite database with all tables and no rows, made once: a copy is quicker."""
    file = Path(mkdtemp()) / "empty.db"
    migrations.upgrade(f"sqlite:///{file}")
    return file


@contextmanager
def new_database(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of a database with tables and no rows: for "sqlite" a file in `folder`."""
    if kind == "sqlite":
        yield f"sqlite:///{shutil.copy(migrated_file(), folder / 'pbm.db')}"
        return
    with postgres_database(postgres_server(), migrated=True) as url:
        yield url


@cache
def emptying(kind: str) -> str:
    """Return the statements that empty all tables, for "sqlite" or "postgresql".

    Deleting a few rows is quicker than TRUNCATE, which makes new files, as ALTER SEQUENCE does.
    """
    deleting = "; ".join(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables))
    if kind == "sqlite":
        return f"BEGIN; {deleting}; COMMIT"
    first = ", ".join(f"setval('{table}_id_seq', 1, false)" for table in _NUMBERED)
    return f"{deleting}; SELECT {first}"


_NUMBERED = ("players", "signups", "errands", "inbox", "outbox")
"""The tables whose rows PostgreSQL numbers."""

_QUICK = (
    # The tests kill processes, not the server's machine, so nobody needs to wait for its disk.
    "synchronous_commit = off",
    # Two that wait for each other are found after this time, by default 1 s.
    "deadlock_timeout = '20ms'",
)
"""The statements that set up each database."""

_FREE: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
"""The databases of each server that nobody uses just now, with tables or without."""


def _begun(server: str, migrated: bool) -> str:
    """Return the name of a new database, which is dropped at the end of this process."""
    name = _create(server)
    atexit.register(_drop_if_there, server, name, os.getpid())
    if migrated:
        migrations.upgrade(_url(server, name))
    return name


def _emptied(server: str, name: str, migrated: bool) -> str:
    """Empty a database that was used before, once nobody is connected to it."""
    end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = {}"
    _run(server, sql.SQL(end).format(sql.Literal(name)))
    anew = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
    _run(_url(server, name), sql.SQL(emptying("postgresql") if migrated else anew))
    return name


def _create(server: str, encoding: str = "") -> str:
    """Return the name of a new database."""
    name = f"pbm_test_{secrets.token_hex(6)}"
    create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    if encoding:
        like = sql.SQL(" TEMPLATE template0 LOCALE 'C' ENCODING {}").format(sql.Literal(encoding))
        create += like
    _run(server, create)
    quick = "; ".join(f"ALTER DATABASE {{0}} SET {setting}" for setting in _QUICK)
    _run(server, sql.SQL(quick).format(sql.Identifier(name)))
    return name


def _drop(server: str, name: str) -> None:
    _run(server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _drop_if_there(server: str, name: str, maker: int) -> None:
    """Drop a database, unless its server was one of a test and is gone.

    Not at the end of a process that was forked from its maker.
    """
    if os.getpid() == maker:
        with suppress(psycopg.OperationalError):
            _drop(server, name)


def _url(server: str, name: str) -> str:
    url = make_url(server).set(drivername="postgresql+psycopg", database=name)
    return url.render_as_string(hide_password=False)


def _answers(url: str) -> bool:
    try:
        _run(url, sql.SQL("SELECT 1"))
    except psycopg.OperationalError:
        return False
    return True


def _run(url: str, statement: sql.SQL | sql.Composed) -> None:
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    # CREATE DATABASE only works outside a transaction.
    with psycopg.connect(plain, autocommit=True, connect_timeout=3) as connection:
        connection.execute(statement)
