"""Statements that are built once for each database, and the looks and writes of repositories.

Statements are SQLAlchemy's. On PostgreSQL they go together (pipeline.py), and there the rows that a
statement adds or changes are one list for each column.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, cast

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    Integer,
    Result,
    Table,
    Update,
    and_,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.visitors import iterate
from sqlalchemy.types import TypeEngine, UserDefinedType

from pbm.engine import to_json
from pbm.store.driver import pipeline
from pbm.store.driver.database import raise_trouble
from pbm.store.driver.dialects import Insert
from pbm.store.driver.pipeline import Row

R = TypeVar("R", bound=Row)


class Answer(Protocol):
    """The rows that a statement finds, and how many it changes."""

    @property
    def rows(self) -> list[Row]:
        """The rows that were found."""

    @property
    def changed(self) -> int:
        """The number of rows of the table that were changed."""


@dataclass(frozen=True, slots=True)
class _Found:
    rows: list[Row]
    changed: int


class Plan:
    """A statement as a driver takes it, with what converts its values and rows."""

    def __init__(self, statement: Executable, dialect: Dialect, names: Sequence[str]) -> None:
        compiled: Any = cast("Any", statement).compile(dialect=dialect)
        kinds = {name: bind.type for bind, name in compiled.bind_names.items()}
        storing = {
            n: kind.dialect_impl(dialect).bind_processor(dialect) for n, kind in kinds.items()
        }
        columns = getattr(statement, "exported_columns", ())
        reading = [c.type.dialect_impl(dialect).result_processor(dialect, None) for c in columns]
        self.sql = str(compiled)
        self._names = names
        self._places: Sequence[str] | None = compiled.positiontup  # psycopg takes them by name
        self._storing = {name: convert for name, convert in storing.items() if convert}
        self._constants = {n: value for n, value in compiled.params.items() if n not in names}
        self._reading = {at: convert for at, convert in enumerate(reading) if convert}

    def parameters(self, rows: Sequence[Row]) -> list[Any]:
        """Return what the driver takes for each of these rows of values."""
        columns: dict[str, Sequence[Any]] = {
            **{name: [value] * len(rows) for name, value in self._constants.items()},
            **dict(zip(self._names, zip(*rows, strict=True), strict=True)),
        }
        for name, convert in self._storing.items():
            columns[name] = _converted(columns[name], convert)
        if self._places is None:
            return [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
        return list(zip(*map(columns.__getitem__, self._places), strict=True))

    def read(self, rows: list[Row]) -> list[Row]:
        """Return rows that were found, as SQLAlchemy would."""
        if not self._reading or not rows:
            return rows
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
        for at, convert in self._reading.items():
            columns[at] = _converted(columns[at], convert)
        return list(zip(*columns, strict=True))


def _converted(column: Sequence[Any], convert: Callable[[Any], Any]) -> list[Any]:
    return [None if value is None else convert(value) for value in column]


class Statement:
    """A statement, made by `build` for the dialect of that name; `names` orders its parameters."""

    def __init__(self, build: Callable[[str], Executable], *names: str) -> None:
        self._build = build
        self._plans: dict[str, Plan] = {}
        self.names = names

    def ask(self, connection: Connection, *values: Any) -> Answer:
        """Return what it will find or change; it need not be run before somebody looks at that."""
        if connection.dialect.name != "postgresql":
            return self.each(connection, [values])
        plan = self.plan(connection.dialect)
        given = next(iter(plan.parameters([values])), None)
        answer = pipeline.Answer(connection, plan.sql, given, plan.read, prepare=True)
        return pipeline.ask(answer, connection)

    def each(self, connection: Connection, rows: Sequence[Row]) -> Answer:
        """Run it on SQLite, for each of these rows of values."""
        plan = self.plan(connection.dialect)
        if not connection.in_transaction():
            connection.begin()
        given = plan.parameters(rows)
        # To execute it takes SQLAlchemy longer than SQLite.
        cursor = connection.connection.cursor()
        try:
            if len(given) > 1:
                cursor.executemany(plan.sql, given)
            else:
                cursor.execute(plan.sql, *given)
            return _Found(plan.read(list(cursor.fetchall())), cursor.rowcount)
        except sqlite3.Error as error:
            raise_trouble(connection, error)

    def rows(self, connection: Connection, *values: Any) -> list[Row]:
        """Run it as a query and return all rows."""
        return self.ask(connection, *values).rows

    def run(self, connection: Connection, *values: Any) -> int:
        """Run it once and return how many rows it has changed."""
        return self.ask(connection, *values).changed

    @cached_property
    def tables(self) -> frozenset[Table]:
        """The tables that it names."""
        return tables_in(self._build("sqlite"))

    def plan(self, dialect: Dialect) -> Plan:
        """Return it as a driver takes it."""
        if dialect.name not in self._plans:
            self._plans[dialect.name] = Plan(self._build(dialect.name), dialect, self.names)
        return self._plans[dialect.name]


def tables_in(query: Executable) -> frozenset[Table]:
    """Return the tables that a query names, at any depth."""
    return frozenset(part for part in iterate(cast("Any", query)) if isinstance(part, Table))


Types = Mapping[str, TypeEngine[Any]]
"""The values of a row, by name."""

Value = Callable[[str], ColumnElement[Any]]
"""Says what stands in a statement for the value of that name."""


class Rows:
    """A statement for many rows, whose values have these `names`.

    SQLite runs `one` for each row, PostgreSQL `many`, whose parameters are lists.
    """

    def __init__(
        self, names: Sequence[str], one: Callable[[], Executable], many: Callable[[], Executable]
    ) -> None:
        self.names = tuple(names)
        self._one = Statement(lambda _: one(), *names)
        self.all_at_once = Statement(lambda _: many(), *names)

    def ask(self, connection: Connection, rows: Sequence[Row]) -> Answer:
        """Run it for these rows, at the latest when the transaction is committed."""
        if not rows:
            return _Found([], 0)
        if connection.dialect.name == "postgresql":
            return self.all_at_once.ask(connection, *map(list, zip(*rows, strict=True)))
        return self._one.each(connection, rows)


def adding(
    table: Table, *names: str, finish: Callable[[Insert], Insert] = lambda statement: statement
) -> Rows:
    """Return what adds rows with the columns `names` to `table`; `finish` completes it."""
    types = {name: table.c[name].type for name in names}

    def many() -> Insert:
        columns = [bindparam(name, type_=ARRAY(kind)) for name, kind in types.items()]
        rows = select(func.unnest(*columns).table_valued(*names).render_derived())
        return finish(postgresql.insert(table).inline().from_select(names, rows))

    def one() -> Insert:
        values = {name: bindparam(name, type_=kind) for name, kind in types.items()}
        return finish(sqlite.insert(table).inline().values(values))

    return Rows(names, one, many)


def changing(types: Types, build: Callable[[Value], Update], key: ColumnElement[Any]) -> Rows:
    """Return what changes rows, each by values of its own.

    `build` returns the UPDATE of one row, which it finds by the column `key` and the first value.
    """
    # SQLAlchemy keeps the names of columns to itself.
    names = {name: f"given_{name}" for name in types}

    def many() -> Update:
        columns = [bindparam(names[name], type_=ARRAY(kind)) for name, kind in types.items()]
        rows = func.unnest(*columns)
        told = rows.table_valued(*(column(*each) for each in types.items())).render_derived("told")
        # By the join alone it would read the whole table while that is small, or was when planned.
        meant = key == any_(columns[0])
        return build(lambda name: told.c[name]).where(meant)

    def one() -> Update:
        return build(lambda name: bindparam(names[name], type_=types[name]))

    return Rows(list(names.values()), one, many)


class Numbers:
    """Gives out the ids of rows that are about to be added to `table`.

    So a row and its text, which is in another table, are added without asking for each.
    """

    def __init__(self, table: Table) -> None:
        self._last = Statement(lambda _: select(func.coalesce(func.max(table.c.id), 0)))
        many = func.generate_series(1, bindparam("many", type_=Integer))
        drawn = select(func.nextval(f"{table.name}_id_seq")).select_from(many)
        self._drawn = Statement(lambda _: drawn, "many")

    def draw(self, connection: Connection, many: int) -> Callable[[], Sequence[int]]:
        """Return what gives `many` ids, ascending; if this transaction commits, nobody else's."""
        if connection.dialect.name == "postgresql":
            drawn = self._drawn.ask(connection, many)
            return lambda: sorted(number for (number,) in drawn.rows)
        # Whoever writes to SQLite is alone.
        last: int = self._last.rows(connection)[0][0]
        return lambda: range(last + 1, last + 1 + many)


