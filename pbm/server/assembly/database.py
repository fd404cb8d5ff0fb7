"""The database of a server: how it is opened, and what is done with the whole of it."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2s
from pathlib import Path

from sqlalchemy import Engine

from pbm.config import ConfigError
from pbm.store import migrations
from pbm.store.batch import Batch
from pbm.store.driver.database import (
    MISSING,
    create_engine,
    empty_wal,
    overwrite_freed,
    parse_url,
    require_sessions,
    sqlite_file,
)
from pbm.store.driver.waking import Bell, open_bell
from pbm.store.inbox import Claims, claims_for
from pbm.store.liveness import Lifeline, open_lifeline
from pbm.store.unit import UnitOfWork


def open_database(url: str) -> Engine:
    """Return an engine for the database; raise ConfigError if there is none of this version.

    None is made or migrated in passing: a disk may be missing, and the operator may want a backup.
    """
    engine = create_engine(url)
    try:
        require_sessions(engine)
        with engine.connect() as connection:
            _check(migrations.stored_in(connection))
    except BaseException:
        engine.dispose()
        raise
    return engine


def _check(stored: str | None) -> None:
    """Raise an error unless the database is at this `stored` revision that is ours."""
    if stored is None:
        raise ConfigError(f"The database is empty. {MISSING}")
    migrations.refuse_unknown(stored)
    if stored != migrations.head():
        raise ConfigError("The database is of another version. Run: pbm db upgrade")


@dataclass(frozen=True)
class Database:
    """The database at a URL of SQLAlchemy, opened on first use."""

    url: str

    @cached_property
    def _opened(self) -> tuple[Engine, Bell]:
        engine = open_database(self.url)
        return engine, open_bell(engine)

    @property
    def engine(self) -> Engine:
        """Its connections."""
        return self._opened[0]

    @property
    def bell(self) -> Bell:
        """The bell that wakes the stages of other processes, and ours."""
        return self._opened[1]

    def open_unit(self) -> UnitOfWork:
        """Return a unit of work that may write."""
        return UnitOfWork(self.engine)

    def open_reading(self) -> UnitOfWork:
        """Return a unit of work that only reads and blocks nobody."""
        return UnitOfWork(self.engine, write=False)

    def open_batch(self) -> Batch:
        """Return a unit of work for a batch of mails."""
        return Batch(self.engine, self._claims)

    @cached_property
    def _claims(self) -> Claims:
        return claims_for(self.engine)

    def open_lifeline(self) -> Lifeline:
        """Return a new lifeline of this process; its caller closes it."""
        return open_lifeline(self.engine)

    def label(self) -> str:
        """Return a name for the server that no other on the host has: a digest, without secrets."""
        named = parse_url(self.url).render_as_string(hide_password=True)
        return blake2s(named.encode(), digest_size=8).hexdigest()

    def sqlite_file(self) -> Path | None:
        """Return the file of the database; None if it is not SQLite's."""
        url = parse_url(self.url)
        return sqlite_file(url) if url.get_backend_name() == "sqlite" else None

    def forget_done(self) -> bool:
        """Erase what is left of mails that are done; return False if it must be tried again."""
        return empty_wal(self.engine)

    def overwrite_freed(self) -> bool:
        """Overwrite what has been deleted; return False if the database is too busy for it."""
        return overwrite_freed(self.engine)

    def close(self) -> None:
        """Close its connections; the last one to close empties SQLite's log."""
        if "_opened" in vars(self):
            self.engine.dispose()
