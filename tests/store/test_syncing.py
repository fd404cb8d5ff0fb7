"""When intake's commits are synced: by themselves on a quick disk, apart on a slow one."""

from contextlib import suppress

from sqlalchemy import Engine

from pbm.store.database import create_engine
from pbm.store.syncing import SEVERAL, Syncs

NORMAL, FULL = 1, 2
SLOW = 0.004


class Disk:
    """A clock that goes on, with each look at it, by what the disk takes."""

    def __init__(self) -> None:
        self.now = self.takes = 0.0

    def __call__(self) -> float:
        self.now += self.takes
        return self.now


def level(engine: Engine) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql("PRAGMA synchronous").scalar()


def commit(syncs: Syncs) -> object:
    """Commit once; return how SQLite is told to sync."""
    with syncs.begun() as connection:
        return connection.exec_driver_sql("PRAGMA synchronous").scalar()


def test_on_a_quick_disk_every_commit_is_synced(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    syncs = Syncs(engine, Disk())
    assert {commit(syncs) for _ in range(2 * SEVERAL)} == {FULL}
    assert not syncs.unsynced
    engine.dispose()


def test_on_a_slow_disk_commits_are_synced_apart_until_it_is_quick_again(sqlite_url: str) -> None:
    engine, disk = create_engine(sqlite_url), Disk()
    syncs = Syncs(engine, disk)
    disk.takes = SLOW
    assert {commit(syncs) for _ in range(SEVERAL)} == {FULL}
    assert not syncs.unsynced
    for _ in range(2 * SEVERAL):
        assert commit(syncs) == NORMAL
        assert syncs.unsynced
        assert level(engine) == FULL  # for all others
        syncs.sync()
    disk.takes = 0.0
    for _ in range(SEVERAL):
        syncs.sync()
    # What was committed before may still be on its way.
    assert syncs.unsynced
    assert commit(syncs) == FULL
    assert not syncs.unsynced
    engine.dispose()


def test_one_quick_commit_of_several_is_enough_for_a_quick_disk(sqlite_url: str) -> None:
    engine, disk = create_engine(sqlite_url), Disk()
    syncs = Syncs(engine, disk)
    for n in range(3 * SEVERAL):
        disk.takes = 0.0 if n % SEVERAL == 0 else SLOW
        assert commit(syncs) == FULL
    engine.dispose()


def test_a_failed_commit_leaves_its_connection_as_durable_as_others(sqlite_url: str) -> None:
    engine, disk = create_engine(sqlite_url), Disk()
    syncs = Syncs(engine, disk)
    disk.takes = SLOW
    for _ in range(SEVERAL):
        commit(syncs)
    with suppress(ZeroDivisionError), syncs.begun():
        raise ZeroDivisionError
    assert level(engine) == FULL
    engine.dispose()
