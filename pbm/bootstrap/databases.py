"""The database of a server: opened if it is of this version, and made if it is empty."""

from sqlalchemy import Engine

from pbm.config import ConfigError
from pbm.store import migrations
from pbm.store.database import create_engine


def prepare_database(url: str) -> None:
    """Create the tables in an empty database; raise ConfigError if an old one needs `upgrade`.

    An old database is never migrated automatically: the operator may want a backup first.
    """
    open_database(url).dispose()


def open_database(url: str) -> Engine:
    """Return an engine for the database, which is prepared; raise as `prepare_database` does."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            stored = migrations.stored_in(connection)
        if stored != migrations.head():
            _create_or_refuse(url, stored)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _create_or_refuse(url: str, stored: str | None) -> None:
    migrations.refuse_newer(stored)
    if stored is not None:
        raise ConfigError("The database is of another version. Run: pbm db upgrade")

    migrations.upgrade(url)
