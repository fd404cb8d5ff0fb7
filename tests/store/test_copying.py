"""A copy of a database is whole, or leaves nothing."""

import pytest
from sqlalchemy import text

from pbm.store import copies
from pbm.store.database import create_engine
from pbm.store.unit import UnitOfWork
from tests.house import START
from tests.store.test_schema import change

pytestmark = pytest.mark.postgres


def enrol(url: str, *numbers: int) -> None:
    """Add players with these ids, as SQL, so that one can come before another."""
    change(
        url,
        *(
            "INSERT INTO players (id, userid, userid_folded, password_hash, state, created_at) "
            f"VALUES ({n}, 'Zoë{n}', 'zoë{n}', 'hash', 'active', '2026-02-01T09:30:00.123456Z')"
            for n in numbers
        ),
    )


class BrokenOff(Exception):  # noqa: N818 - an interruption, as Ctrl-C is
    """What ends a copy in the middle."""


def stop_at_a_row(rows: int) -> None:
    """Be the one that is told what has been copied, and break off after the first rows."""
    if rows:
        raise BrokenOff


@pytest.fixture
def target(scratch_database: str) -> str:
    change(scratch_database, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return scratch_database


def names(url: str) -> list[tuple[int, str]]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT id, userid FROM players ORDER BY id")).all()
    engine.dispose()
    return [tuple(row) for row in found]


def test_a_copy_that_was_broken_off_leaves_nothing_and_the_next_is_whole(
    sqlite_url: str, target: str
) -> None:
    enrol(sqlite_url, 2, 5)
    with pytest.raises(BrokenOff):
        copies.copy(sqlite_url, target, stop_at_a_row)
    assert names(target) == []
    enrol(sqlite_url, 3, 9)
    assert copies.copy(sqlite_url, target, lambda _: None) == 4
    assert names(target) == names(sqlite_url)
    engine = create_engine(target)
    with UnitOfWork(engine) as work:
        added = work.players.add("new", "hash", ["new@example.org"], START)
        assert added.id == 10
    engine.dispose()
