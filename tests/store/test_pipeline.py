"""Statements that go to PostgreSQL together: what they find, and what may go wrong on the way."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, text

from pbm.service.ports import StoreUnavailable
from pbm.store.pipeline import Answer, ask

pytestmark = pytest.mark.postgres

_NAMES = text("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE '_pg3%'")

_BACKEND = text("SELECT pg_backend_pid()")


@pytest.fixture
def connection(postgres_engine: Engine) -> Iterator[Connection]:
    with postgres_engine.connect() as connection:
        yield connection


def asked(connection: Connection, sql: str, *values: Any) -> Answer:
    return ask(Answer(connection, sql, values, prepare=True), connection)


class InterruptionError(Exception):
    """A signal came while a statement was on its way."""


@contextmanager
def interrupting(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise InterruptionError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_values_of_all_kinds_come_back_as_they_went(connection: Connection) -> None:
    moment = datetime(2026, 11, 22, 20, 5, 7, 89, tzinfo=UTC)
    for values in ((7, "wörd", b"\0\xff", moment), (None, None, None, None)):
        found = asked(
            connection, "SELECT %s::bigint, %s::text, %s::bytea, %s::timestamptz", *values
        )
        assert found.rows == [values]
    lists = asked(connection, "SELECT %s::bigint[], %s::text[]", [1, 2], ["a", None])
    assert lists.rows == [([1, 2], ["a", None])]


def test_each_statement_tells_how_many_rows_it_has_changed(connection: Connection) -> None:
    asked(connection, "CREATE TEMPORARY TABLE numbers (number bigint) ON COMMIT DROP")
    added = asked(connection, "INSERT INTO numbers SELECT generate_series(1, %s::bigint)", 5)
    changed = asked(connection, "UPDATE numbers SET number = 0 WHERE number > %s::bigint", 3)
    left = asked(connection, "SELECT number FROM numbers WHERE number > 0 ORDER BY number")
    assert (added.changed, changed.changed, left.rows) == (5, 2, [(1,), (2,), (3,)])


def test_more_than_both_sockets_hold_goes_each_way_at_once(connection: Connection) -> None:
    mail = b"x" * 3_000_000
    answers = [asked(connection, "SELECT %s::bytea, %s::bigint", mail, n) for n in range(8)]
    assert [answer.rows for answer in answers] == [[(mail, n)] for n in range(8)]


def test_a_value_that_cannot_be_sent_leaves_the_connection_as_it_was(
    postgres_engine: Engine,
) -> None:
    error = postgres_engine.dialect.loaded_dbapi.DataError
    with postgres_engine.connect() as connection:
        number = connection.scalar(_BACKEND)
    with postgres_engine.connect() as connection:
        first = asked(connection, "SELECT 1")
        with pytest.raises(error):
            _ = asked(connection, "SELECT %s::text", "a\0b").rows
        with pytest.raises(RuntimeError):
            _ = first.rows
    with postgres_engine.connect() as connection:
        assert connection.scalar(_BACKEND) == number


def test_what_comes_after_an_error_is_not_run(postgres_engine: Engine) -> None:
    error = postgres_engine.dialect.loaded_dbapi.ProgrammingError
    with postgres_engine.connect() as connection:
        asked(connection, "SELECT nothing FROM nowhere")
        last = asked(connection, "SELECT 1")
        with pytest.raises(error, match="nowhere"):
            _ = last.rows
    with postgres_engine.connect() as connection:
        assert asked(connection, "SELECT 1").rows == [(1,)]


def test_a_statement_is_prepared_once_for_values_of_the_same_types(connection: Connection) -> None:
    before = connection.scalar(_NAMES)
    for number in range(3):
        assert asked(connection, "SELECT %s::bigint * 2", number).rows == [(2 * number,)]
    assert connection.scalar(_NAMES) == (before or 0) + 1


@pytest.mark.parametrize(
    "change", ["DEALLOCATE ALL", "ALTER TABLE kept ALTER number TYPE text"],
    ids=["by a pooler", "by another table"],
)  # fmt: skip
def test_statements_that_the_server_has_lost_are_prepared_anew(
    postgres_engine: Engine, change: str
) -> None:
    look = "SELECT number FROM kept"
    with postgres_engine.begin() as connection:
        connection.execute(text("CREATE TABLE kept (number bigint)"))
        assert asked(connection, look).rows == []
    with postgres_engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        driver: Any = connection.connection.dbapi_connection
        driver.pgconn.exec_(change.encode())  # psycopg does not hear of it
    with (
        pytest.raises((StoreUnavailable, postgres_engine.dialect.loaded_dbapi.Error)),
        postgres_engine.begin() as connection,
    ):
        _ = asked(connection, look).rows
    with postgres_engine.begin() as connection:
        assert asked(connection, look).rows == []
        connection.execute(text("DROP TABLE kept"))


def test_an_interrupted_connection_is_not_used_again(postgres_engine: Engine) -> None:
    with (
        pytest.raises(InterruptionError),
        interrupting(0.05),
        postgres_engine.connect() as connection,
    ):
        _ = asked(connection, "SELECT pg_sleep(60)").rows
    with postgres_engine.connect() as connection:
        assert asked(connection, "SELECT 1").rows == [(1,)]


def test_a_connection_that_the_server_ends_is_an_outage(postgres_engine: Engine) -> None:
    with postgres_engine.connect() as connection:
        asked(connection, "SELECT pg_terminate_backend(pg_backend_pid(), 100)")
        last = asked(connection, "SELECT 2")
        with pytest.raises(StoreUnavailable):
            _ = last.rows
    with postgres_engine.connect() as connection:
        assert asked(connection, "SELECT 1").rows == [(1,)]


def test_an_error_that_leaves_answers_on_their_way_is_its_own_reason(
    postgres_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that shuts down says so before its end of the connection is seen."""
    shutdown = psycopg.errors.AdminShutdown("terminating connection")

    def leave(_pipeline: psycopg.Pipeline, *_error: object) -> None:
        try:
            raise shutdown
        finally:
            raise psycopg.OperationalError("cannot exit pipeline mode while busy")

    with postgres_engine.connect() as connection:
        connection.execute(text("SELECT 1"))
        answer = asked(connection, "SELECT 1")
        with monkeypatch.context() as patched:
            patched.setattr(psycopg.Pipeline, "__exit__", leave)
            with pytest.raises(StoreUnavailable, match="terminating"):
                _ = answer.rows
    with postgres_engine.connect() as connection:
        assert asked(connection, "SELECT 1").rows == [(1,)]
