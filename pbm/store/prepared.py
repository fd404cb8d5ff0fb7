"""Statements prepared once, and run on the driver's own cursor.

SQLAlchemy is the language of all statements, and the schema stays one. But its execution layer
takes 30 to 60 microseconds a statement and 2 to 4 a row, which was half of what a move cost. So
the statements that every batch of mails runs, and those that nearly every mail in a transaction of
its own runs, are compiled on first use, and then handed to the driver as text with plain tuples
(`asking`). Values are converted by the types of their
columns, as SQLAlchemy does it, but many at a time (`converting`). Figures are in
docs/performance.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, TypeVar, cast

from sqlalchemy import (
    JSON,
    URL,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    and_,
    bindparam,
    func,
    select,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import NULLTYPE, UserDefinedType

from pbm.engine import to_json
from pbm.store.asking import Answer, Row, ask, opened_cursor, send
from pbm.store.converting import Conversions, converted, reading, storing

R = TypeVar("R", bound=Row)

_PARAMETERS = {
    "sqlite": ("sqlite", "qmark"),
    "postgresql": ("postgresql+psycopg", "numeric_dollar"),
}
"""The driver of each dialect, and the style in which it takes parameters by place."""


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
        return column == func.any(values)
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
    joined = and_(column == func.any(func.array(keys)), column == sql_cast(told.c.key, BigInteger))
    return joined, told.c.value


@dataclass(frozen=True, slots=True)
class _Plan:
    """A statement for one database: its text, and how values go in and come out.

    `placed` puts the values given, followed by `constants`, at their places.
    """

    sql: str
    placed: Callable[[Row], Row]
    constants: Row
    binds: Conversions
    results: Conversions

    def sent(self, rows: list[Row]) -> list[Row]:
        """Return rows of parameters as the driver takes them."""
        stored = converted(rows, self.binds)
        if self.constants:
            stored = [row + self.constants for row in stored]
        return list(map(self.placed, stored))

    def found(self, rows: list[Row]) -> list[Row]:
        """Return the rows that were found, as SQLAlchemy would."""
        return converted(rows, self.results)


class Prepared:
    """A statement, made by `build` for the dialect of that name; `names` orders its parameters.

    `stored` says that its values are given as the driver takes them.
    """

    def __init__(
        self, build: Callable[[str], ClauseElement], *names: str, stored: bool = False
    ) -> None:
        self._build = build
        self._names = names
        self._stored = stored
        self._plans: dict[str, _Plan] = {}

    def ask(self, connection: Connection, *values: Any) -> Answer:
        """Return what it will find or change; it need not be run before somebody looks at that."""
        plan = self._plan(connection)
        found = plan.found if plan.results else None
        return ask(Answer(connection, plan.sql, plan.sent([values])[0], found), connection)

    def rows(self, connection: Connection, *values: Any) -> list[Row]:
        """Run it as a query and return all rows."""
        return self.ask(connection, *values).rows

    def run(self, connection: Connection, *values: Any) -> int:
        """Run it once and return how many rows it has changed."""
        return self.ask(connection, *values).changed

    def many(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> int:
        """Run it for each of `rows`, and return how many rows of the table they have changed."""
        return self.each(connection, list(map(itemgetter(*self._names), rows)))

    def each(self, connection: Connection, rows: list[Row]) -> int:
        """Do as `many` does, with rows whose values are in the order of the parameters."""
        plan = self._plan(connection)
        send(connection)
        with opened_cursor(connection) as cursor:
            cursor.executemany(plan.sql, plan.sent(rows))
            return cursor.rowcount

    def _plan(self, connection: Connection) -> _Plan:
        name = connection.dialect.name
        plan = self._plans.get(name)
        if plan is None:
            plan = _plan(self._build(name), driver_of(name), self._names)
            plan = self._plans[name] = replace(plan, binds=()) if self._stored else plan
        return plan


def by_first(rows: Iterable[R]) -> dict[Any, list[R]]:
    """Return these rows by the first of their values."""
    found: dict[Any, list[R]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def driver_of(name: str) -> Dialect:
    """Return the dialect of that name with the driver that runs its statements here."""
    driver, style = _PARAMETERS[name]
    made: Callable[..., Dialect] = URL.create(driver).get_dialect()
    return made(paramstyle=style)


def _plan(statement: ClauseElement, dialect: Dialect, names: Sequence[str]) -> _Plan:
    """Return `statement` as it is run on `dialect`, with parameters in the order of `names`."""
    compiled = cast("SQLCompiler", statement.compile(dialect=dialect))
    places = compiled.positiontup or []
    constants = [name for name in dict.fromkeys(places) if name not in names]
    known = [*names, *constants]
    types = [compiled.binds[name].type if name in places else NULLTYPE for name in known]
    columns = getattr(statement, "exported_columns", ())
    row = (*(None for _ in names), *(compiled.params[name] for name in constants))
    binds = storing(types, dialect)
    fixed = tuple(each for each in binds if each[0] >= len(names))
    return _Plan(
        sql=str(compiled),
        placed=_placing([known.index(name) for name in places]),
        constants=tuple(converted([row], fixed)[0][len(names) :]),
        binds=tuple(each for each in binds if each[0] < len(names)),
        results=reading([column.type for column in columns], dialect),
    )


def _placing(order: Sequence[int]) -> Callable[[Row], Row]:
    """Return what puts the values of a row into this order."""
    if len(order) > 1:
        return itemgetter(*order)
    # For one place, itemgetter returns the value alone.
    return lambda row: tuple(row[place] for place in order)
