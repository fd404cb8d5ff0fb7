"""Statements on the driver's own cursor; those of PostgreSQL travel together.

A round trip to PostgreSQL takes 0.03 ms on a busy connection and 0.3 ms on one that sleeps, because
both ends must be woken. So what is asked there waits until somebody looks at an answer or the
transaction is committed, and then all of it goes in one pipeline (PostgreSQL's manual, section
34.5), with the BEGIN before it and the COMMIT behind it. SQLite answers at once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, Protocol

from sqlalchemy import Connection

from pbm.store.trouble import trouble_of

Row = tuple[Any, ...]

_ASKED = "pbm_asked"


class Cursor(Protocol):
    """What is used of a driver's cursor (PEP 249)."""

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
        self._sql = sql
        self._values = values
        self._convert = convert
        self._cursor: Cursor | None = None
        self._rows: list[Row] | None = None

    def run(self, cursor: Cursor) -> None:
        """Run the statement; in a pipeline, only send it."""
        cursor.execute(self._sql, self._values)
        self._cursor = cursor

    def fetch(self) -> None:
        """Fetch the rows that were found."""
        rows: list[Row] = self._sent().fetchall()
        self._rows = rows if self._convert is None else self._convert(rows)

    @property
    def rows(self) -> list[Row]:
        """The rows that were found."""
        if self._rows is None:
            self.fetch()
        return self._rows or []

    @property
    def changed(self) -> int:
        """How many rows of the table were changed."""
        return self._sent().rowcount

    def _sent(self) -> Cursor:
        if self._cursor is None:
            send(self._connection)
        if self._cursor is None:
            raise RuntimeError("the transaction has ended before this was asked")
        return self._cursor


def ask(answer: Answer, connection: Connection) -> Answer:
    """Ask for `answer` on `connection`: on SQLite now, on PostgreSQL with what is asked next."""
    if connection.dialect.name == "postgresql":
        asked(connection).append(answer)
    else:
        with opened_cursor(connection) as cursor:
            answer.run(cursor)
            answer.fetch()
    return answer


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
    errors = connection.dialect.loaded_dbapi.Error
    try:
        if len(answers) == 1:
            answers[0].run(driver.cursor())
        else:
            _send_together(driver, answers, errors)
    except errors as error:
        _raise_trouble(connection, driver, error)


def _send_together(driver: Any, answers: Sequence[Answer], errors: type[Exception]) -> None:
    """Send these in one pipeline; raise the first error."""
    first: Exception | None = None
    try:
        with driver.pipeline():
            try:
                for answer in answers:
                    answer.run(driver.cursor())
            except errors as error:
                # Left to the pipeline, the others that follow from it would be logged by psycopg.
                first = error
    except errors as error:
        first = first or error
    if first is not None:
        raise first


@contextmanager
def opened_cursor(connection: Connection) -> Iterator[Cursor]:
    """Open a cursor of the driver in the transaction of `connection`; errors as `send`'s."""
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
    if trouble := trouble_of(error, disconnected=lost):
        raise trouble from error
    raise error
