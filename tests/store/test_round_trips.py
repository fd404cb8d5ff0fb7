"""Connections and transactions of PostgreSQL."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from pbm.store.batch import Batch
from pbm.store.database import create_engine
from pbm.store.inbox import claims_for
from pbm.store.outbox import add_mails
from pbm.store.unit import UnitOfWork
from pbm.store.waking import open_bell
from tests.store.samples import NOW, an_answer

pytestmark = pytest.mark.postgres

_PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%FROM inbox%'")

_PLANNED_ANEW = text(
    "SELECT sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%FROM inbox%'"
)

_BACKEND = text("SELECT pg_backend_pid()")

_SYNCED = text("SHOW synchronous_commit")


@pytest.fixture
def engine(postgres_engine: Engine) -> Iterator[Engine]:
    """Yield an engine with one connection and a bell."""
    made = create_engine(postgres_engine.url.render_as_string(hide_password=False))
    open_bell(made)
    with made.connect():
        pass
    yield made
    made.dispose()


def look(engine: Engine) -> None:
    """Look for mails to be played, and for what a mail has begun, in vain."""
    with Batch(engine, claims_for(engine)) as batch:
        assert batch.claim(64) == ()
    with UnitOfWork(engine, write=False) as unit:
        assert not unit.follow_ups.wait()


def test_statements_stay_prepared_while_nothing_is_to_be_done(engine: Engine) -> None:
    for _ in range(7):
        look(engine)
    with engine.connect() as connection:
        assert connection.scalar(_PREPARED) == 1


def test_a_batch_keeps_its_plans(engine: Engine) -> None:
    for _ in range(7):
        look(engine)
    with engine.connect() as connection:
        assert connection.scalar(_PLANNED_ANEW) == 0


def test_what_has_no_index_is_not_compiled_first(engine: Engine) -> None:
    plan = text("EXPLAIN (ANALYZE, FORMAT JSON) SELECT error FROM outbox WHERE error <> ''")
    with Batch(engine, claims_for(engine)) as batch:
        (told,) = batch.reader.scalar(plan)
    assert told["Plan"]["Node Type"] == "Seq Scan"
    assert "JIT" not in told


def test_the_connection_that_came_back_last_is_used_next(engine: Engine) -> None:
    with engine.connect() as last, engine.connect() as first:
        first.close()
        number = last.scalar(_BACKEND)
    with engine.connect() as connection:
        assert connection.scalar(_BACKEND) == number


def test_a_lease_does_not_wait_for_the_disk_and_what_comes_after_it_does(engine: Engine) -> None:
    # The databases of the tests wait for no disk.
    with engine.begin() as connection:
        connection.exec_driver_sql("SET synchronous_commit TO ON")
    with UnitOfWork(engine) as unit:
        unit.outbox.claim(100, "host:1:x", NOW, NOW)
        assert unit.connection.scalar(_SYNCED) == "off"
        unit.commit()
    with UnitOfWork(engine) as unit:
        assert unit.connection.scalar(_SYNCED) == "on"


def test_what_was_asked_goes_with_the_commit_and_an_error_in_it_is_raised(engine: Engine) -> None:
    with UnitOfWork(engine) as unit:
        unit.outbox.add([an_answer()], NOW)
        unit.commit()
    with UnitOfWork(engine) as unit:
        add_mails(unit.connection, [(an_answer(word="b"), NOW, None)], [1])
        with pytest.raises(engine.dialect.loaded_dbapi.IntegrityError):
            unit.commit()
    with UnitOfWork(engine) as unit:
        assert [row.id for row in unit.outbox.listing()] == [1]


def test_what_fails_in_a_savepoint_fails_alone_although_it_was_not_waited_for(
    engine: Engine,
) -> None:
    with UnitOfWork(engine) as unit:
        unit.outbox.add([an_answer()], NOW)
        with pytest.raises(engine.dialect.loaded_dbapi.IntegrityError), unit.savepoint():
            add_mails(unit.connection, [(an_answer(word="b"), NOW, None)], [1])
        unit.commit()
    with UnitOfWork(engine) as unit:
        assert [row.id for row in unit.outbox.listing()] == [1]
