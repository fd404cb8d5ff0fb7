"""Where tests find their databases: files for SQLite, a throw-away database for PostgreSQL."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from pbm.store import schema

LOCAL_SERVERS = (
    "postgresql+psycopg://postgres@127.0.0.1:5432/postgres",
    "postgresql+psycopg://root@127.0.0.1:5432/postgres",
)

HOW_TO_GET_ONE = (
    "no PostgreSQL server; set PBM_TEST_POSTGRES to the URL of one, or start one: "
    "docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres"
)


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
def postgres_database(server: str, encoding: str = "") -> Iterator[str]:
    """Yield the URL of a new, empty database on `server`, and drop it afterwards."""
    name = f"pbm_test_{secrets.token_hex(6)}"
    create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    if encoding:
        like = sql.SQL(" TEMPLATE template0 LOCALE 'C' ENCODING {}").format(sql.Literal(encoding))
        create += like
    _run(server, create)
    try:
        # The tests kill processes, not the server's machine, so nobody needs to wait for its disk.
        _run(
            server,
            sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(sql.Identifier(name)),
        )
        url = make_url(server).set(drivername="postgresql+psycopg", database=name)
        yield url.render_as_string(hide_password=False)
    finally:
        _run(server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@cache
def migrated_file() -> Path:
    """Return a SQLite database with all tables and no rows, made once: a copy is quicker."""
    file = Path(mkdtemp()) / "empty.db"
    schema.upgrade(f"sqlite:///{file}")
    return file


@contextmanager
def new_database(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database: a file in `folder` for "sqlite", else of PostgreSQL."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/pbm.db"
        return
    with postgres_database(postgres_server()) as url:
        yield url


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