class _Several(UserDefinedType[Any]):
    """Several values as one parameter."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        """Return what makes the parameter of any iterable."""
        return list if dialect.name == "postgresql" else lambda values: to_json(list(values))


def among(dialect: str, column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that `column` is one of the values of the parameter `name`.

    They are one parameter, so the statement is the same for any number of them: on SQLite a JSON
    array, on PostgreSQL a list. It is given as any iterable.
    """
    values = bindparam(name, type_=_Several())
    if dialect == "postgresql":
        # SQLAlchemy 2.0 negates func.any into "!= any", which nearly every row fulfils.
        return column == any_(values)
    return column.in_(select(func.json_each(values).table_valued("value").c.value))


class _Each(UserDefinedType[Any]):
    """A mapping of ids to texts as one parameter: a JSON object, on both databases."""

    cache_ok = True

    def bind_processor(self, _dialect: Dialect) -> Callable[[Any], str]:
        """Return what makes the parameter of the mapping."""
        return to_json


def each_of(
    dialect: str, column: ColumnElement[int], name: str
) -> tuple[ColumnElement[bool], ColumnElement[str]]:
    """Return what joins `column` to the parameter `name`, a mapping of ids to texts, and its texts.

    So one statement gives each row that it changes a text of its own. The texts must hold no NUL,
    which PostgreSQL refuses.
    """
    given = bindparam(name, type_=_Each())
    if dialect == "sqlite":
        told = func.json_each(given).table_valued("key", "value").alias("told")
        return column == sql_cast(told.c.key, BigInteger), told.c.value
    mapping = sql_cast(given, JSON)
    told = func.json_each_text(mapping).table_valued("key", "value").alias("told")
    # By the join alone it would read the whole table, of which nearly all rows are done.
    keys = select(sql_cast(func.json_object_keys(mapping), BigInteger)).scalar_subquery()
    joined = and_(column == any_(func.array(keys)), column == sql_cast(told.c.key, BigInteger))
    return joined, told.c.value


