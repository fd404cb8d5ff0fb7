"""A SQLite file that is deleted, moved or replaced while it is open."""

from pathlib import Path

import pytest

from pbm.service.ports import StoreUnavailable
from pbm.store import migrations
from pbm.store.database import StoreError, create_engine
from pbm.store.unit import UnitOfWork

GONE = "deleted or moved while it was open"


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_promised_while_the_file_or_its_log_is_elsewhere(
    tmp_path: Path, ending: str
) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/pbm.db")
    file, elsewhere = tmp_path / f"pbm.db{ending}", tmp_path / "elsewhere"
    with UnitOfWork(engine):
        pass
    file.rename(elsewhere)
    for write in (True, False):
        with pytest.raises(StoreUnavailable, match=GONE), UnitOfWork(engine, write=write):
            pass
    file.write_bytes(elsewhere.read_bytes())
    with pytest.raises(StoreUnavailable, match="was replaced"), UnitOfWork(engine):
        pass
    elsewhere.rename(file)
    with UnitOfWork(engine):
        pass
    engine.dispose()


def test_an_engine_that_was_left_by_all_opens_the_file_that_is_there(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/pbm.db")
    with UnitOfWork(engine):
        pass
    engine.dispose()
    (tmp_path / "pbm.db").rename(tmp_path / "elsewhere")
    with UnitOfWork(engine):
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
    with pytest.raises(StoreUnavailable, match="damaged"), UnitOfWork(engine) as unit:
        list(unit.players.listing())
    with pytest.raises(StoreUnavailable, match="damaged"), UnitOfWork(engine):
        pass
    engine.dispose()
