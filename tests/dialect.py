"""SQLite's dialect for a process that opens a thousand databases of the same tables.

SQLAlchemy compiles each statement once for an engine. A server has one engine, but each test has
its own, and would compile the same statements again.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

COMPILED: dict[Any, Any] = {}
"""The statements that this process has compiled, by what SQLAlchemy knows them by."""


class SharingDialect(SQLiteDialect_pysqlite):
    """The usual dialect, but what was compiled for one engine is found by the others."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=COMPILED)


def share_statements() -> None:
    """Make every engine of SQLite that this process opens from here on share its statements."""
    registry.register("sqlite", __name__, SharingDialect.__name__)
