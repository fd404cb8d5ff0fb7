"""Every test that asks for `begin` or `engine` runs on a SQLite file and on PostgreSQL.

One database of each kind serves the whole session and is emptied before each test, because
opening one, migrating it and compiling every statement takes longer than most tests.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from tests.databases import emptying, migrated_file, postgres_database, postgres_server
from tests.doors import UnitOfWork, create_engine

Begin = Callable[[], UnitOfWork]
Opened = Callable[..., Engine]

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture(scope="session")
def server() -> str:
    return postgres_server()


@pytest.fixture(scope="session")
def sqlite_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    file = tmp_path_factory.mktemp("store") / "pbm.db"
    engine = create_engine(f"sqlite:///{shutil.copy(migrated_file(), file)}")
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_session(server: str) -> Iterator[Engine]:
    with postgres_database(server, migrated=True) as url:
        engine = create_engine(url)
        yield engine
        engine.dispose()


@pytest.fixture(params=BOTH)
def engine(request: pytest.FixtureRequest) -> Engine:
    return emptied(request.getfixturevalue(f"{request.param}_session"))


@pytest.fixture
def url(engine: Engine) -> str:
    """Return the URL of the database, for another engine or process."""
    return engine.url.render_as_string(hide_password=False)


@pytest.fixture
def begin(engine: Engine) -> Begin:
    return lambda: UnitOfWork(engine)


@pytest.fixture
def unit(begin: Begin) -> Iterator[UnitOfWork]:
    """Yield a unit of work that is not committed."""
    with begin() as unit:
        yield unit


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Yield a function that opens a database; all engines are disposed of after the test."""
    engines: list[Engine] = []

    def open_engine(url: str, **options: float) -> Engine:
        engines.append(create_engine(url, new=True, **options))
        return engines[-1]

    yield open_engine
    for engine in engines:
        engine.dispose()


@pytest.fixture
def postgres_engine(postgres_session: Engine) -> Engine:
    return emptied(postgres_session)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return the URL of a file that the test may damage or fill."""
    return f"sqlite:///{shutil.copy(migrated_file(), tmp_path / 'pbm.db')}"


@pytest.fixture(scope="session")
def scratch_database(server: str) -> Iterator[str]:
    with postgres_database(server) as url:
        yield url


@pytest.fixture
def empty_postgres(scratch_database: str) -> str:
    """Return the URL of a database of PostgreSQL without tables."""
    engine = create_engine(scratch_database)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return scratch_database


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    return str(request.getfixturevalue("empty_postgres"))


def emptied(engine: Engine) -> Engine:
    """Return `engine` with all tables empty and all numbers beginning at 1 again."""
    # As many statements at once: a test can be shorter than to send each by itself.
    with closing(engine.raw_connection()) as pooled:
        cursor = pooled.cursor()
        if engine.dialect.name == "sqlite":
            cursor.executescript(emptying("sqlite"))
        else:
            cursor.execute(emptying("postgresql"))
            pooled.commit()
    return engine
