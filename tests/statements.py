"""Count the statements that reach a database, whoever sends them.

The cursors of both drivers are replaced by ones that count, so a statement that goes past
SQLAlchemy is counted too. One for many rows (executemany, COPY) counts once.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, event


@dataclass(slots=True)
class Count:
    """How many statements were run since the beginning."""

    statements: int = 0


@contextmanager
def counting() -> Iterator[Count]:
    """Count the statements of all connections that are opened while the block runs."""
    count = Count()

    def connect(_dialect: Any, _record: Any, _arguments: Any, parameters: dict[str, Any]) -> None:
        if _dialect.name == "sqlite":
            parameters["factory"] = _sqlite_connection(count)
        else:
            parameters["cursor_factory"] = _postgresql_cursor(count)

    event.listen(Engine, "do_connect", connect)
    try:
        yield count
    finally:
        event.remove(Engine, "do_connect", connect)


def _sqlite_connection(count: Count) -> type[sqlite3.Connection]:
    class CountingCursor(sqlite3.Cursor):
        def execute(self, *arguments: Any) -> "CountingCursor":
            count.statements += 1
            super().execute(*arguments)
            return self

        def executemany(self, *arguments: Any) -> "CountingCursor":
            count.statements += 1
            super().executemany(*arguments)
            return self

    class CountingConnection(sqlite3.Connection):
        def cursor(self, *_arguments: Any) -> Any:
            return super().cursor(CountingCursor)

    return CountingConnection


def _postgresql_cursor(count: Count) -> Any:
    import psycopg  # noqa: PLC0415 - an extra

    class CountingCursor(psycopg.Cursor[Any]):
        def execute(self, *arguments: Any, **options: Any) -> "CountingCursor":
            count.statements += 1
            super().execute(*arguments, **options)
            return self

        def executemany(self, *arguments: Any, **options: Any) -> None:
            count.statements += 1
            super().executemany(*arguments, **options)

        def copy(self, *arguments: Any, **options: Any) -> Any:
            count.statements += 1
            return super().copy(*arguments, **options)

    return CountingCursor
