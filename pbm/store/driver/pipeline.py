"""Statements that go to PostgreSQL together, and whose answers are read together.

A round trip to PostgreSQL takes 0.03 ms on a busy connection and 0.3 ms on one that sleeps, because
both ends must be woken. So what is asked waits until somebody looks at an answer or the transaction
is committed. Then all of it goes through a pipeline of psycopg's, with the BEGIN before it and the
COMMIT behind it: psycopg itself would wait for both, so to it every statement is a transaction of
its own. A lone move waits nine times until its answers are leased; statement by statement it would
be 38 times. SQLAlchemy alone carried 765 moves a second the whole way (four processes, text, two
rounds), one statement at a time 857, this 907.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from sqlalchemy import Connection, Engine, event

from pbm.store.driver.dialects import trouble_of

Row = tuple[Any, ...]

_ASKED, _ALONE = "pbm_asked", "pbm_alone"

_WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED"
_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_UNPREPARED = frozenset({"0A000", "26000"})
"""The errors of a prepared statement whose table has changed, or that PostgreSQL does not know (its
manual, appendix A). A new connection prepares its own."""


class Answer:
    """The rows that a statement finds, and how many it changes; to look at them is to wait."""

    def __init__(
        self, connection: Connection, sql: str, values: Any = None,
        read: Callable[[list[Row]], list[Row]] = lambda rows: rows, *, prepare: bool = False,
    ) -> None:  # fmt: skip
        self._connection = connection
        self._read = read
        self._found: tuple[list[Row], int] | None = None
        self.question = sql, values, prepare

    def come(self, cursor: Any) -> None:
        """Take what the statement has found."""
        rows = cursor.fetchall() if cursor.description else []
        self._found = self._read(rows), cursor.rowcount

    @property
    def rows(self) -> list[Row]:
        """The rows that were found."""
        return self._waited_for()[0]

    @property
    def changed(self) -> int:
        """The number of rows of the table that were changed."""
        return self._waited_for()[1]

    def _waited_for(self) -> tuple[list[Row], int]:
        if self._found is None:
            send(self._connection)
        if self._found is None:
            raise RuntimeError("the transaction has ended before this was asked")
        return self._found


class _Begin(Answer):
    """The statement that begins a transaction."""


def ask(answer: Answer, connection: Connection) -> Answer:
    """Ask for `answer` with what is asked next."""
    _asked(connection).append(answer)
    return answer


def forget(connection: Connection) -> None:
    """Do not send what was asked and is not yet sent."""
    _asked(connection).clear()


def send(connection: Connection) -> None:
    """Send what was asked, and wait until all of it is answered.

    Raises Conflict, StoreUnavailable, or an error of psycopg's, for the first that failed; what
    was asked after it is not run.
    """
    waiting = _asked(connection).copy()
    if not waiting:
        return
    forget(connection)
    driver: Any = connection.connection.dbapi_connection
    cursors = [driver.cursor(binary=True) for _ in waiting]
    try:
        with driver.pipeline():
            for cursor, (sql, values, prepare) in zip(
                cursors, [each.question for each in waiting], strict=True
            ):
                cursor.execute(sql, values, prepare=prepare or None)
        for answer, cursor in zip(waiting, cursors, strict=True):
            answer.come(cursor)
    except connection.dialect.loaded_dbapi.Error as error:
        _raise_trouble(connection, driver, error)


def _raise_trouble(connection: Connection, driver: Any, error: Exception) -> NoReturn:
    """Raise what an error of psycopg's means, or the error itself; let go of a lost connection."""
    dialect: Any = connection.dialect
    if driver.pgconn.pipeline_status:
        # Answers are still on their way, which psycopg may say in place of the reason.
        driver.close()
        reason = error.__context__ or error
        if not isinstance(reason, dialect.loaded_dbapi.Error):
            raise reason from None
        error = reason
    lost = driver.closed or dialect.is_disconnect(error, driver, None)
    lost = lost or getattr(error, "sqlstate", None) in _UNPREPARED
    if lost:
        # Or the pool would hand it out again.
        connection.invalidate(error)
    if trouble := trouble_of(error, disconnected=lost):
        raise trouble from error
    raise error


def _asked(connection: Connection) -> list[Answer]:
    waiting: list[Answer] = connection.info.setdefault(_ASKED, [])
    return waiting


def each_alone(connection: Connection) -> Connection:
    """Return `connection` of PostgreSQL set so that it has no transactions, only statements."""
    return connection.execution_options(**{_ALONE: True})


def carry_transactions(engine: Engine, reading: str) -> None:
    """Let `engine` begin and end transactions so; with the option `reading`, they only read."""

    def begin(connection: Connection) -> None:
        forget(connection)
        options = connection.get_execution_options()
        if not options.get(_ALONE, False):
            sql = _READING if options.get(reading, False) else _WRITING
            ask(_Begin(connection, sql), connection)

    event.listen(engine, "connect", _leave_to_us)
    event.listen(engine, "begin", begin)
    event.listen(engine, "before_cursor_execute", lambda connection, *_: send(connection))
    event.listen(engine, "commit", _commit)


def before_commit(engine: Engine, ask_more: Callable[[Connection], None]) -> None:
    """Let `ask_more` ask for something that goes with the COMMIT of each transaction."""
    event.remove(engine, "commit", _commit)
    event.listen(engine, "commit", ask_more)
    event.listen(engine, "commit", _commit)


def _leave_to_us(driver: Any, _record: object) -> None:
    driver.autocommit = True
    driver.prepared_max = 500  # there are about a hundred statements


def _commit(connection: Connection) -> None:
    """Commit with what was asked last; if all is answered, it is left to the driver."""
    waiting = _asked(connection)
    if waiting and isinstance(waiting[-1], _Begin):
        forget(connection)
    elif waiting:
        ask(Answer(connection, "COMMIT"), connection)
        try:
            send(connection)
        except BaseException:
            # SQLAlchemy takes the transaction for ended, and the connection for clean.
            if not connection.invalidated:
                connection.connection.rollback()
            raise
