"""Every test that asks for `begin` or `engine` runs on a SQLite file and on PostgreSQL."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from pbm.service.ports import UnitOfWork
from pbm.store import schema
from pbm.store.engine import create_engine
from pbm.store.tables import metadata
from pbm.store.unit import SqlUnitOfWork
from tests.databases import postgres_database, postgres_server

Begin = Callable[[], UnitOfWork]

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("store") / "template.db"
    schema.upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def server() -> str:
    return postgres_server()


@pytest.fixture(scope="session")
def migrated_database(server: str) -> Iterator[str]:
    with postgres_database(server) as url:
        schema.upgrade(url)
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path, migrated_file: Path) -> str:
    shutil.copy(migrated_file, tmp_path / "pbm.db")
    return f"sqlite:///{tmp_path / 'pbm.db'}"


@pytest.fixture
def postgres_url(migrated_database: str) -> str:
    engine = create_engine(migrated_database)
    names = ", ".join(table.name for table in metadata.sorted_tables)
    with engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
    engine.dispose()
    return migrated_database


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
    else:
        with postgres_database(request.getfixturevalue("server")) as url:
            yield url


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def begin(engine: Engine) -> Begin:
    return lambda: SqlUnitOfWork(engine)
