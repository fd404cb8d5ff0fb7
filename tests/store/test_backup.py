"""A backup is complete and private; a restore only happens while the server is stopped."""

import sqlite3
from pathlib import Path

import pytest

from pbm.store import migrations
from pbm.store.copies import backup, restore
from pbm.store.database import StoreError, create_engine
from pbm.store.unit import UnitOfWork
from tests.store.samples import add_players


def add(url: str, *userids: str) -> None:
    engine = create_engine(url)
    with UnitOfWork(engine) as unit:
        add_players(unit, *userids)
        unit.commit()
    engine.dispose()


def userids(url: str) -> list[str]:
    engine = create_engine(url)
    with UnitOfWork(engine, write=False) as unit:
        found = [player.userid for player in unit.players.listing()]
    engine.dispose()
    return found


def test_a_restore_brings_back_what_was_there_at_the_backup(
    sqlite_url: str, tmp_path: Path
) -> None:
    add(sqlite_url, "alice")
    backup(sqlite_url, tmp_path / "backup.db")
    add(sqlite_url, "bob")
    restore(sqlite_url, tmp_path / "backup.db")
    assert userids(sqlite_url) == ["alice"]
    assert migrations.check(sqlite_url) == ()


def next_number(url: str) -> int:
    engine = create_engine(url)
    with UnitOfWork(engine) as unit:
        number = unit.next_number()
        unit.commit()
    engine.dispose()
    return number


def test_no_board_gets_the_number_of_one_that_a_restore_has_undone(
    sqlite_url: str, tmp_path: Path
) -> None:
    backup(sqlite_url, tmp_path / "empty.db")
    assert next_number(sqlite_url) == 101
    backup(sqlite_url, tmp_path / "backup.db")
    assert next_number(sqlite_url) == 102
    restore(sqlite_url, tmp_path / "backup.db")
    assert next_number(sqlite_url) == 1102
    restore(sqlite_url, tmp_path / "empty.db")
    assert next_number(sqlite_url) == 1103
    # Where none knows any more what there was, it is far away.
    fresh = f"sqlite:///{tmp_path / 'fresh.db'}"
    restore(fresh, tmp_path / "backup.db")
    assert next_number(fresh) == 1102


def test_a_backup_is_taken_while_a_writer_is_at_work(sqlite_url: str, tmp_path: Path) -> None:
    engine = create_engine(sqlite_url)
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")
        backup(sqlite_url, tmp_path / "backup.db")
        unit.commit()
    engine.dispose()
    assert userids(sqlite_url) == ["alice"]
    assert userids(f"sqlite:///{tmp_path / 'backup.db'}") == []


def test_a_backup_is_one_file_that_only_its_owner_reads(sqlite_url: str, tmp_path: Path) -> None:
    target = tmp_path / "backups" / "monday.db"
    target.parent.mkdir()
    backup(sqlite_url, target)
    assert list(target.parent.iterdir()) == [target]
    # Bytes 18 and 19 of the header are 2 for a file that needs a write-ahead log beside it.
    assert target.read_bytes()[18:20] == b"\1\1"
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_backup_never_overwrites_another(sqlite_url: str, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    target.write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        backup(sqlite_url, target)
    assert target.read_text() == "precious"


def test_a_backup_that_fails_leaves_no_file(sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="failed"):
        backup(sqlite_url, tmp_path / "missing" / "backup.db")
    (tmp_path / "pbm.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(StoreError, match="failed"):
        backup(sqlite_url, tmp_path / "backup.db")
    assert not list(tmp_path.glob("backup*"))


def test_a_database_restores_into_a_place_where_none_is(sqlite_url: str, tmp_path: Path) -> None:
    add(sqlite_url, "alice")
    backup(sqlite_url, tmp_path / "backup.db")
    fresh = tmp_path / "new" / "pbm.db"
    restore(f"sqlite:///{fresh}", tmp_path / "backup.db")
    assert userids(f"sqlite:///{fresh}") == ["alice"]
    assert fresh.stat().st_mode & 0o777 == 0o600


def test_a_restore_waits_for_the_operator_to_stop_the_server(
    sqlite_url: str, tmp_path: Path
) -> None:
    backup(sqlite_url, tmp_path / "backup.db")
    engine = create_engine(sqlite_url)
    with UnitOfWork(engine) as unit:
        add_players(unit, "alice")
        unit.commit()
    # The server is idle now, but its connection is open.
    with pytest.raises(StoreError, match="in use; stop the server"):
        restore(sqlite_url, tmp_path / "backup.db")
    engine.dispose()
    assert userids(sqlite_url) == ["alice"]


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
    sqlite_url: str, tmp_path: Path, spoil: object
) -> None:
    add(sqlite_url, "alice")
    backup(sqlite_url, tmp_path / "backup.db")
    assert callable(spoil)
    spoil(tmp_path / "backup.db")
    with pytest.raises(StoreError, match=r"backup\.db"):
        restore(sqlite_url, tmp_path / "backup.db")
    assert userids(sqlite_url) == ["alice"]
    with pytest.raises(StoreError):
        restore(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "backup.db")
    assert not (tmp_path / "new.db").exists()


def test_postgresql_has_its_own_tools(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        backup("postgresql://u:secret@h/d", tmp_path / "backup.db")
    with pytest.raises(StoreError, match="pg_restore"):
        restore("postgresql://u:secret@h/d", tmp_path / "backup.db")


def test_who_restores_in_the_place_of_what_is_no_database_is_told_to_move_that_away(
    sqlite_url: str, tmp_path: Path
) -> None:
    add(sqlite_url, "alice")
    backup(sqlite_url, tmp_path / "backup.db")
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    file.write_bytes(bytes(range(256)) * 64)
    with pytest.raises(StoreError, match=f"{file} is damaged so much .* move"):
        restore(sqlite_url, tmp_path / "backup.db")
    file.rename(tmp_path / "away")
    restore(sqlite_url, tmp_path / "backup.db")
    assert userids(sqlite_url) == ["alice"]
