"""Statements past SQLAlchemy's execution layer; those of PostgreSQL travel together.

A round trip to PostgreSQL takes 0.03 ms on a busy connection and 0.3 ms on one that sleeps, because
both ends must be woken. So what is asked there waits until somebody looks at an answer or the
transaction is committed, and then all of it goes in one write (`pipeline`), with the BEGIN before
it and the COMMIT behind it. SQLite answers at once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, Protocol

from sqlalchemy import Connection

from pbm.store import pipeline
from pbm.store.pipeline import Found, Question, Row
from pbm.store.sqlite import note_damage
from pbm.store.trouble import trouble_of

__all__ = ["Answer", "Row", "ask", "asked", "opened_cursor", "say", "send"]

_ASKED = "pbm_asked"


class Cursor(Protocol):
    """What is used of the cursor of SQLite's driver (PEP 249)."""

    rowcount: int

    def execute(self, sql: str, values: Sequence[Any], /) -> object: ...
    def executemany(self, sql: str, rows: Sequence[Sequence[Any]], /) -> object: ...
    def fetchall(self) -> list[Any]: ...
    def close(self) -> None: ...


class Answer:
    """What a statement finds or changes; who looks at it waits for it.

    `convert` makes rows of what the driver has found.
    """

    def __init__(
        self, connection: Connection, sql: str, values: Sequence[Any] = (),
        convert: Callable[[list[Row]], list[Row]] | None = None,
    ) -> None:  # fmt: skip
        self._connection = connection
        self._convert = convert
        self._found: Found | None = None
        self._rows: list[Row] | None = None
        self.question = Question(sql, values)

    def come(self, found: Found) -> None:
        """Take what the statement has found."""
        self._found = found

    @property
    def rows(self) -> list[Row]:
        """The rows that were found."""
        if self._rows is None:
            rows, convert = self._come().rows, self._convert
            self._rows = rows if convert is None else convert(rows)
        return self._rows

    @property
    def changed(self) -> int:
        """How many rows of the table were changed."""
        return self._come().changed

    def _come(self) -> Found:
        if self._found is None:
            send(self._connection)
        if self._found is None:
            raise RuntimeError("the transaction has ended before this was asked")
        return self._found


def ask(answer: Answer, connection: Connection) -> Answer:
    """Ask for `answer` on `connection`: on SQLite now, on PostgreSQL with what is asked next."""
    if connection.dialect.name == "postgresql":
        asked(connection).append(answer)
    else:
        with opened_cursor(connection) as cursor:
            cursor.execute(answer.question.sql, answer.question.values)
            answer.come(Found(cursor.fetchall(), cursor.rowcount))
    return answer


def say(connection: Connection, sql: str) -> None:
    """Run a statement without values that finds nothing, and wait until it has been run."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(sql)
    else:
        ask(Answer(connection, sql), connection)


def asked(connection: Connection) -> list[Answer]:
    """Return what was asked on a connection and not yet sent, in its order."""
    waiting: list[Answer] = connection.info.setdefault(_ASKED, [])
    return waiting


def send(connection: Connection) -> None:
    """Send what was asked, and wait until all of it is answered.

    Raises Conflict, StoreUnavailable, or an error of the driver, for the first that failed; what
    was asked after it is not run.
    """
    waiting = asked(connection)
    if not waiting:
        return
    answers = waiting.copy()
    waiting.clear()
    driver: Any = connection.connection
    try:
        found = pipeline.ask_together(
            driver.dbapi_connection, connection.info, [each.question for each in answers]
        )
    except connection.dialect.loaded_dbapi.Error as error:
        _raise_trouble(connection, driver, error)
    for answer, each in zip(answers, found, strict=True):
        answer.come(each)


@contextmanager
def opened_cursor(connection: Connection) -> Iterator[Cursor]:
    """Open a cursor of SQLite's driver in the transaction of `connection`; errors as `send`'s."""
    driver: Any = connection.connection
    cursor: Cursor = driver.cursor()
    try:
        yield cursor
    except connection.dialect.loaded_dbapi.Error as error:
        _raise_trouble(connection, driver, error)
    finally:
        if not connection.invalidated:
            cursor.close()


def _raise_trouble(connection: Connection, driver: Any, error: Exception) -> NoReturn:
    """Raise what a driver's error means, or the error itself; let go of a lost connection."""
    dialect: Any = connection.dialect
    lost = dialect.is_disconnect(error, driver, None)
    if lost:
        # Or the pool would hand it out again.
        connection.invalidate(error)
    note_damage(connection.engine, error)
    if trouble := trouble_of(error, disconnected=lost):
        raise trouble from error
    raise error
