"""Connections and transactions of PostgreSQL; see also tests/hosts."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from pbm.store.driver.database import StoreError, require_sessions
from pbm.store.driver.dialects import trouble_of
from tests.databases import postgres_database, postgres_server
from tests.doors import StoreUnavailable, UnitOfWork, open_batch, open_bell, parse_url
from tests.store.conftest import Opened
from tests.store.samples import NOW, add_players

pytestmark = pytest.mark.postgres

_NAMES = text("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE '_pg3%'")

_PREPARED = text(
    "SELECT count(*), sum(custom_plans) FROM pg_prepared_statements"
    " WHERE statement LIKE '%FROM inbox%'"
)


@pytest.fixture
def connection(postgres_engine: Engine) -> Iterator[Connection]:
    with postgres_engine.connect() as connection:
        yield connection


@pytest.fixture
def engine(postgres_engine: Engine, opened: Opened) -> Engine:
    """Return an engine with one connection and a bell."""
    made = opened(postgres_engine.url.render_as_string(hide_password=False))
    open_bell(made)
    with made.connect():
        pass
    return made


def works(engine: Engine) -> bool:
    """Return whether a statement is answered."""
    with engine.connect() as connection:
        return bool(connection.scalar(text("SELECT 1")))


def test_a_pooler_that_gives_each_transaction_another_session_is_refused(engine: Engine) -> None:
    require_sessions(engine)
    # As PgBouncer does by pool_mode = transaction: who asks next gets the session that is idle.
    shared = sqlalchemy.create_engine(engine.url, poolclass=StaticPool)
    with pytest.raises(StoreError, match="pool_mode = session"):
        require_sessions(shared)
    shared.dispose()


def test_times_are_read_whatever_form_a_role_has_for_them(engine: Engine, opened: Opened) -> None:
    url = engine.url.update_query_dict({"options": "-cdatestyle=german"})
    with opened(url.render_as_string(hide_password=False)).connect() as connection:
        assert connection.scalar(text("SELECT timestamptz '2026-02-01 09:30:00.123456Z'")) == NOW


def test_a_statement_is_prepared_once_for_numbers_of_any_size(connection: Connection) -> None:
    before = connection.scalar(_NAMES)
    for number in (1, 2**20, 2**40) * 4:
        query = text("SELECT CAST(:number AS bigint) * 2")
        assert connection.scalar(query, {"number": number}) == 2 * number
    assert connection.scalar(_NAMES) == (before or 0) + 1


@pytest.mark.parametrize(
    "change", ["DEALLOCATE ALL", "ALTER TABLE kept ALTER number TYPE text"],
    ids=["by a pooler", "by another table"],
)  # fmt: skip
def test_statements_that_the_server_has_lost_are_prepared_anew(engine: Engine, change: str) -> None:
    look = text("SELECT number FROM kept")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE kept (number bigint)"))
        for _ in range(7):  # psycopg prepares what comes again and again
            assert connection.execute(look).all() == []
    with engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        driver: Any = connection.connection.dbapi_connection
        driver.pgconn.exec_(change.encode())  # psycopg does not hear of it
    with pytest.raises((StoreUnavailable, DBAPIError)), engine.begin() as connection:
        connection.execute(look)
    with engine.begin() as connection:
        assert connection.execute(look).all() == []
        connection.execute(text("DROP TABLE kept"))


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


def test_an_interrupted_connection_is_not_used_again(engine: Engine) -> None:
    with pytest.raises(InterruptionError), interrupting(0.05), engine.connect() as connection:
        connection.execute(text("SELECT pg_sleep(60)"))
    assert works(engine)


def test_a_connection_that_the_server_ends_is_an_outage(engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(StoreUnavailable):
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid(), 100)"))
    assert works(engine)


def test_statements_and_plans_are_kept_while_nothing_is_to_be_done(engine: Engine) -> None:
    for _ in range(7):
        with open_batch(engine) as batch:
            assert batch.claim(64) == ()
        with UnitOfWork(engine, write=False) as unit:
            assert not unit.follow_ups.wait()
    with engine.connect() as connection:
        assert connection.execute(_PREPARED).one() == (1, 0)


def test_what_has_no_index_is_not_compiled_first(engine: Engine) -> None:
    plan = text("EXPLAIN (ANALYZE, FORMAT JSON) SELECT error FROM outbox WHERE error <> ''")
    with open_batch(engine) as batch:
        (told,) = batch.read(plan).scalar_one()
    assert told["Plan"]["Node Type"] == "Seq Scan"
    assert "JIT" not in told


def test_the_connection_that_came_back_last_is_used_next(engine: Engine) -> None:
    pid = text("SELECT pg_backend_pid()")
    with engine.connect() as last, engine.connect() as first:
        first.close()
        number = last.scalar(pid)
    with engine.connect() as connection:
        assert connection.scalar(pid) == number


def test_a_lease_does_not_wait_for_the_disk_and_what_comes_after_it_does(engine: Engine) -> None:
    synced = text("SHOW synchronous_commit")
    # The databases of the tests wait for no disk.
    with engine.begin() as connection:
        connection.exec_driver_sql("SET synchronous_commit TO ON")
    with UnitOfWork(engine) as unit:
        unit.outbox.claim(100, "host:1:x", NOW, NOW)
        assert unit.connection.scalar(synced) == "off"
        unit.commit()
    with UnitOfWork(engine) as unit:
        assert unit.connection.scalar(synced) == "on"


def test_the_texts_of_mails_are_compressed_quickly_or_not_at_all(connection: Connection) -> None:
    kept = connection.execute(
        text(
            "SELECT attcompression, attstorage FROM pg_attribute WHERE attname = 'content'"
            " AND attrelid IN ('inbox_texts'::regclass, 'outbox_texts'::regclass)"
        )
    ).all()
    assert len(kept) == 2
    for compression, storage in kept:
        assert compression in ("l", b"l") or storage in ("e", b"e")


@pytest.fixture
def url() -> Iterator[str]:
    """Yield a database of its own, for both ends of a connection to give the other one up."""
    with postgres_database(postgres_server()) as made:
        yield made


def test_what_the_url_says_beats_what_libpq_is_told_otherwise(url: str, opened: Opened) -> None:
    def told(options: str, name: str) -> str:
        with opened(url + options).connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            return str(driver.info.get_parameters()[name])

    assert told("", "tcp_user_timeout") == "10000"
    assert told("?tcp_user_timeout=30000", "tcp_user_timeout") == "30000"
    assert told("?tcp_user_timeout=30000", "keepalives_idle") == "5"


def test_the_server_is_told_in_every_transaction_even_after_one_was_undone(engine: Engine) -> None:
    for _ in range(2):
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            connection.rollback()
            assert connection.scalar(text("SHOW tcp_user_timeout")) == "15000"
            assert connection.scalar(text("SHOW idle_in_transaction_session_timeout")) == "1min"
            assert connection.scalar(text("SHOW lock_timeout")) == "20s"


def test_a_transaction_that_is_frozen_is_undone_and_its_owner_meets_an_outage(
    engine: Engine,
) -> None:
    with engine.connect() as frozen, engine.connect() as other:
        frozen.execute(text("SET LOCAL idle_in_transaction_session_timeout = '50ms'"))
        frozen.execute(text("SELECT pg_advisory_xact_lock(1)"))
        # It waits until the lock is free.
        other.execute(text("SELECT pg_advisory_xact_lock(1)"))
        with pytest.raises(StoreUnavailable):
            frozen.execute(text("SELECT 1"))
    assert works(engine)


def test_who_waits_for_a_lock_that_somebody_keeps_is_told_so_after_a_while(engine: Engine) -> None:
    with engine.connect() as somebody, engine.connect() as other:
        somebody.execute(text("LOCK TABLE inbox"))
        other.execute(text("SET LOCAL lock_timeout = '50ms'"))
        with pytest.raises(StoreUnavailable, match="another process keeps it locked"):
            other.execute(text("SELECT * FROM inbox"))


@pytest.mark.parametrize(
    "url", ["postgres://u@h/d", "postgresql://u@h/d", "postgresql+psycopg://u@h/d"]
)
def test_postgresql_is_reached_by_psycopg_however_the_url_is_spelled(url: str) -> None:
    assert parse_url(url).drivername == "postgresql+psycopg"


def test_a_database_that_does_not_answer_is_an_outage(opened: Opened) -> None:
    engine = opened("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable), UnitOfWork(engine):
        pass


def test_a_cut_connection_is_an_outage_and_the_next_unit_of_work_has_a_new_one(
    engine: Engine, postgres_engine: Engine
) -> None:
    pids: list[Any] = []
    event.listen(
        engine, "begin", lambda c: pids.append(c.connection.driver_connection.info.backend_pid)
    )

    def cut() -> None:
        with postgres_engine.connect() as connection:
            end = text(f"SELECT pg_terminate_backend({pids[-1]}, 5000)")
            assert connection.execute(end).scalar_one()

    def find_cut(unit: UnitOfWork) -> None:
        cut()
        unit.players.by_userid("alice")

    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable):
        find_cut(unit)
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable), unit.savepoint():
        find_cut(unit)
    with UnitOfWork(engine) as unit:
        unit.players.by_userid("alice")
    cut()
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.ReadOnlySqlTransaction("it is a standby"),
        psycopg.errors.LockNotAvailable("lock_timeout"),
        psycopg.errors.InsufficientPrivilege("its owner is another role"),
        psycopg.errors.DataCorrupted("invalid page"),
    ],
)
def test_what_only_the_operator_can_mend_is_an_outage(error: psycopg.Error) -> None:
    assert isinstance(trouble_of(error, disconnected=False), StoreUnavailable)
