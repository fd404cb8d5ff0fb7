"""Deleted data is gone from the files of SQLite: from freed pages and from the log."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from pbm.store.database import create_engine, empty_wal

SECRET = b"correct-horse-battery"
LONG = b"x" * 9000 + SECRET
"""Longer than a page, so that the secret is in a page that is freed."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Yield an engine on a database in which a secret was stored and deleted."""
    made = create_engine(f"sqlite:///{tmp_path / 'pbm.db'}")
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE mails (content BLOB)"))
    for statement in ("INSERT INTO mails VALUES (:content)", "UPDATE mails SET content = NULL"):
        with made.begin() as connection:
            connection.execute(text(statement), {"content": LONG})
    yield made
    made.dispose()


def holding(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if SECRET in file.read_bytes()]


def test_a_deleted_secret_is_in_no_file_once_the_log_is_emptied(
    engine: Engine, tmp_path: Path
) -> None:
    assert holding(tmp_path) == ["pbm.db-wal"]
    assert empty_wal(engine)
    assert holding(tmp_path) == []
    assert (tmp_path / "pbm.db-wal").stat().st_size == 0


def test_emptying_waits_for_nobody_and_says_so(engine: Engine, tmp_path: Path) -> None:
    with engine.connect() as writer:
        writer.execute(text("INSERT INTO mails VALUES (NULL)"))
        began = time.monotonic()
        assert not empty_wal(engine)
        assert time.monotonic() - began < 5
        writer.commit()
    assert empty_wal(engine)


def test_a_connection_waits_for_others_as_before_once_it_has_emptied_the_log(
    engine: Engine,
) -> None:
    empty_wal(engine)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 20_000
