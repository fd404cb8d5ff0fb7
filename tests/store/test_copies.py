"""A backup is complete and private; a copy is whole; a restore waits until the server stops."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm.store.copies import backup, copy, restore
from tests.doors import StoreError, UnitOfWork, create_engine, migrations
from tests.store.conftest import Opened
from tests.store.samples import NOW, add_players


def within(url: str, work: Callable[[UnitOfWork], object]) -> object:
    """Do some work in a database that is closed again."""
    engine = create_engine(url)
    with UnitOfWork(engine) as unit:
        done = work(unit)
        unit.commit()
    engine.dispose()
    return done


def add(url: str, *userids: str) -> None:
    within(url, lambda unit: add_players(unit, *userids))


def userids(url: str) -> object:
    return within(url, lambda unit: [player.userid for player in unit.players.listing()])


@pytest.fixture
def saved(sqlite_url: str, tmp_path: Path) -> Path:
    """Return a backup of a database in which alice is."""
    add(sqlite_url, "alice")
    backup(sqlite_url, tmp_path / "backup.db")
    return tmp_path / "backup.db"


def test_a_restore_needs_no_database_in_its_place(saved: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "new" / "pbm.db"
    restore(f"sqlite:///{fresh}", saved)
    assert userids(f"sqlite:///{fresh}") == ["alice"]
    assert migrations.check(f"sqlite:///{fresh}") == ()
    assert fresh.stat().st_mode & 0o777 == 0o600
    # So that it needs no log beside it, bytes 18 and 19 of the header of a backup are not 2.
    assert saved.read_bytes()[18:20] == b"\1\1"


def test_no_board_gets_the_number_of_one_that_a_restore_has_undone(
    sqlite_url: str, tmp_path: Path
) -> None:
    empty, numbered, fresh = (tmp_path / name for name in ("empty.db", "numbered.db", "fresh.db"))
    backup(sqlite_url, empty)
    assert within(sqlite_url, UnitOfWork.next_number) == 101
    backup(sqlite_url, numbered)
    assert within(sqlite_url, UnitOfWork.next_number) == 102
    restore(sqlite_url, numbered)
    assert within(sqlite_url, UnitOfWork.next_number) == 1102
    restore(sqlite_url, empty)
    assert within(sqlite_url, UnitOfWork.next_number) == 1103
    # Where none knows any more what there was, it is far away.
    restore(f"sqlite:///{fresh}", numbered)
    assert within(f"sqlite:///{fresh}", UnitOfWork.next_number) == 1102


def test_a_backup_is_taken_while_a_writer_is_at_work(
    sqlite_url: str, tmp_path: Path, opened: Opened
) -> None:
    with UnitOfWork(opened(sqlite_url)) as unit:
        add_players(unit, "alice")
        backup(sqlite_url, tmp_path / "backup.db")
        unit.commit()
    assert userids(sqlite_url) == ["alice"]
    assert userids(f"sqlite:///{tmp_path / 'backup.db'}") == []


def test_a_backup_never_overwrites_another_and_leaves_nothing_if_it_fails(
    sqlite_url: str, tmp_path: Path
) -> None:
    (tmp_path / "precious.db").write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        backup(sqlite_url, tmp_path / "precious.db")
    assert (tmp_path / "precious.db").read_text() == "precious"
    with pytest.raises(StoreError, match="failed"):
        backup(sqlite_url, tmp_path / "missing" / "backup.db")
    (tmp_path / "pbm.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(StoreError, match="failed"):
        backup(sqlite_url, tmp_path / "backup.db")
    assert not list(tmp_path.glob("backup*"))


@pytest.mark.slow
def test_a_restore_waits_for_the_operator_to_stop_the_server(
    sqlite_url: str, saved: Path, opened: Opened
) -> None:
    with UnitOfWork(opened(sqlite_url)) as unit:
        add_players(unit, "bob")
        unit.commit()
    # The server is idle now, but its connection is open.
    with pytest.raises(StoreError, match="in use; stop the server"):
        restore(sqlite_url, saved)
    assert userids(sqlite_url) == ["alice", "bob"]


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:12288] = b"\xff" * 8192
    file.write_bytes(content)


def empty(file: Path) -> None:
    file.unlink()
    sqlite3.connect(file).close()


def foreign(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()


@pytest.mark.parametrize("spoil", [damage, empty, foreign, Path.unlink])
def test_what_is_no_sound_database_of_ours_is_not_restored(
    sqlite_url: str, saved: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(saved)
    with pytest.raises(StoreError, match=r"backup\.db"):
        restore(sqlite_url, saved)
    assert userids(sqlite_url) == ["alice"]
    with pytest.raises(StoreError):
        restore(f"sqlite:///{tmp_path / 'new.db'}", saved)
    assert not (tmp_path / "new.db").exists()


def test_who_restores_in_the_place_of_what_is_no_database_is_told_to_move_that_away(
    sqlite_url: str, saved: Path, tmp_path: Path
) -> None:
    file = tmp_path / "pbm.db"
    file.write_bytes(bytes(range(256)) * 64)
    with pytest.raises(StoreError, match=f"{file} is damaged so much .* move"):
        restore(sqlite_url, saved)
    file.rename(tmp_path / "away")
    restore(sqlite_url, saved)
    assert userids(sqlite_url) == ["alice"]


def test_postgresql_has_its_own_tools(tmp_path: Path) -> None:
    for act, tool in ((backup, "pg_dump"), (restore, "pg_restore")):
        with pytest.raises(StoreError, match=tool):
            act("postgresql://u:secret@h/d", tmp_path / "backup.db")


class BrokenOff(Exception):  # noqa: N818 - an interruption, as Ctrl-C is
    """An error that ends a copy in the middle."""


def stop_at_a_row(rows: int) -> None:
    """Be the one that is told what has been copied, and break off after the first rows."""
    if rows:
        raise BrokenOff


@pytest.mark.slow
@pytest.mark.postgres
def test_a_copy_that_was_broken_off_leaves_nothing_and_the_next_is_whole(
    sqlite_url: str, empty_postgres: str
) -> None:
    add(sqlite_url, "Zoë", "bob", "carl")
    with pytest.raises(BrokenOff):
        copy(sqlite_url, empty_postgres, stop_at_a_row)
    assert userids(empty_postgres) == []
    add(sqlite_url, "dora")
    assert copy(sqlite_url, empty_postgres, lambda _: None) == 8
    assert userids(empty_postgres) == userids(sqlite_url) == ["bob", "carl", "dora", "Zoë"]
    new = within(empty_postgres, lambda unit: unit.players.add("new", "hash", ["a@b.cd"], NOW).id)
    assert new == 5


@pytest.mark.slow
@pytest.mark.postgres
def test_nothing_is_copied_into_a_database_that_a_server_uses(
    sqlite_url: str, empty_postgres: str, opened: Opened
) -> None:
    migrations.upgrade(empty_postgres)
    with UnitOfWork(opened(empty_postgres)):
        pass
    with pytest.raises(StoreError, match="The target is in use"):
        copy(sqlite_url, empty_postgres, lambda _: None)
