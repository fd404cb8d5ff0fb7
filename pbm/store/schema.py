"""Migrations: bring a database up to date, take it back, and prove that it fits the tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from pbm.store.engine import StoreError
from pbm.store.revision import connected, head, refuse_newer, stored_in
from pbm.store.tables import metadata
from pbm.system import folder

_LOCK = 7_061_726_301
"""Names the lock under which one process at a time migrates a PostgreSQL database."""


def upgrade(url: str, revision: str = "head") -> str | None:
    """Bring the database to `revision`, all steps in one transaction; create it if it is new.

    Returns the revision that it had, None for a new one. One process at a time does this, and
    the others find it done. Raises StoreError if the database is newer than this pbm.
    """
    with _migrating(url) as config:
        before = stored_in(config.attributes["connection"])
        refuse_newer(before)
        command.upgrade(config, revision)
        return before


def downgrade(url: str, revision: str) -> None:
    """Take the database back to `revision`, "base" for one without tables."""
    with _migrating(url) as config:
        command.downgrade(config, revision)


def revise(url: str, message: str) -> None:
    """Write a draft of the migration that leads from the database, at head, to the tables.

    Read and tidy the draft: spell out the store's own types, as the first migration does.
    """
    number = f"{int(head()) + 1:04}"
    with _migrating(url) as config:
        command.revision(config, message, autogenerate=True, rev_id=number)


def check(url: str) -> tuple[str, ...]:
    """Return every way in which the database is not what this pbm needs; none if it fits.

    Raises StoreError if a newer pbm has written it: then nothing can be said.
    """
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        revision = context.get_current_revision()
        if revision is None:
            return ("The database is empty; `pbm db upgrade` creates its tables.",)
        refuse_newer(revision)
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


def _config() -> Config:
    config = Config()
    # A per cent sign would begin an interpolation.
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@contextmanager
def _migrating(url: str) -> Iterator[Config]:
    """Yield alembic's configuration in a transaction that is kept whole or not at all."""
    with connected(url) as connection:
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
