"""What differs between SQLite and PostgreSQL: types of columns, upserts."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

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


Convert = Callable[[Sequence[Any]], Sequence[Any]]
"""Converts the values of a column, of which some may be None."""


class ByColumn:
    """A type that converts the values of a whole column in one call."""

    def storing(self, dialect: Dialect) -> Convert | None:
        """Return what makes of values what the driver takes; None: they are that."""
        del dialect
        return None

    def reading(self, dialect: Dialect) -> Convert | None:
        """Return what makes values of what the driver has found; None: they are that."""
        del dialect
        return None


class AnyText(TypeDecorator[str], ByColumn):
    """Text from outside, which may hold anything.

    PostgreSQL refuses U+0000 and both databases refuse lone surrogates, which do come in mails;
    they are stored as a backslash and their number, so that no text can make a statement fail.
    """

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text as it can be stored."""
        del dialect
        stored: str | None = _storable((value,))[0]
        return stored

    def storing(self, dialect: Dialect) -> Convert:
        """Return what makes texts that can be stored."""
        del dialect
        return _storable


def _storable(texts: Sequence[str | None]) -> Sequence[str | None]:
    """Return these texts as they can be stored; most are as they are."""
    if _PLAIN.issuperset(map(type, texts)):
        together = "".join(filter(None, texts))
        if together.isascii() and "\0" not in together:
            return texts
    return [
        None if t is None else t.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
        for t in texts
    ]


_PLAIN = {str, type(None)}
"""A member of an enumeration of texts is none: psycopg would store its name."""


class FoldedText(AnyText):
    """Text that is looked up and sorted: compared byte by byte on both databases."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return text with the collation of bytes, which is SQLite's own."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(collation=collation))


class UtcTime(TypeDecorator[datetime], ByColumn):
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
        return self.storing(dialect)((value,))[0]

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the time in UTC."""
        moment: datetime | None = self.reading(dialect)((value,))[0]
        return moment

    def storing(self, dialect: Dialect) -> Convert:
        """Return what makes values for the driver; it raises ValueError for a naive time."""
        return _in_utc if dialect.name == "postgresql" else _written

    def reading(self, dialect: Dialect) -> Convert:
        """Return what makes times in UTC of what was found."""
        return _in_utc if dialect.name == "postgresql" else _read


def _in_utc(moments: Sequence[datetime | None]) -> list[datetime | None]:
    """Return these moments in UTC; raise ValueError for one without a zone."""
    for moment in moments:
        if moment is not None and moment.tzinfo is None:
            raise ValueError(f"{moment} has no time zone; the store takes aware times only")
    return [None if moment is None else moment.astimezone(UTC) for moment in moments]


def _written(moments: Sequence[datetime | None]) -> list[str | None]:
    """Return these moments as SQLite keeps them; raise ValueError for one without a zone."""
    return [
        None if m is None else m.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
        for m in _in_utc(moments)
    ]


def _read(texts: Sequence[str | None]) -> list[datetime | None]:
    """Return the moments that SQLite has kept."""
    return [None if text is None else datetime.fromisoformat(text) for text in texts]


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
