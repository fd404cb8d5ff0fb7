"""Which revision a database is at, and which one this pbm needs: asked at every start.

alembic knows both as well, but it takes longer to import than a server needs to open its
database, and a database that is up to date needs nothing else of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, inspect, text

from pbm.store.engine import StoreError, create_engine
from pbm.system import folder

COPYING = "copying-"
"""Begins what stands in place of the revision while a copy of another database is under way."""


def head() -> str:
    """Return the newest revision that this pbm knows: migrations are numbered by their names."""
    numbers = [file.name[:4] for file in folder("migrations").glob("versions/[0-9]*_*.py")]
    if not numbers:
        raise StoreError("The migrations are missing from this installation of pbm.")
    return max(numbers)


def current(url: str) -> str | None:
    """Return the revision of the database; None if it has none yet."""
    with connected(url) as connection:
        return stored_in(connection)


def stored_in(connection: Connection) -> str | None:
    """Return the revision of the database behind `connection`; None if it has none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def refuse_newer(stored: str | None) -> None:
    """Raise StoreError if `stored` is a revision that this pbm does not know yet, or none."""
    if stored is not None and stored.startswith(COPYING):
        raise StoreError(
            "A copy into this database has not come to its end: say the same pbm db copy again."
        )
    if stored is not None and stored > head():
        raise StoreError(
            f"The database was written by a newer pbm (revision {stored}); this one knows up to "
            f"{head()}. Install that version again, or restore a backup from before."
        )


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Yield a connection of its own, which is closed afterwards."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
