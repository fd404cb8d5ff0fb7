"""Files of SQLite: durable, private, locked in turn, and never silently another one."""

import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text

from pbm.domain.mail import OutgoingMail
from pbm.store.driver.sqlite import WriterQueue
from tests.doors import (
    IntakeUnavailable,
    StoreError,
    StoreUnavailable,
    UnitOfWork,
    empty_wal,
    letterbox,
    migrations,
    open_batch,
)
from tests.store.conftest import Opened
from tests.store.samples import MINUTE, NOW, a_mail, add_players, an_answer


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def engine(sqlite_url: str, opened: Opened) -> Engine:
    return opened(sqlite_url)


def test_sqlite_is_durable_checks_references_and_overwrites_what_is_deleted(engine: Engine) -> None:
    # synchronous 2 is FULL.
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    with engine.connect() as connection:
        for name, value in expected.items():
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() == value


def test_a_new_file_and_its_folder_are_made_for_the_owner_alone(
    tmp_path: Path, opened: Opened
) -> None:
    folder = tmp_path / "var" / "deep"
    with opened(f"sqlite:///{folder / 'pbm.db'}").begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER)"))
        modes = {path.name: mode(path) for path in folder.iterdir()}
    assert modes == {"pbm.db": 0o600, "pbm.db-wal": 0o600, "pbm.db-shm": 0o600}


def test_the_file_of_the_claims_is_its_owners_and_stays_empty(
    engine: Engine, tmp_path: Path
) -> None:
    letterbox(engine).put([a_mail(b"one"), a_mail(b"two")])
    with open_batch(engine) as batch:
        assert len(batch.claim(10)) == 2
    file = tmp_path / "pbm.db-claims"
    assert (file.stat().st_size, mode(file)) == (0, 0o600)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://user:secret@host/name", "SQLite or PostgreSQL, not in mysql"),
        ("secret", "cannot be read; it is like sqlite:///"),
        ("sqlite://", "not a SQLite file"),
        ("sqlite:///:memory:", "not a SQLite file"),
        ("sqlite:////dev/null/pbm.db", r"pbm\.db cannot be opened: "),
    ],
)
def test_a_url_that_cannot_be_opened_is_refused_without_repeating_it(
    url: str, sentence: str, opened: Opened
) -> None:
    with pytest.raises(StoreError, match=sentence) as caught:
        opened(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_writer_that_waits_too_long_finds_the_store_unavailable(
    sqlite_url: str, opened: Opened, *, elsewhere: bool
) -> None:
    # Writers of two engines do not queue up before they ask SQLite.
    other = opened(sqlite_url, patience=0.01)
    engine = opened(sqlite_url, patience=0.01) if elsewhere else other
    locked = pytest.raises(StoreUnavailable, match="another process keeps it locked")
    with UnitOfWork(other), locked, UnitOfWork(engine):
        pass
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")


def test_a_full_disk_is_an_outage_and_not_a_bug(engine: Engine) -> None:
    event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=60"))
    with pytest.raises(IntakeUnavailable):
        letterbox(engine).put([a_mail(bytes(1_000_000))])
    letterbox(engine).put([a_mail(b"small")])
    names = [f"player{number}" for number in range(10_000)]
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable):
        add_players(unit, *names)
    # SQLite may end the transaction by itself, and the savepoint with it.
    huge = [OutgoingMail("pbm@x.org", "a@x.org", "<1@x.org>", bytes(1_000_000))]
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable), unit.savepoint():
        unit.outbox.add(huge, NOW)
    with UnitOfWork(engine) as unit:
        assert (unit.inbox.waiting(), unit.outbox.listing()) == (1, ())
        assert list(unit.players.listing()) == []


def test_the_write_lock_is_taken_before_the_first_statement(
    engine: Engine, sqlite_url: str
) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), timeout=0)) as other:
        locked = pytest.raises(sqlite3.OperationalError, match="locked")
        with UnitOfWork(engine), locked:
            other.execute("BEGIN IMMEDIATE")


def test_a_waiting_writer_goes_before_one_that_comes_back() -> None:
    """So a flood at one stage of a process locks no other stage out."""
    queue = WriterQueue(patience=20)
    order: list[str] = []

    def wait() -> None:
        queue.enter()
        order.append("waited")
        queue.leave()

    queue.enter()
    waits = threading.Thread(target=wait)
    waits.start()
    while not queue._waiting:
        pass
    queue.leave()
    queue.enter()
    order.append("came back")
    waits.join(20)
    assert order == ["waited", "came back"]


def test_a_writer_that_gives_up_its_turn_keeps_nobody_out() -> None:
    queue = WriterQueue(patience=0.01)
    queue.enter()
    with pytest.raises(StoreUnavailable):
        queue.enter()
    queue.leave()
    queue.enter()


