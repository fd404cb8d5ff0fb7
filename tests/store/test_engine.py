"""How a database is opened, and which of its errors call for another try."""

import sqlite3
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError

from pbm.service.ports import StoreUnavailable
from pbm.store.database import StoreError, create_engine, parse_url
from pbm.store.dialects import trouble_of
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import add_players


def test_sqlite_is_durable_and_checks_references(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    with engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        }
    engine.dispose()
    # synchronous 2 is FULL, secure_delete 1 is ON.
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
    }


def test_a_new_sqlite_file_and_its_folder_are_made_for_the_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "var" / "deep" / "pbm.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER)"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
    engine.dispose()
    assert modes == {"pbm.db": 0o600, "pbm.db-wal": 0o600, "pbm.db-shm": 0o600}


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"pbm\.db cannot be opened: "):
        create_engine(f"sqlite:///{tmp_path / 'file' / 'pbm.db'}")


@pytest.mark.parametrize(
    "url", ["postgres://u@h/d", "postgresql://u@h/d", "postgresql+psycopg://u@h/d"]
)
def test_postgresql_is_reached_by_psycopg_however_the_url_is_spelled(url: str) -> None:
    assert parse_url(url).drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://user:secret@host/name", "SQLite or PostgreSQL, not in mysql"),
        ("secret", "cannot be read; it is like sqlite:///"),
        ("sqlite://", "not a SQLite file"),
        ("sqlite:///:memory:", "not a SQLite file"),
    ],
)
def test_another_url_is_refused_without_repeating_it(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence) as caught:
        create_engine(url)
    assert "secret" not in str(caught.value)


def test_a_writer_that_waits_too_long_finds_the_store_unavailable(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url, patience=0.1)
    with (
        UnitOfWork(engine),
        pytest.raises(StoreUnavailable, match="another process keeps it locked, or its disk"),
        UnitOfWork(engine),
    ):
        pass
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")
    engine.dispose()


def test_a_writer_that_waits_too_long_for_another_process_finds_the_store_unavailable(
    sqlite_url: str,
) -> None:
    # Writers of two engines do not queue up before they ask SQLite.
    other, engine = create_engine(sqlite_url), create_engine(sqlite_url, patience=0.01)
    with (
        UnitOfWork(other),
        pytest.raises(StoreUnavailable, match="another process keeps it locked"),
        UnitOfWork(engine),
    ):
        pass
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")
    for each in (other, engine):
        each.dispose()


def test_a_reader_neither_waits_for_a_writer_nor_sees_half_of_its_work(engine: Engine) -> None:
    with UnitOfWork(engine) as writer, UnitOfWork(engine, write=False) as reader:
        add_players(writer, "alice")
        assert list(reader.players.listing()) == []
        writer.commit()
        assert list(reader.players.listing()) == []
    with UnitOfWork(engine, write=False) as reader:
        assert [player.userid for player in reader.players.listing()] == ["alice"]


def test_a_reader_cannot_commit(engine: Engine) -> None:
    with (
        UnitOfWork(engine, write=False) as unit,
        pytest.raises(RuntimeError, match="nothing to commit"),
    ):
        unit.commit()


def test_a_connection_that_has_read_can_write_the_next_time(engine: Engine) -> None:
    for _ in range(2):
        with UnitOfWork(engine, write=False) as reader:
            reader.players.by_userid("alice")
        with UnitOfWork(engine) as writer:
            add_players(writer, "alice")


def test_a_full_disk_is_an_outage_and_not_a_bug(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=40"))
    names = [f"player{number}" for number in range(10_000)]
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable):
        add_players(unit, *names)
    engine.dispose()


def test_a_database_that_does_not_answer_is_an_outage() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable), UnitOfWork(engine):
        pass
    engine.dispose()


@pytest.mark.postgres
def test_a_cut_connection_is_an_outage_and_the_next_unit_of_work_has_a_new_one(
    postgres_engine: Engine,
) -> None:
    url = postgres_engine.url.render_as_string(hide_password=False)
    engine = create_engine(url)
    pids: list[Any] = []
    event.listen(
        engine, "begin", lambda c: pids.append(c.connection.driver_connection.info.backend_pid)
    )
    with UnitOfWork(engine) as unit:
        _terminate(postgres_engine, pids[-1])
        with pytest.raises(StoreUnavailable):
            unit.players.by_userid("alice")
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable), unit.savepoint():
        _find_cut(unit, postgres_engine, pids[-1])
    with UnitOfWork(engine) as unit:
        unit.players.by_userid("alice")
    _terminate(postgres_engine, pids[-1])
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")
    engine.dispose()


def _find_cut(unit: UnitOfWork, engine: Engine, pid: int) -> None:
    _terminate(engine, pid)
    unit.players.by_userid("alice")


def _terminate(engine: Engine, pid: int) -> None:
    with engine.connect() as connection:
        assert connection.execute(text(f"SELECT pg_terminate_backend({pid}, 5000)")).scalar_one()


def test_a_bug_is_no_outage(begin: Begin, engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(DBAPIError):
        connection.execute(text("SELECT nonsense FROM nowhere"))
    with begin() as unit, pytest.raises(DBAPIError):
        unit.players.set_addresses(4711, ["a@b.cd"])


def test_the_driver_never_begins_or_commits_on_its_own(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), timeout=0)
    with UnitOfWork(engine), pytest.raises(sqlite3.OperationalError, match="locked"):
        # The write lock is taken before the first statement of the unit of work.
        other.execute("BEGIN IMMEDIATE")
    other.close()
    engine.dispose()


def test_a_process_that_is_told_to_end_in_a_statement_meets_no_outage(
    begin: Begin, engine: Engine
) -> None:
    def told_to_end(*_: object) -> None:
        sys.exit(143)

    event.listen(engine, "do_execute", told_to_end)
    try:
        with pytest.raises(SystemExit), begin() as unit:
            unit.next_number()
    finally:
        event.remove(engine, "do_execute", told_to_end)


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.ReadOnlySqlTransaction("it is a standby"),
        psycopg.errors.LockNotAvailable("lock_timeout"),
        psycopg.errors.InsufficientPrivilege("its owner is another role"),
        psycopg.errors.DataCorrupted("invalid page"),
    ],
)
def test_what_only_the_operator_of_postgresql_can_mend_is_an_outage(error: psycopg.Error) -> None:
    assert isinstance(trouble_of(error, disconnected=False), StoreUnavailable)
