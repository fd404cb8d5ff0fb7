"""The differences between SQLite and PostgreSQL: types, upserts, lists of values, plans, errors."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    Integer,
    Result,
    Row,
    String,
    Table,
    TypeDecorator,
    any_,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine, UserDefinedType

from pbm.engine import to_json
from pbm.store.errors import Conflict, StoreUnavailable

# Rows of any columns. SQLAlchemy 2.0 and 2.1 spell their types differently.
if TYPE_CHECKING:
    AnyRow = Row[*tuple[Any, ...]]
    AnyResult = Result[*tuple[Any, ...]]
else:
    AnyRow, AnyResult = Row, Result

# SQLite numbers rows by itself only in a column declared INTEGER.
BigId = BigInteger().with_variant(Integer(), "sqlite")


class AnyText(TypeDecorator[str]):
    """Text from outside, which may hold anything, such as U+0000 and lone surrogates.

    What a database refuses is stored as a backslash and its number.
    """

    impl = String
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:
        """Return what makes a text one that can be stored."""
        # SQLAlchemy's own, around `process_bind_param`, calls two functions for each value.
        del dialect
        return _storable


def _storable(value: str | None) -> str | None:
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

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return what makes a time one for the driver; it refuses a time without a zone."""
        return _in_utc if dialect.name == "postgresql" else _time_as_text

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], datetime | None]:
        """Return what makes a time in UTC of that which the driver returns."""
        del coltype
        return _in_utc if dialect.name == "postgresql" else _time_of_text


def _in_utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{value} has no time zone; the store takes aware times only")
    return value.astimezone(UTC) if value else None


@lru_cache(64)  # most times of a row are the same object
def _time_as_text(value: datetime | None) -> str | None:
    moment = _in_utc(value)
    return moment.isoformat(timespec="microseconds")[: -len("+00:00")] + "Z" if moment else None


def _time_of_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


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


class _ColumnOf(TypeDecorator[Any]):
    """The values of a column in many rows, as one parameter of PostgreSQL.

    SQLAlchemy's own way with the items of an array takes five times as long.
    """

    impl = ARRAY
    cache_ok = True

    def __init__(self, kind: TypeEngine[Any]) -> None:
        super().__init__(kind)
        self.kind = kind

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        """Return what converts the values."""
        convert = self.kind.dialect_impl(dialect).bind_processor(dialect)
        if convert is None:
            return list
        return lambda values: [None if value is None else convert(value) for value in values]


def adding(
    table: Table, *names: str, finish: Callable[[Insert], Insert] = lambda start: start
) -> Mapping[str, Insert]:
    """Return the INSERT by which `add_rows` adds rows with these columns; `finish` completes it."""
    columns = [bindparam(name, type_=_ColumnOf(table.c[name].type)) for name in names]
    rows = select(func.unnest(*columns).table_valued(*names).render_derived())
    return {
        "sqlite": finish(sqlite.insert(table).inline()),
        "postgresql": finish(postgresql.insert(table).inline().from_select(names, rows)),
    }


def add_rows(
    connection: Connection, statement: Mapping[str, Insert], rows: Sequence[Mapping[str, Any]]
) -> int:
    """Add rows by a statement of `adding`; return how many are new or changed.

    PostgreSQL gets them as one list for each column: row by row they take four times the CPU.
    """
    if not rows:
        return 0
    name = connection.dialect.name
    values: Any = rows
    if name == "postgresql":
        values = {column: [row[column] for row in rows] for column in rows[0]}
    options = {"preserve_rowcount": True}
    return connection.execute(statement[name], values, execution_options=options).rowcount


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


class _Several(UserDefinedType[Any]):
    """Several values as one parameter: a list on PostgreSQL, a JSON array on SQLite."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        """Return what makes the parameter of any iterable."""
        return list if dialect.name == "postgresql" else lambda values: to_json(list(values))


class _Among(FunctionElement[bool]):
    """A column, and a parameter of several values.

    It has no type: SQLAlchemy compares what is boolean with 1 on SQLite, which then uses no index.
    """

    inherit_cache = True


@compiles(_Among, "postgresql")
def _among_list(element: _Among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = element.clauses
    return compiler.process(column == any_(values), **options)


@compiles(_Among, "sqlite")
def _among_json(element: _Among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = element.clauses
    told = func.json_each(values).table_valued("value")
    return compiler.process(column.in_(select(told.c.value)), **options)


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that `column` is one of the values of the parameter `name`.

    They are one parameter, given as any iterable, so the statement is the same for any number.
    """
    return _Among(column, bindparam(name, type_=_Several()))


BY_INDEXES = {
    "enable_seqscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""Settings with which PostgreSQL finds rows by indexes, and keeps its plans.

It keeps a plan for as long as the connection. One that was made while a table was small would read
all of it, until the server has looked at the table anew: in a flood, too late. And by itself it
plans most statements anew each time, since to find one row looks cheaper than to find as many as
it guesses. Where there is no index, it thinks that to read all costs so much that it compiles the
statement first, for a third of a second (JIT).
"""


def by_indexes(connection: Connection) -> None:
    """Ask that the open transaction finds its rows by indexes."""
    set_within(connection, BY_INDEXES)


def planned_anew(connection: Connection) -> None:
    """Ask that the rest of the open transaction is planned for its values, if that looks better."""
    set_within(connection, {"plan_cache_mode": "auto"})


def set_within(connection: Connection, settings: Mapping[str, str]) -> None:
    """Ask PostgreSQL for these settings until the open transaction ends."""
    if connection.dialect.name == "postgresql":
        told = ", ".join(f"set_config('{name}', '{to}', true)" for name, to in settings.items())
        connection.exec_driver_sql(f"SELECT {told}")


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
"""Our words in place of PostgreSQL's, by the state of its error."""

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
"""The errors that make SQLite unusable for a while, in words (sqlite.org/rescode.html)."""

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
