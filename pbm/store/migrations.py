"""Migrations: bring a database up to date, and prove that it fits the tables.

alembic takes longer to import than a server needs to open its database, so it is imported only by
what needs it. A database that is up to date needs only its revision, which a start reads itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text

from pbm.store.driver.database import NoDatabaseError, StoreError, create_engine, require_sessions
from pbm.store.tables import metadata
from pbm.system import folder

if TYPE_CHECKING:
    from alembic.config import Config


def head() -> str:
    """Return the newest revision that this pbm knows: migrations are numbered by their names."""
    return max(_numbers())


def _numbers() -> list[str]:
    numbers = [file.name[:4] for file in folder("migrations").glob("versions/[0-9]*_*.py")]
    if not numbers:
        raise StoreError("The migrations are missing from this installation of pbm.")
    return numbers


def current(url: str) -> str | None:
    """Return the revision of the database; None if it has none yet."""
    try:
        with connected(url) as connection:
            return stored_in(connection)
    except NoDatabaseError:
        return None


def stored_in(connection: Connection) -> str | None:
    """Return the revision of the database behind `connection`; None if it has none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def refuse_unknown(stored: str | None) -> None:
    """Raise StoreError if `stored` is a revision that this pbm does not know, or no longer."""
    if stored is not None and stored < min(_numbers()):
        raise StoreError(
            f"The database is older than pbm 0.1.0 (revision {stored}). Run `pbm db upgrade` with "
            "commit f798ad95 of pbm first, then with this version."
        )
    if stored is not None and stored > head():
        raise StoreError(
            f"The database was written by a newer pbm (revision {stored}); this one knows up to "
            f"{head()}. Install that version again, or restore a backup from before."
        )


@contextmanager
def connected(url: str, *, new: bool = False) -> Iterator[Connection]:
    """Yield a connection of its own, which is closed afterwards, to a `new` file if need be."""
    engine = create_engine(url, new=new)
    try:
        require_sessions(engine)
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


_LOCK = 7_061_726_301
"""Names the lock under which one process at a time migrates a PostgreSQL database."""


def upgrade(url: str, revision: str = "head") -> str | None:
    """Bring the database to `revision`, all steps in one transaction; create it if it is new.

    Returns the revision that it had, None for a new one. One process at a time does this, and
    the others find it done. Raises StoreError if this pbm cannot upgrade the database.
    """
    from alembic import command  # noqa: PLC0415 - slow

    with _migrating(url) as config:
        before = stored_in(config.attributes["connection"])
        refuse_unknown(before)
        command.upgrade(config, revision)
        return before


def check(url: str) -> tuple[str, ...]:
    """Return every way in which the database is not what this pbm needs; none if it fits.

    Raises StoreError if it is of a revision that this pbm does not know.
    """
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415 - slow
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415 - slow

    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        revision = context.get_current_revision()
        if revision is None:
            return ("The database is empty; `pbm db upgrade` creates its tables.",)
        refuse_unknown(revision)
        if revision != head():
            return (f"The database is at revision {revision}, this pbm needs {head()}.",)
        return tuple(_difference(item) for item in compare_metadata(context, metadata))


def _difference(item: Any) -> str:
    """Return one of alembic's differences, which are tuples or lists of them, as a line."""
    if isinstance(item, list):
        return "; ".join(_difference(part) for part in item)
    kind, *subjects = item
    named = (str(getattr(subject, "name", None) or subject) for subject in subjects)
    return f"{kind}: {', '.join(named)}"


def _config() -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - slow

    config = Config()
    # A per cent sign would begin an interpolation.
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@contextmanager
def _migrating(url: str) -> "Iterator[Config]":
    """Yield alembic's configuration in a transaction that is kept whole or not at all."""
    with connected(url, new=True) as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # Rebuilding a table drops it in between, and the pragma has no effect inside a
            # transaction. So the driver runs it here, before SQLAlchemy begins one.
            connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            if not sqlite:
                # Another process may be migrating a large database.
                connection.execute(text("SET LOCAL lock_timeout = 0"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            config = _config()
            config.attributes["connection"] = connection
            yield config
            if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise StoreError("The migration would leave rows that refer to missing ones.")