def by_first(rows: Iterable[R]) -> dict[Any, list[R]]:
    """Return these rows by the first of their values."""
    found: dict[Any, list[R]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

Finish = Callable[[], None]

Look = Callable[[Connection, Collection[K]], Callable[[], Mapping[K, V]]]
"""Asks for the values of several keys, and returns what gives those that were found."""


@dataclass(frozen=True, slots=True, eq=False)
class Write(Generic[T]):
    """Writes several things to these `tables`, in the order of the things.

    It returns what finishes it, if it has to see an answer. On PostgreSQL what several writes ask
    is one round trip. Looks and writes raise Conflict if what a thing was made from was changed
    meanwhile.
    """

    tables: frozenset[Table]
    store: Callable[[Connection, Sequence[T]], Finish | None]

    def __call__(self, connection: Connection, things: Sequence[T]) -> Finish | None:
        """Write these things."""
        return self.store(connection, things)


def writes(
    *tables: Table,
) -> Callable[[Callable[[Connection, Sequence[T]], Finish | None]], Write[T]]:
    """Return the decorator of a function that writes several things to these tables."""
    return lambda store: Write(frozenset(tables), store)


Change = tuple[Look[K, V], K, Callable[[V | None], V]]
"""A look, a key, and a function that makes its new value from the one before, or from None."""


class Connected(Protocol):
    """A unit of work, as its repositories use it."""

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""

    def read(self, query: Executable, values: Mapping[str, Any] | None = None) -> Result[Any]:
        """Return what a query finds; a batch raises NeedsTransaction if it keeps a change of it."""

    def rows(self, statement: "Statement", *values: Any) -> list[Row]:
        """Return the rows that a statement finds; otherwise as `read`."""

    def look(self, find: Look[K, V], keys: Iterable[K]) -> dict[K, V]:
        """Return what `find` finds of these keys, as far as it was not known."""

    def write(self, store: Write[T], *things: T, change: Change[K, V] | None = None) -> None:
        """Write these things, at the latest at the commit; from now on `look` sees the `change`."""


class Repository:
    """Reads and writes some tables in the transaction of one unit of work.

    What reads by `read`, `rows` or `look`, and writes by `write`, serves a batch as well, which has
    no transaction yet.
    """

    def __init__(self, unit: Connected) -> None:
        self._unit = unit

    @property
    def _connection(self) -> Connection:
        return self._unit.connection


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
        pipeline.ask(pipeline.Answer(connection, f"SELECT {told}"), connection)
