"""Statements prepared once, and run on the driver's own cursor.

SQLAlchemy is the language of all statements, and the schema stays one. But its execution layer
takes 30 to 60 microseconds a statement and 2 to 4 a row, which was half of what a move cost. So
the few statements that every batch of mails runs are compiled on first use, and then handed to
the driver as text with plain tuples (`asking`). Values are converted by the types of their
columns, as SQLAlchemy does it. Figures are in docs/performance.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, cast

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
from sqlalchemy.types import TypeEngine, UserDefinedType

from pbm.store.asking import Answer, Row, ask, opened_cursor, send
from pbm.store.dialects import to_json

Convert = Callable[[Any], Any]

_PARAMETERS = {
    "sqlite": ("sqlite", "qmark"),
    "postgresql": ("postgresql+psycopg", "numeric_dollar"),
}
"""The driver of each dialect, and the style in which it takes parameters by place."""


class _Several(UserDefinedType[Any]):
    """Several values as one parameter."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Convert:
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

    def bind_processor(self, _dialect: Dialect) -> Convert:
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

    `order` says which of the values given, followed by `constants`, stands at each place.
    """

    sql: str
    order: tuple[int, ...]
    constants: Row
    binds: tuple[tuple[int, Convert], ...]
    results: tuple[tuple[int, Convert], ...]

    def values(self, given: Row) -> Sequence[Any]:
        """Return one row of parameters as the driver takes it."""
        known = given + self.constants
        values = [known[place] for place in self.order]
        for place, convert in self.binds:
            values[place] = convert(values[place])
        return values

    def row(self, found: Row) -> Row:
        """Return a row that was found, as SQLAlchemy would."""
        values = list(found)
        for place, convert in self.results:
            values[place] = convert(values[place])
        return tuple(values)


class Prepared:
    """A statement, made by `build` for the dialect of that name; `names` orders its parameters."""

    def __init__(self, build: Callable[[str], ClauseElement], *names: str) -> None:
        self._build = build
        self._names = names
        self._plans: dict[str, _Plan] = {}

    def ask(self, connection: Connection, *values: Any) -> Answer:
        """Return what it will find or change; it need not be run before somebody looks at that."""
        plan = self._plan(connection)
        convert = plan.row if plan.results else None
        return ask(Answer(connection, plan.sql, plan.values(values), convert), connection)

    def rows(self, connection: Connection, *values: Any) -> list[Row]:
        """Run it as a query and return all rows."""
        return self.ask(connection, *values).rows

    def run(self, connection: Connection, *values: Any) -> int:
        """Run it once and return how many rows it has changed."""
        return self.ask(connection, *values).changed

    def many(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> int:
        """Run it for each of `rows`, and return how many rows of the table they have changed."""
        return self.each(connection, map(itemgetter(*self._names), rows))

    def each(self, connection: Connection, rows: Iterable[Row]) -> int:
        """Do as `many` does, with rows whose values are in the order of the parameters."""
        plan = self._plan(connection)
        send(connection)
        with opened_cursor(connection) as cursor:
            cursor.executemany(plan.sql, [plan.values(row) for row in rows])
            return cursor.rowcount

    def _plan(self, connection: Connection) -> _Plan:
        name = connection.dialect.name
        plan = self._plans.get(name)
        if plan is None:
            plan = self._plans[name] = _plan(self._build(name), _dialect(name), self._names)
        return plan


def _dialect(name: str) -> Dialect:
    driver, style = _PARAMETERS[name]
    made: Callable[..., Dialect] = URL.create(driver).get_dialect()
    return made(paramstyle=style)


def _plan(statement: ClauseElement, dialect: Dialect, names: Sequence[str]) -> _Plan:
    """Return `statement` as it is run on `dialect`, with parameters in the order of `names`."""
    compiled = cast("SQLCompiler", statement.compile(dialect=dialect))
    places = compiled.positiontup or []
    constants = [name for name in dict.fromkeys(places) if name not in names]
    known = [*names, *constants]
    types = [compiled.binds[name].type for name in places]
    return _Plan(
        sql=str(compiled),
        order=tuple(known.index(name) for name in places),
        constants=tuple(compiled.params[name] for name in constants),
        binds=_converting(types, lambda kind: kind.dialect_impl(dialect).bind_processor(dialect)),
        results=_converting(
            [column.type for column in getattr(statement, "exported_columns", ())],
            lambda kind: kind.dialect_impl(dialect).result_processor(dialect, None),
        ),
    )


def _converting(
    kinds: Iterable[TypeEngine[Any]], converter: Callable[[TypeEngine[Any]], Convert | None]
) -> tuple[tuple[int, Convert], ...]:
    """Return the places of values that are converted, and how."""
    found = ((place, converter(kind)) for place, kind in enumerate(kinds))
    return tuple((place, convert) for place, convert in found if convert)
