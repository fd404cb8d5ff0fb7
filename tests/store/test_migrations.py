"""The migrations lead to the tables, and a forgotten one is noticed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from pbm import system
from pbm.server.assembly import open_database
from tests.databases import new_database
from tests.doors import StoreError, create_engine, migrations, tables
from tests.store.conftest import BOTH, Opened

pytestmark = pytest.mark.slow


def tables_of(url: str) -> dict[str, Any]:
    """Return everything that the database says about each of its tables except that of alembic."""
    engine = create_engine(url)
    told: Any = inspect(engine)
    told_of: dict[str, Any] = {
        "key": told.get_multi_pk_constraint(),
        "references": told.get_multi_foreign_keys(),
        "unique": told.get_multi_unique_constraints(),
        "indexes": told.get_multi_indexes(),
    }
    columns = told.get_multi_columns()
    engine.dispose()
    return {
        place[1]: {
            "columns": [{**column, "type": repr(column["type"])} for column in columns[place]],
            **{name: sorted(found[place], key=str) for name, found in told_of.items()},
        }
        for place in columns
        if place[1] != "alembic_version"
    }


def change(url: str, *statements: str) -> None:
    engine = create_engine(url, new=True)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_the_migrations_make_exactly_the_tables_that_the_code_names(
    empty_url: str,
) -> None:
    assert migrations.current(empty_url) is None
    migrations.upgrade(empty_url)
    assert migrations.current(empty_url) == migrations.head()
    assert migrations.check(empty_url) == ()
    migrated = tables_of(empty_url)
    assert set(migrated) == set(tables.metadata.tables)
    engine = create_engine(empty_url)
    tables.metadata.drop_all(engine)
    tables.metadata.create_all(engine)
    engine.dispose()
    assert tables_of(empty_url) == migrated


@pytest.fixture(params=BOTH)
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a database that has been brought up to date before."""
    with new_database(request.param, tmp_path) as url:
        yield url


def test_an_upgrade_of_a_database_that_is_up_to_date_does_nothing(
    migrated_url: str, opened: Opened
) -> None:
    change(migrated_url, "INSERT INTO counters VALUES ('board', 104)")
    migrations.upgrade(migrated_url)
    with opened(migrated_url).connect() as connection:
        assert connection.execute(text("SELECT value FROM counters")).scalar_one() == 104


DRIFTS = (
    ("ALTER TABLE players ADD COLUMN shoe_size INTEGER", "shoe_size"),
    ("ALTER TABLE players RENAME COLUMN state TO status", "status"),
    ("DROP TABLE tallies", "tallies"),
    ("CREATE TABLE extra (id INTEGER)", "extra"),
    ("DROP INDEX ix_outbox_state_next_try_at", "ix_outbox_state_next_try_at"),
)


def test_each_way_in_which_a_database_has_drifted_is_told(empty_url: str) -> None:
    migrations.upgrade(empty_url)
    change(empty_url, *(drift for drift, _ in DRIFTS))
    problems = migrations.check(empty_url)
    for _, named in DRIFTS:
        assert any(named in problem for problem in problems), problems


def test_a_database_of_another_version_is_told(empty_url: str) -> None:
    create_engine(empty_url, new=True).dispose()
    assert migrations.check(empty_url) == (
        "The database is empty; `pbm db upgrade` creates its tables.",
    )
    migrations.upgrade(empty_url)
    change(empty_url, "UPDATE alembic_version SET version_num = '9999'")
    for look in (migrations.check, migrations.upgrade, open_database):
        with pytest.raises(StoreError) as told:
            look(empty_url)
        assert str(told.value).startswith(
            "The database was written by a newer pbm (revision 9999); this one knows up to "
            f"{migrations.head()}."
        )
    change(empty_url, "UPDATE alembic_version SET version_num = '0017'")
    (problem,) = migrations.check(empty_url)
    assert problem == f"The database is at revision 0017, this pbm needs {migrations.head()}."
    change(empty_url, "UPDATE alembic_version SET version_num = '0016'")
    for look in (migrations.check, migrations.upgrade, open_database):
        with pytest.raises(StoreError, match="with commit f798ad95 of pbm first"):
            look(empty_url)


def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str) -> None:
    change(empty_url, "CREATE TABLE tallies (id INTEGER)")
    with pytest.raises(Exception, match="tallies"):
        migrations.upgrade(empty_url)
    assert migrations.current(empty_url) is None
    assert list(tables_of(empty_url)) == ["tallies"]


def test_a_sqlite_migration_cannot_leave_references_to_nothing(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    def leave_an_orphan(config: Any, revision: str) -> None:
        config.attributes["connection"].execute(
            text("INSERT INTO snapshots VALUES (4711, 0, '{}')")
        )

    monkeypatch.setattr(command, "upgrade", leave_an_orphan)
    with pytest.raises(StoreError, match="refer to missing"):
        migrations.upgrade(sqlite_url)
    with opened(sqlite_url).connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM snapshots")).scalar_one() == 0


def test_the_newest_revision_is_the_one_that_alembic_finds() -> None:
    config = Config()
    config.set_main_option("script_location", str(system.folder("migrations")))
    config.set_main_option("path_separator", "os")
    assert migrations.head() == ScriptDirectory.from_config(config).get_current_head()
