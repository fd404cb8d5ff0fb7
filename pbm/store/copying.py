"""A copy of a whole database into one of PostgreSQL, while nobody uses them.

A copy that was killed is taken up where it was: rows travel in the order of their keys, and each
batch is committed. Until all of it is there and has been compared, the target bears a mark in place
of its revision, so that no server opens it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import blake2b

from sqlalchemy import Connection, Table, delete, func, inspect, select, text

from pbm.store.asking import Row
from pbm.store.backup import take_alone
from pbm.store.bulk import Bulk
from pbm.store.database import StoreError, create_engine, parse_url, reading, sqlite_file
from pbm.store.migrations import COPYING, head, refuse_newer, stored_in, upgrade
from pbm.store.tables import metadata

BATCH = 500
"""Rows in one transaction of the target."""

Tick = Callable[[int], None]
"""Is told how many more rows have been copied or compared."""

_LOCK = 7_061_726_302
"""Names the lock under which one process at a time copies into a PostgreSQL database."""

_TRIES = 50
"""How often PostgreSQL is asked, a tenth of a second apart, whether others are still connected."""

_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = 'pbm' AND pid <> pg_backend_pid()"
)


def rows_of(url: str) -> int:
    """Return how many rows the database holds in all; raise StoreError if it cannot be copied."""
    with _opened(url) as opened:
        source = reading(opened)
        _check_source(source)
        return _total(source)


def _total(connection: Connection) -> int:
    with connection.begin():
        return sum(_count(connection, table) for table in metadata.sorted_tables)


def copy(source_url: str, target_url: str, tick: Tick) -> int:
    """Copy all rows into an empty database, or go on with a copy; return how many rows there are.

    Each row is counted twice by `tick`: when it is copied, and when it is compared. Raises
    StoreError if the target holds anything else, if either is in use, or if the copy differs.
    """
    if parse_url(target_url).get_backend_name() != "postgresql":
        raise StoreError("pbm copies into PostgreSQL; a SQLite file is copied by pbm db backup.")
    if parse_url(source_url) == parse_url(target_url):
        raise StoreError("The copy would be the database itself.")
    with ExitStack() as stack:
        source = reading(stack.enter_context(_opened(source_url)))
        _be_alone(source, "the database")
        _check_source(source)
        begun = _prepare(target_url)
        target = stack.enter_context(_opened(target_url))
        _be_alone(target, "the target")
        if begun and _outdated(source, target):
            _empty(target)
        with source.begin():
            for table in metadata.sorted_tables:
                _copy(source, target, table, tick)
        if differing := _differing(source, target, tick):
            raise StoreError(f"The copy differs in {', '.join(differing)}; empty it and try again.")
        _finish(target)
        return _total(source)


@contextmanager
def _opened(url: str) -> Iterator[Connection]:
    engine = create_engine(url, patience=1)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _be_alone(connection: Connection, name: str) -> None:
    """Raise StoreError if another process of pbm's has the database open; keep new ones out.

    On PostgreSQL a server that is started later is not kept out of the source, whose state of this
    moment is what is copied.
    """
    if connection.dialect.name == "sqlite":
        database = connection.connection.dbapi_connection
        take_alone(database, sqlite_file(connection.engine.url), "copy")  # type: ignore[arg-type]
        return
    if not any(_locked_alone(connection) for _ in range(_TRIES)):
        raise StoreError(f"{name.capitalize()} is in use; stop the server before you copy.")


def _locked_alone(connection: Connection) -> bool:
    """Take the lock of a copy, and return whether nobody else is there; a "no" takes a moment.

    PostgreSQL takes a moment to notice that a connection has ended, as those of a killed copy.
    """
    with connection.begin():
        locked = connection.scalar(select(func.pg_try_advisory_lock(_LOCK)))
        if locked and not connection.scalar(_OTHERS):
            return True
        connection.execute(select(func.pg_sleep(0.1)))
        return False


def _check_source(source: Connection) -> None:
    with source.begin():
        stored = stored_in(source)
    refuse_newer(stored)
    if stored != head():
        raise StoreError("The database is of another version. Run: pbm db upgrade")


def _prepare(url: str) -> bool:
    """Make the tables of the target and mark it; return whether a copy has been begun before.

    Raises StoreError if it holds anything else than that.
    """
    mark = f"{COPYING}{head()}"
    with _opened(url) as target:
        with target.begin():
            stored, tables = stored_in(target), inspect(target).get_table_names()
        if stored == mark:
            return True
        if stored is None and tables:
            raise StoreError("The target holds tables that are not pbm's; copy into an empty one.")
        if stored not in (None, head()) or (stored and not _is_empty(target)):
            raise StoreError("The target holds data of pbm's already; copy into an empty database.")
    upgrade(url)
    with _opened(url) as target:
        _mark(target, mark)
    return False


def _is_empty(target: Connection) -> bool:
    with target.begin():
        return not any(
            target.execute(select(table).limit(1)).first() for table in metadata.sorted_tables
        )


def _outdated(source: Connection, target: Connection) -> bool:
    """Return whether the rows of a copy that was begun are no longer the first ones of the source.

    The server has run in between.
    """
    with source.begin(), target.begin():
        return any(
            _checksum(source, table, most=_count(target, table)) != _checksum(target, table)
            for table in metadata.sorted_tables
        )


def _copy(source: Connection, target: Connection, table: Table, tick: Tick) -> None:
    """Copy the rows of `table` that are not there yet."""
    with target.begin():
        done = _count(target, table)
    tick(done)
    bulk = Bulk(table, *table.columns.keys())
    for rows in _batches(source, table, done):
        with target.begin():
            bulk.add(target, rows)
        tick(len(rows))


def _batches(
    connection: Connection, table: Table, done: int = 0, most: int | None = None
) -> Iterator[Sequence[Row]]:
    """Yield the rows of `table` in the order of their keys, at `most` so many after `done`."""
    ordered = select(table).order_by(*table.primary_key).offset(done).limit(most)
    found = connection.execute(ordered.execution_options(yield_per=BATCH))
    for rows in found.partitions():
        yield [tuple(row) for row in rows]


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _differing(source: Connection, target: Connection, tick: Tick) -> list[str]:
    """Return the names of the tables whose rows are not the same."""
    with source.begin(), target.begin():
        return [
            table.name
            for table in metadata.sorted_tables
            if _checksum(source, table, tick) != _checksum(target, table)
        ]


def _checksum(
    connection: Connection, table: Table, tick: Tick = lambda _: None, *, most: int | None = None
) -> tuple[int, int]:
    """Return the number of rows, at `most` so many, and the sum of their hashes.

    A sum does not ask for an order: two databases sort texts differently.
    """
    many = total = 0
    for rows in _batches(connection, table, most=most):
        many += len(rows)
        for row in rows:
            total += int.from_bytes(blake2b(repr(row).encode(), digest_size=16).digest())
        tick(len(rows))
    return many, total


def _empty(target: Connection) -> None:
    with target.begin():
        for table in reversed(metadata.sorted_tables):
            target.execute(delete(table))


def _finish(target: Connection) -> None:
    """Let numbers go on after the last ones, and make the target a database for servers."""
    with target.begin():
        for table in metadata.sorted_tables:
            _go_on_counting(target, table)
        target.execute(text("ANALYZE"))
    _mark(target, head())


def _go_on_counting(target: Connection, table: Table) -> None:
    if "id" not in table.c:
        return
    sequence = target.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
    last = target.scalar(select(func.max(table.c.id)))
    if sequence and last:
        target.execute(select(func.setval(sequence, last)))


def _mark(target: Connection, revision: str) -> None:
    with target.begin():
        target.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
