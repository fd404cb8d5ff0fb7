"""Both ends of a connection to PostgreSQL give the other one up soon; see also tests/hosts."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from pbm.service.ports import StoreUnavailable
from pbm.store.database import create_engine
from tests.databases import postgres_database, postgres_server

pytestmark = pytest.mark.postgres


@pytest.fixture
def url() -> Iterator[str]:
    with postgres_database(postgres_server()) as made:
        yield made


def told(url: str, name: str) -> str | None:
    """Return what libpq was told about the connection."""
    engine = create_engine(url)
    with engine.connect() as connection:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        parameters: dict[str, str] = driver.info.get_parameters()
    engine.dispose()
    return parameters.get(name)


def test_what_the_url_says_beats_what_libpq_is_told_otherwise(url: str) -> None:
    assert told(url, "tcp_user_timeout") == "10000"
    assert told(f"{url}?tcp_user_timeout=30000", "tcp_user_timeout") == "30000"
    assert told(f"{url}?tcp_user_timeout=30000", "keepalives_idle") == "5"


def test_the_server_is_told_in_every_transaction_even_after_one_was_undone(url: str) -> None:
    engine = create_engine(url)
    for _ in range(2):
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            connection.rollback()
            assert connection.scalar(text("SHOW tcp_user_timeout")) == "15000"
            assert connection.scalar(text("SHOW idle_in_transaction_session_timeout")) == "1min"
    engine.dispose()


def test_a_transaction_that_is_frozen_is_undone_and_its_owner_meets_an_outage(url: str) -> None:
    engine = create_engine(url)
    with engine.connect() as frozen, engine.connect() as other:
        frozen.execute(text("SET LOCAL idle_in_transaction_session_timeout = '50ms'"))
        frozen.execute(text("SELECT pg_advisory_xact_lock(1)"))
        # It waits until the lock is free.
        other.execute(text("SELECT pg_advisory_xact_lock(1)"))
        with pytest.raises(StoreUnavailable):
            frozen.execute(text("SELECT 1"))
    with engine.connect() as anew:
        assert anew.scalar(text("SELECT 1")) == 1
    engine.dispose()


def test_who_waits_for_a_lock_that_somebody_keeps_is_told_so_after_a_while(url: str) -> None:
    engine = create_engine(url)
    with engine.connect() as somebody, engine.connect() as other:
        somebody.execute(text("CREATE TABLE inbox ()"))
        somebody.commit()
        somebody.execute(text("LOCK TABLE inbox"))
        assert other.scalar(text("SHOW lock_timeout")) == "20s"
        other.execute(text("SET LOCAL lock_timeout = '50ms'"))
        with pytest.raises(StoreUnavailable, match="another process keeps it locked"):
            other.execute(text("SELECT * FROM inbox"))
    engine.dispose()
