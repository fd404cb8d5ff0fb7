"""The cost of a piece of work: statements and round trips of a database, calls of a function.

The cursors of both drivers are replaced by ones that count, so a statement that goes past
SQLAlchemy is counted too. One for many rows (executemany, COPY) counts once. Round trips are
counted in the driver's own record of its messages to PostgreSQL: how often something is sent, and
then answered.
"""

import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from tempfile import TemporaryFile
from types import CodeType, FrameType
from typing import Any, BinaryIO

from sqlalchemy import Engine, event

_MESSAGE = re.compile(r"^([FB])\t\d+\t\w", re.MULTILINE)
"""The notes of libpq on each message: F before one to the server, B before one that comes back."""


@dataclass(slots=True)
class Meter:
    """Everything that has reached the databases since the beginning."""

    messages: BinaryIO
    statements: int = 0

    @property
    def trips(self) -> int:
        """The round trips to PostgreSQL."""
        self.messages.seek(0)
        told = self.messages.read().decode("latin-1")
        return [end for end, _ in groupby(_MESSAGE.findall(told))].count("F")

    def cost(self, work: Callable[[], object]) -> tuple[int, int]:
        """Return the statements and the round trips that `work` takes."""
        statements, trips = self.statements, self.trips
        work()
        return self.statements - statements, self.trips - trips


@contextmanager
def measuring() -> Iterator[Meter]:
    """Count on all connections that are opened while the block runs."""

    def connect(dialect: Any, _record: Any, _arguments: Any, parameters: dict[str, Any]) -> None:
        if dialect.name == "sqlite":
            parameters["factory"] = _sqlite_connection(meter)
        else:
            parameters["cursor_factory"] = _postgresql_cursor(meter)

    def connected(driver: Any, _record: object) -> None:
        if not isinstance(driver, sqlite3.Connection):
            driver.pgconn.trace(file.fileno())
            driver.pgconn.set_trace_flags(1)  # without the time

    with TemporaryFile("ab+") as file:
        meter = Meter(file)
        event.listen(Engine, "do_connect", connect)
        event.listen(Engine, "connect", connected)
        try:
            yield meter
        finally:
            event.remove(Engine, "do_connect", connect)
            event.remove(Engine, "connect", connected)


def _sqlite_connection(meter: Meter) -> type[sqlite3.Connection]:
    class CountingCursor(sqlite3.Cursor):
        def execute(self, *arguments: Any) -> "CountingCursor":
            meter.statements += 1
            super().execute(*arguments)
            return self

        def executemany(self, *arguments: Any) -> "CountingCursor":
            meter.statements += 1
            super().executemany(*arguments)
            return self

    class CountingConnection(sqlite3.Connection):
        def cursor(self, *_arguments: Any) -> Any:
            return super().cursor(CountingCursor)

    return CountingConnection


def _postgresql_cursor(meter: Meter) -> Any:
    import psycopg  # noqa: PLC0415 - an extra

    class CountingCursor(psycopg.Cursor[Any]):
        def execute(self, *arguments: Any, **options: Any) -> "CountingCursor":
            meter.statements += 1
            super().execute(*arguments, **options)
            return self

        def executemany(self, *arguments: Any, **options: Any) -> None:
            meter.statements += 1
            super().executemany(*arguments, **options)

        def copy(self, *arguments: Any, **options: Any) -> Any:
            meter.statements += 1
            return super().copy(*arguments, **options)

    return CountingCursor


def calls_of(function: Callable[..., object], work: Callable[[], object]) -> int:
    """Return how often `work` calls `function`."""
    code: CodeType = function.__code__
    count = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is code

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
