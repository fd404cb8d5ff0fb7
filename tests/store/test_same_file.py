"""A SQLite file that is deleted, moved or replaced while it is open."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from pbm.domain.mail import OutgoingMail
from pbm.service.ports import StoreUnavailable
from pbm.store import migrations
from pbm.store.backup import backup
from pbm.store.database import StoreError, create_engine, empty_wal, overwrite_freed
from pbm.store.unit import SqlUnitOfWork

GONE = "deleted or moved while it was open"


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_promised_while_the_file_or_its_log_is_elsewhere(
    tmp_path: Path, ending: str
) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/pbm.db")
    file, elsewhere = tmp_path / f"pbm.db{ending}", tmp_path / "elsewhere"
    with SqlUnitOfWork(engine):
        pass
    file.rename(elsewhere)
    for write in (True, False):
        with pytest.raises(StoreUnavailable, match=GONE), SqlUnitOfWork(engine, write=write):
            pass
    file.write_bytes(elsewhere.read_bytes())
    with pytest.raises(StoreUnavailable, match="was replaced"), SqlUnitOfWork(engine):
        pass
    elsewhere.rename(file)
    with SqlUnitOfWork(engine):
        pass
    engine.dispose()


@pytest.mark.parametrize("what", ["backup", "older copy", "nothing"])
def test_nothing_is_promised_once_another_program_has_written_over_the_file(
    tmp_path: Path, what: str
) -> None:
    file, other = tmp_path / "pbm.db", tmp_path / "other.db"
    url = f"sqlite:///{file}"
    migrations.upgrade(url)
    other.write_bytes(file.read_bytes())
    engine = create_engine(url)
    add_mails(engine, 100)
    assert empty_wal(engine)
    if what == "backup":
        other.unlink()
        backup(url, other)
    content = b"" if what == "nothing" else other.read_bytes()
    with SqlUnitOfWork(engine):
        pass  # as before
    file.write_bytes(content)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="has written over"), SqlUnitOfWork(engine):
            pass
    engine.dispose()


def test_checkpoints_migrations_and_a_vacuum_are_nobody_elses_writing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/pbm.db"
    engine = create_engine(url)
    with SqlUnitOfWork(engine):
        pass
    migrations.upgrade(url)
    add_mails(engine, 100)
    assert empty_wal(engine)
    full = (tmp_path / "pbm.db").stat().st_size
    with SqlUnitOfWork(engine) as unit:
        for number in range(1, 101):
            unit.outbox.drop(number)
        unit.commit()
    assert overwrite_freed(engine)
    assert (tmp_path / "pbm.db").stat().st_size < full
    with SqlUnitOfWork(engine):
        pass
    engine.dispose()


def add_mails(engine: Engine, count: int) -> None:
    now = datetime(2026, 11, 24, tzinfo=UTC)
    with SqlUnitOfWork(engine) as unit:
        content = b"x" * 10_000
        unit.outbox.add(
            [OutgoingMail("b@x", "a@x", f"<{n}@x>", content) for n in range(count)], now
        )
        unit.commit()


def test_an_engine_that_was_left_by_all_opens_the_file_that_is_there(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/pbm.db")
    with SqlUnitOfWork(engine):
        pass
    engine.dispose()
    (tmp_path / "pbm.db").rename(tmp_path / "elsewhere")
    with SqlUnitOfWork(engine):
        pass
    engine.dispose()


def test_no_file_is_made_beside_the_log_of_one_that_was_deleted(tmp_path: Path) -> None:
    file = tmp_path / "pbm.db"
    migrations.upgrade(f"sqlite:///{file}")
    file.unlink()
    (tmp_path / "pbm.db-wal").touch()
    with pytest.raises(StoreError, match=r"its log pbm\.db-wal is there"):
        create_engine(f"sqlite:///{file}")
    assert not file.exists()


def test_who_has_seen_that_the_file_is_damaged_promises_nothing_more(tmp_path: Path) -> None:
    file = tmp_path / "pbm.db"
    migrations.upgrade(f"sqlite:///{file}")
    with file.open("r+b") as octets:
        octets.seek(2 * 4096)
        octets.write(bytes(range(256)) * (file.stat().st_size // 256))
    engine = create_engine(f"sqlite:///{file}")
    with pytest.raises(StoreUnavailable, match="damaged"), SqlUnitOfWork(engine) as unit:
        list(unit.players.listing())
    with pytest.raises(StoreUnavailable, match="damaged"), SqlUnitOfWork(engine):
        pass
    engine.dispose()


def test_to_look_at_the_file_drops_no_lock_that_keeps_its_log(tmp_path: Path) -> None:
    file = tmp_path / "pbm.db"
    engine, other = (create_engine(f"sqlite:///{file}") for _ in range(2))
    for each in (engine, other):
        with SqlUnitOfWork(each):
            pass
    other.dispose()
    # Who closes as the last one removes the log. An open connection shows by its lock.
    look = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM sqlite_schema')"
    )
    subprocess.run([sys.executable, "-c", look, str(file)], check=True)
    assert Path(f"{file}-wal").exists()
    engine.dispose()
