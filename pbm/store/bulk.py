"""Many rows in few statements: the numbers of new ones, new ones, and changed ones.

On PostgreSQL a column is one parameter, so a statement takes any number of rows, and both sides
handle a few long values in place of hundreds. On SQLite several rows stand in one statement,
because its driver gives Python's lock away for each, and gets it back only when the thread of the
connections lets go.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Integer,
    Table,
    Update,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeEngine

from pbm.store.asking import Row
from pbm.store.converting import Conversions, converted, storing
from pbm.store.dialects import Insert
from pbm.store.prepared import Prepared, driver_of

_SIZES = (64, 16, 4)
"""Rows of a statement of SQLite. Any number is made of few of these, each prepared once, and of up
to three rows that are added one by one."""

Finish = Callable[[Insert], Insert]


def _as_it_is(statement: Insert) -> Insert:
    return statement


class Counted(Protocol):
    """What was done with some rows."""

    @property
    def changed(self) -> int:
        """How many rows there are more, or are others now; whoever looks waits for that."""


@dataclass(frozen=True, slots=True)
class _Done:
    changed: int


class Bulk:
    """Adds rows with the columns `names` to `table`; `finish` completes the statement."""

    def __init__(self, table: Table, *names: str, finish: Finish = _as_it_is) -> None:
        self._kinds = [table.c[name].type for name in names]
        self._by_column = _by_column(table, names, finish)
        self._by_row = {size: _by_row(table, names, finish, size) for size in _SIZES}
        self._one = _by_row(table, names, finish, 1)

    @cached_property
    def _storing(self) -> Conversions:
        return storing(self._kinds, driver_of("sqlite"))

    def add(self, connection: Connection, rows: Sequence[Row]) -> Counted:
        """Add `rows`, in their order, at the latest when the transaction is committed."""
        if not rows:
            return _Done(0)
        if connection.dialect.name == "postgresql":
            return self._by_column.ask(connection, *map(list, zip(*rows, strict=True)))
        added = done = 0
        stored = converted(list(rows), self._storing)
        for size, insert in self._by_row.items():
            while len(stored) - done >= size:
                several = stored[done : done + size]
                added += insert.run(connection, *chain.from_iterable(several))
                done += size
        rest = self._one.each(connection, stored[done:]) if done < len(stored) else 0
        return _Done(added + rest)


Types = Mapping[str, TypeEngine[Any]]
"""The values that a statement takes, by name."""

Value = Callable[[str], ColumnElement[Any]]
"""Says what stands in a statement for the value of that name."""


def given(types: Types) -> Value:
    """Return what lets a parameter stand for each value."""
    return lambda name: bindparam(name, type_=types[name])


class Changes:
    """Changes rows, each by values of its own.

    `build` returns the UPDATE of one row, which it finds by the column `key` and the first of the
    values. On PostgreSQL one statement changes them all.
    """

    def __init__(
        self, types: Types, build: Callable[[Value], Update], key: ColumnElement[Any]
    ) -> None:
        self.names = tuple(types)
        self.all_at_once = Prepared(lambda _: _by_columns(types, build, key), *types)
        self._one = Prepared(lambda _: build(given(types)), *types)

    def make(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> Counted:
        """Change these rows, at the latest when the transaction is committed."""
        if connection.dialect.name == "postgresql":
            return self.all_at_once.ask(connection, *self._columns(rows))
        return _Done(self._one.many(connection, rows))

    def _columns(self, rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
        return [[row[name] for row in rows] for name in self.names]


class Numbers:
    """Gives out the ids of rows that are about to be added to `table`.

    So a row and its text, which is in another table, are added without asking for each.
    """

    def __init__(self, table: Table) -> None:
        self._last = Prepared(lambda _: select(func.coalesce(func.max(table.c.id), 0)))
        many = func.generate_series(1, bindparam("many", type_=Integer))
        drawn = select(func.nextval(f"{table.name}_id_seq")).select_from(many)
        self._drawn = Prepared(lambda _: drawn, "many")

    def draw(self, connection: Connection, many: int) -> Callable[[], Sequence[int]]:
        """Return what gives `many` ids, ascending; if this transaction commits, nobody else's."""
        if connection.dialect.name == "postgresql":
            drawn = self._drawn.ask(connection, many)
            return lambda: sorted(number for (number,) in drawn.rows)
        # Whoever writes to SQLite is alone.
        last: int = self._last.rows(connection)[0][0]
        return lambda: range(last + 1, last + 1 + many)


def _by_column(table: Table, names: Sequence[str], finish: Finish) -> Prepared:
    """Return what adds rows on PostgreSQL, given the values of each column."""

    def build(_: str) -> Insert:
        columns = [bindparam(name, type_=ARRAY(table.c[name].type)) for name in names]
        rows = select(func.unnest(*columns).table_valued(*names).render_derived())
        return finish(postgresql.insert(table).inline().from_select(names, rows))

    return Prepared(build, *names)


def _by_row(table: Table, names: Sequence[str], finish: Finish, rows: int) -> Prepared:
    """Return what adds so many rows on SQLite, given the values of each row as they are stored."""

    def build(_: str) -> Insert:
        # Only of the first row would SQLAlchemy know the types by itself.
        values: Any = [
            {name: bindparam(f"{name}_{row}", type_=table.c[name].type) for name in names}
            for row in range(rows)
        ]
        return finish(sqlite.insert(table).inline().values(values))

    given = (f"{name}_{row}" for row in range(rows) for name in names)
    return Prepared(build, *given, stored=True)


def _by_columns(types: Types, build: Callable[[Value], Update], key: ColumnElement[Any]) -> Update:
    """Return what changes rows on PostgreSQL, given the values of all of them, name by name."""
    columns = {name: bindparam(name, type_=ARRAY(kind)) for name, kind in types.items()}
    rows = func.unnest(*columns.values())
    told = rows.table_valued(*(column(*each) for each in types.items())).render_derived("told")
    # By the join alone it would read the whole table while that is small, or was when planned.
    meant = key == func.any(next(iter(columns.values())))
    return build(lambda name: told.c[name]).where(meant)