@pytest.mark.parametrize("way_out", ["commit", "rollback", "exception"])
def test_the_turn_ends_on_every_way_out(engine: Engine, way_out: str) -> None:
    for _ in range(2):
        with suppress(ZeroDivisionError), UnitOfWork(engine) as work:
            work.next_number()
            if way_out == "commit":
                work.commit()
            elif way_out == "exception":
                _ = 1 // 0
    with UnitOfWork(engine) as first, UnitOfWork(engine, write=False) as second:
        assert first.next_number() >= 101
        assert list(second.players.listing()) == []


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_promised_while_the_file_or_its_log_is_elsewhere(
    tmp_path: Path, ending: str, opened: Opened
) -> None:
    engine = opened(f"sqlite:///{tmp_path}/pbm.db")
    file, elsewhere = tmp_path / f"pbm.db{ending}", tmp_path / "elsewhere"
    with UnitOfWork(engine):
        pass
    file.rename(elsewhere)
    for write in (True, False):
        gone = pytest.raises(StoreUnavailable, match="deleted or moved while it was open")
        with gone, UnitOfWork(engine, write=write):
            pass
    file.write_bytes(elsewhere.read_bytes())
    with pytest.raises(StoreUnavailable, match="was replaced"), UnitOfWork(engine):
        pass
    elsewhere.rename(file)
    with UnitOfWork(engine):
        pass
    # An engine that was left by all opens the file that is there.
    engine.dispose()
    (tmp_path / "pbm.db").rename(elsewhere)
    with UnitOfWork(engine):
        pass


def test_no_file_is_made_beside_the_log_of_one_that_was_deleted(
    tmp_path: Path, opened: Opened
) -> None:
    file = tmp_path / "pbm.db"
    migrations.upgrade(f"sqlite:///{file}")
    file.unlink()
    (tmp_path / "pbm.db-wal").touch()
    with pytest.raises(StoreError, match=r"its log pbm\.db-wal is there"):
        opened(f"sqlite:///{file}")
    assert not file.exists()


def test_who_has_seen_that_the_file_is_damaged_promises_nothing_more(
    sqlite_url: str, tmp_path: Path, opened: Opened
) -> None:
    file = tmp_path / "pbm.db"
    with file.open("r+b") as octets:
        octets.seek(2 * 4096)
        octets.write(bytes(range(256)) * (file.stat().st_size // 256))
    engine = opened(sqlite_url)
    with pytest.raises(StoreUnavailable, match="damaged"), UnitOfWork(engine) as unit:
        list(unit.players.listing())
    with pytest.raises(StoreUnavailable, match="damaged"), UnitOfWork(engine):
        pass


SECRET = b"correct-horse-battery"
LONG = b"x" * 9000 + SECRET
"""Longer than a page, so that the secret is in a page that is freed."""


@pytest.fixture
def deleted(tmp_path: Path, opened: Opened) -> Engine:
    """Return an engine on a database in which a secret was stored and deleted."""
    made = opened(f"sqlite:///{tmp_path / 'pbm.db'}")
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE mails (content BLOB)"))
    for statement in ("INSERT INTO mails VALUES (:content)", "UPDATE mails SET content = NULL"):
        with made.begin() as connection:
            connection.execute(text(statement), {"content": LONG})
    return made


def holding(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if SECRET in file.read_bytes()]


def test_a_deleted_secret_is_in_no_file_once_the_log_is_emptied(
    deleted: Engine, tmp_path: Path
) -> None:
    assert holding(tmp_path) == ["pbm.db-wal"]
    assert empty_wal(deleted)
    assert holding(tmp_path) == []
    assert (tmp_path / "pbm.db-wal").stat().st_size == 0
    with deleted.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 20_000


def test_emptying_the_log_waits_for_nobody_and_says_so(deleted: Engine) -> None:
    with deleted.connect() as writer:
        writer.execute(text("INSERT INTO mails VALUES (NULL)"))
        began = time.monotonic()
        assert not empty_wal(deleted)
        assert time.monotonic() - began < 5
        writer.commit()
    assert empty_wal(deleted)


@pytest.mark.parametrize("sent", [1, 0], ids=["after-sending", "before"])
def test_a_mail_that_was_played_is_overwritten_also_after_mails_have_been_sent(
    engine: Engine, tmp_path: Path, sent: int
) -> None:
    with UnitOfWork(engine) as unit:
        unit.outbox.add([an_answer()] * sent, NOW)
        claimed = unit.outbox.claim(1, "one", NOW, NOW + MINUTE)
        unit.outbox.sent([due.id for due in claimed], NOW)
        unit.commit()
    letterbox(engine).put([a_mail(LONG)])
    assert empty_wal(engine)
    assert holding(tmp_path) == ["pbm.db"]
    with UnitOfWork(engine) as unit:
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    assert empty_wal(engine)
    assert holding(tmp_path) == []
