"""What differs between SQLite and PostgreSQL: types of columns, and upserts."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import (
    BigInteger,
    Connection,
    Dialect,
    Executable,
    Integer,
    Row,
    String,
    Table,
    TypeDecorator,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.types import TypeEngine

# A row of any columns. SQLAlchemy 2.0 and 2.1 spell its type differently.
if TYPE_CHECKING:
    AnyRow = Row[*tuple[Any, ...]]
else:
    AnyRow = Row

# SQLite numbers rows by itself only in a column declared INTEGER.
BigId = BigInteger().with_variant(Integer(), "sqlite")


class AnyText(TypeDecorator[str]):
    """Text from outside, which may hold anything.

    PostgreSQL refuses U+0000 and both databases refuse lone surrogates, which do come in mails;
    they are stored as a backslash and their number, so that no text can make a statement fail.
    """

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text as it can be stored."""
        del dialect
        # A member of an enumeration of texts is no plain one: psycopg would store its name.
        if value is None or (type(value) is str and value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


class FoldedText(AnyText):
    """Text that is looked up and sorted: compared byte by byte on both databases."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return text with the collation of bytes, which is SQLite's own."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(collation=collation))


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC and returned in UTC; a naive one is refused.

    PostgreSQL has a type for it. On SQLite it is text of one fixed width such as
    2026-02-01T09:30:00.000000Z, so that texts compare as the times do and people can read it.
    """

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return TIMESTAMP WITH TIME ZONE on PostgreSQL, text elsewhere."""
        kind: TypeEngine[Any] = TIMESTAMP(timezone=True)
        return dialect.type_descriptor(kind if dialect.name == "postgresql" else String(27))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Return the value for the driver; raise ValueError for a time without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; the store takes aware times only")
        moment = value.astimezone(UTC)
        if dialect.name == "postgresql":
            return moment
        return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the time in UTC."""
        if value is None:
            return None
        if dialect.name == "postgresql":
            return cast("datetime", value).astimezone(UTC)
        return datetime.fromisoformat(value)


Insert = postgresql.Insert | sqlite.Insert

_INSERTS: Mapping[str, Callable[[Table], Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}

T = TypeVar("T", bound=Executable)


def insert(connection: Connection, table: Table) -> Insert:
    """Return an INSERT that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return _INSERTS[connection.dialect.name](table)


def in_each_dialect(table: Table, finish: Callable[[Insert], T]) -> Mapping[str, T]:
    """Return the INSERT into `table` that `finish` completes, by the name of the dialect.

    Call this once per statement: building one for each call costs more than running it.
    """
    return {dialect: finish(start(table)) for dialect, start in _INSERTS.items()}


def replacing(table: Table) -> Mapping[str, Insert]:
    """Return, by dialect, what stores a row of `table`, replacing one with the same key."""
    return in_each_dialect(table, replaces(table))


def replaces(table: Table) -> Callable[[Insert], Insert]:
    """Return what lets an INSERT into `table` replace the row with the same key."""
    keys = [column.name for column in table.primary_key]

    def finish(start: Insert) -> Insert:
        rest = {c.name: start.excluded[c.name] for c in table.columns if not c.primary_key}
        return start.on_conflict_do_update(index_elements=keys, set_=rest)

    return finish
