"""What differs between SQLite and PostgreSQL: types of columns, upserts, and what errors mean."""

import re
import sqlite3
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

from pbm.service.ports import Conflict, StoreUnavailable

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


def replace_row(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Store a row of `table`, in place of one with the same key."""
    connection.execute(replaces(table)(insert(connection, table)), row)


def replaces(table: Table) -> Callable[[Insert], Insert]:
    """Return what lets an INSERT into `table` replace the row with the same key."""
    keys = [column.name for column in table.primary_key]

    def finish(start: Insert) -> Insert:
        rest = {c.name: start.excluded[c.name] for c in table.columns if not c.primary_key}
        return start.on_conflict_do_update(index_elements=keys, set_=rest)

    return finish


# What another try of the whole unit of work can cure (PostgreSQL, appendix A).
_CONFLICTS = frozenset({"40001", "40P01"})

# Classes 08, 53, 57, 58: connection, resources, operator's intervention, system error. Then single
# states: it can only be read, as a standby; a transaction has been idle or lasted too long; a lock
# was not had in time; a right is missing; tables or indexes are damaged.
_OUTAGES = (
    *("08", "53", "57", "58"),
    *("25006", "25P03", "25P04", "55P03", "42501", "XX001", "XX002"),
)

_DAMAGED = (
    "its file is damaged. Stop pbm, restore a backup, and see whether the disk is sound "
    "(docs/operations.md)"
)

_LOCKED = "another process keeps it locked. docs/operations.md says how to find it"

_POSTGRESQL_OUTAGES = {"55P03": _LOCKED}
"""What is said instead of PostgreSQL's own words, by the state of its error."""

_SQLITE_OUTAGES = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_READONLY: "this user may not write it, or its disk is read-only",
    sqlite3.SQLITE_IOERR: "its disk cannot be read or written",
    sqlite3.SQLITE_FULL: "its disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work: is it on a network file system?",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
"""What makes SQLite unusable for a while, in words (sqlite.org/rescode.html)."""

_LONGEST_REASON = 200

_NO_HOST = re.compile(r"""(?:host )?(['"])[^'"]*@[^'"]*\1""")


def trouble_of(error: BaseException, *, disconnected: bool) -> Conflict | StoreUnavailable | None:
    """Return the store's own exception for a driver's `error` if a later try may succeed."""
    if getattr(error, "sqlstate", None) in _CONFLICTS:
        return Conflict("the database has given this transaction up")
    if _is_outage(error, disconnected=disconnected):
        return StoreUnavailable(f"the database cannot be used now: {_reason(error)}")
    return None


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of SQLite's says that its file is damaged."""
    return isinstance(error, sqlite3.Error) and (
        _SQLITE_OUTAGES.get(_sqlite_code(error)) is _DAMAGED
    )


def _is_outage(error: BaseException, *, disconnected: bool) -> bool:
    if isinstance(error, sqlite3.Error):
        return _sqlite_code(error) in _SQLITE_OUTAGES
    state = getattr(error, "sqlstate", None) or ""
    return disconnected or state.startswith(_OUTAGES)


def _sqlite_code(error: sqlite3.Error) -> int:
    """Return the primary result code."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def _reason(error: BaseException) -> str:
    """Return what is wrong as one line of ASCII, without values of a statement.

    Of what PostgreSQL says itself only the first part is taken, which holds none in these classes.
    An error without such a part is of the connection, and says which host does not answer. What is
    quoted with an @ in it is no host but the end of a password that had one.
    """
    if isinstance(error, sqlite3.Error):
        return _SQLITE_OUTAGES[_sqlite_code(error)]
    if words := _POSTGRESQL_OUTAGES.get(getattr(error, "sqlstate", None) or ""):
        return words
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    said = _NO_HOST.sub("the host of the database URL", said)
    line = " ".join(said.partition("\n")[0].split())[:_LONGEST_REASON]
    return line.encode("ascii", "replace").decode("ascii") or type(error).__name__
