"""Houses to measure in: a new database each, on SQLite or PostgreSQL, gone afterwards."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, make_url, text

from pbm.bench.errors import BenchError
from pbm.bootstrap import House, prepare_database
from pbm.clock import utc_now
from pbm.config import Settings
from pbm.store.engine import parse_url

ADDRESS = "pbm@localhost"

SQLITE = "sqlite"
"""Stands for a database in a file of its own, where a PostgreSQL server would be named by URL."""


class SteadyClock:
    """A clock that stands until it is set, so that no batch ends early on a busy machine."""

    def __init__(self) -> None:
        self.now = utc_now()

    def __call__(self) -> datetime:
        """Return the time at which it was set."""
        return self.now


def set_clock(house: House) -> None:
    """Set the clock of a scratch house to the present time."""
    if isinstance(house.clock, SteadyClock):
        house.clock.now = utc_now()


@contextmanager
def scratch_house(server: str, relay: str = "null:") -> Iterator[House]:
    """Yield a house with a new database on `server`: SQLITE, or the URL of a PostgreSQL server.

    Its clock is a SteadyClock. Raises BenchError for another URL.
    """
    with TemporaryDirectory(prefix="pbm-bench-") as name, _database(server, Path(name)) as url:
        prepare_database(url)
        settings = Settings(ADDRESS, url, relay, Path(name) / "secret.key")
        house = House(settings, SteadyClock())
        try:
            yield house
        finally:
            house.close()


def backend_of(server: str) -> str:
    """Return what the table calls a server: "sqlite" or "postgresql"; raise BenchError."""
    found = SQLITE if server == SQLITE else parse_url(server).get_backend_name()
    if found == SQLITE and server != SQLITE:
        raise BenchError("A scratch database is made on a PostgreSQL server, or write sqlite.")
    return found


def database_name(house: House) -> str:
    """Return the name that the processes of a PostgreSQL server bear while they work for it."""
    return str(make_url(house.settings.database).database)


@contextmanager
def _database(server: str, folder: Path) -> Iterator[str]:
    """Yield the URL of a new database, which is dropped afterwards."""
    if backend_of(server) == SQLITE:
        yield f"sqlite:///{folder / 'pbm.db'}"
        return
    name = f"pbm_bench_{secrets.token_hex(6)}"
    _run(server, f"CREATE DATABASE {name}")
    try:
        yield parse_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        _run(server, f"DROP DATABASE {name} WITH (FORCE)")


def _run(server: str, statement: str) -> None:
    """Run a statement that works only outside of a transaction."""
    engine = create_engine(parse_url(server), isolation_level="AUTOCOMMIT", hide_parameters=True)
    try:
        with engine.connect() as connection:
            connection.execute(text(statement))
    finally:
        engine.dispose()
