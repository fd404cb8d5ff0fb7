"""INSERT ... ON CONFLICT, which SQLite and PostgreSQL both have and SQLAlchemy spells twice."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects import postgresql, sqlite

Insert = postgresql.Insert | sqlite.Insert
Statements = Mapping[str, Executable]
"""One statement in each database's own form, by the name of its dialect."""

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


def replacing(table: Table) -> Statements:
    """Return, by dialect, what stores a row of `table`, replacing one with the same key."""
    keys = [column.name for column in table.primary_key]

    def finish(start: Insert) -> Executable:
        rest = {c.name: start.excluded[c.name] for c in table.columns if not c.primary_key}
        return start.on_conflict_do_update(index_elements=keys, set_=rest)

    return in_each_dialect(table, finish)
