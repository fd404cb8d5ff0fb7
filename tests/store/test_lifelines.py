"""A delivering process is known to be gone as soon as it is killed or loses its database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from tests.databases import new_database, postgres_database, postgres_server
from tests.doors import StoreUnavailable, UnitOfWork, create_engine, open_lifeline
from tests.processes import another
from tests.store.others import holds_lifeline
from tests.store.samples import NOW, an_answer

OWNER, OTHER = "host:17:k3v9", "elsewhere:4:m2m2"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with new_database(request.param, tmp_path) as made:
        yield made


_LOCKS = """
    FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND datname = current_database()
"""


def test_a_process_is_alive_until_it_is_killed(url: str) -> None:
    engine = create_engine(url)
    lifeline = open_lifeline(engine)
    lifeline.hold(OWNER)
    with another(holds_lifeline, url, OTHER) as process:
        assert process.told.recv() == "held"
        assert lifeline.is_held(OWNER)
        assert lifeline.is_held(OTHER)
        assert not lifeline.is_held("nobody:1:x")
        process.kill()
    if engine.dialect.name == "postgresql":
        _until_gone(url)
    assert not lifeline.is_held(OTHER)
    lifeline.close()
    engine.dispose()


def _until_gone(url: str) -> None:
    """Wait until the server has seen that the killed process has gone, by asking for its lock."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(text("SET statement_timeout = '20s'"))
        while len(connection.execute(text(f"SELECT pid {_LOCKS}")).all()) > 1:
            pass
    engine.dispose()


def test_who_loses_the_connection_hears_of_it_and_is_gone_for_others() -> None:
    with postgres_database(postgres_server()) as url:
        engine, other = create_engine(url), create_engine(url)
        lifeline, looking = open_lifeline(engine), open_lifeline(other)
        lifeline.hold(OWNER)
        assert looking.is_held(OWNER)
        with other.begin() as connection:
            assert connection.scalar(text(f"SELECT pg_terminate_backend(pid, 10000) {_LOCKS}"))
        assert not looking.is_held(OWNER)
        with pytest.raises(StoreUnavailable):
            lifeline.hold(OWNER)
        lifeline.hold("host:17:anew")
        assert looking.is_held("host:17:anew")
        for each in (lifeline, looking):
            each.close()
        for each_engine in (engine, other):
            each_engine.dispose()


def test_what_was_taken_is_read_by_who_takes_over_and_then_forgotten(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/pbm.db", new=True)
    dead, heir = open_lifeline(engine), open_lifeline(engine)
    dead.hold(OTHER)
    dead.note_sent({3: "250 OK", 5: "250 OK"}, NOW, on_disk=True)
    dead.note_sent({7: ""}, NOW, on_disk=True)
    (noted,) = tmp_path.glob("pbm.db-claims-*")
    with noted.open("ab") as half:
        half.write(b"\0\0\0009\n")  # what a power cut can leave of "1009"
        half.write(b"11")  # the kill came in the middle of a number
    assert heir.noted_by(OTHER) == (3, 5, 7)
    heir.forget_noted(OTHER)
    assert heir.noted_by(OTHER) == ()
    assert not noted.exists()
    dead.close()
    heir.close()
    engine.dispose()


@pytest.mark.postgres
def test_what_was_noted_in_the_outbox_need_not_be_recorded_while_the_connection_holds(
    postgres_engine: Engine,
) -> None:
    with UnitOfWork(postgres_engine) as unit:
        unit.outbox.add([an_answer(word=f"{n}") for n in range(3)], NOW)
        unit.commit()
    lifeline = open_lifeline(postgres_engine)
    lifeline.hold(OWNER)
    lifeline.note_sent({1: "250 OK", 3: "250 OK"}, NOW, on_disk=True)
    assert sorted(lifeline.recorded()) == [1, 3]
    with UnitOfWork(postgres_engine) as unit:
        assert [row.id for row in unit.outbox.listing()] == [2]
        assert unit.connection.scalar(text(f"SELECT pg_terminate_backend(pid, 10000) {_LOCKS}"))
    while lifeline.recorded():
        pass  # the server ends the process, and only then the connection is closed
    lifeline.close()
