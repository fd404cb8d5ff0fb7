"""The transactions of PostgreSQL: BEGIN goes with the first statement, COMMIT with the last.

psycopg would wait for each of them. So to the driver every statement is a transaction of its own,
as it is on SQLite, and what begins and ends one is asked like other statements (`asking`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import InvalidatePoolError

from pbm.store.asking import Answer, ask, asked, send
from pbm.store.reach import is_cut

_ALONE = "pbm_alone"

_WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED"
_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


BY_INDEXES = {
    "enable_seqscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""Settings with which PostgreSQL finds rows by indexes, and keeps its plans.

It keeps a plan for as long as the connection. One that was made while a table was small would read
all of it, until the server has looked at the table anew: in a flood, too late. And by itself it
plans most statements anew each time, since to find one row looks cheaper than to find as many as
it guesses. Where there is no index, it thinks that to read all costs so much that it compiles the
statement first, for a third of a second (JIT).
"""


class _Begin(Answer):
    """What begins a transaction."""


def each_alone(connection: Connection) -> Connection:
    """Return `connection` of PostgreSQL set so that it has no transactions, only statements."""
    return connection.execution_options(**{_ALONE: True})


def carry_transactions(engine: Engine, reading: str) -> None:
    """Let `engine` begin and end transactions so; with the option `reading`, they only read."""

    def begin(connection: Connection) -> None:
        asked(connection).clear()
        options = connection.get_execution_options()
        if not options.get(_ALONE, False):
            ask(
                _Begin(connection, _READING if options.get(reading, False) else _WRITING),
                connection,
            )

    event.listen(engine, "connect", _leave_to_us)
    event.listen(engine, "checkout", _replace_if_cut)
    event.listen(engine, "begin", begin)
    event.listen(engine, "before_cursor_execute", _send_first)
    event.listen(engine, "commit", _commit)


def by_indexes(connection: Connection) -> None:
    """Ask that the open transaction finds its rows by indexes."""
    set_within(connection, BY_INDEXES)


def planned_anew(connection: Connection) -> None:
    """Ask that the rest of the open transaction is planned for its values, if that looks better."""
    set_within(connection, {"plan_cache_mode": "auto"})


def set_within(connection: Connection, settings: Mapping[str, str]) -> None:
    """Ask PostgreSQL for these settings until the open transaction ends."""
    if connection.dialect.name == "postgresql":
        told = ", ".join(f"set_config('{name}', '{to}', true)" for name, to in settings.items())
        ask(Answer(connection, f"SELECT {told}"), connection)


def before_commit(engine: Engine, ask_more: Callable[[Connection], None]) -> None:
    """Let `ask_more` ask for something that goes with the COMMIT of each transaction."""
    event.remove(engine, "commit", _commit)
    event.listen(engine, "commit", ask_more)
    event.listen(engine, "commit", _commit)


def _leave_to_us(driver: Any, _record: object) -> None:
    driver.autocommit = True


def _replace_if_cut(driver: Any, _record: object, _pooled: object) -> None:
    """Let the pool replace its connections if a restart of the server has cut one."""
    if is_cut(driver):
        raise InvalidatePoolError


def _send_first(connection: Connection, *_statement: object) -> None:
    send(connection)


def _commit(connection: Connection) -> None:
    """Commit with what was asked last; if all is answered, it is left to the driver."""
    waiting = asked(connection)
    if waiting and isinstance(waiting[-1], _Begin):
        waiting.clear()
    elif waiting:
        ask(Answer(connection, "COMMIT"), connection)
        try:
            send(connection)
        except BaseException:
            # SQLAlchemy takes the transaction for ended, and the connection for clean.
            if not connection.invalidated:
                connection.connection.rollback()
            raise
