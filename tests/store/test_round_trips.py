"""How often PostgreSQL is waited for, as the driver's own record of its messages tells."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from sqlalchemy import Engine, event, text

from pbm.domain.match import Match
from pbm.service.ports import Foreseen, Snapshot
from pbm.store.batch import Batch
from pbm.store.database import create_engine
from pbm.store.inbox import claims_for
from pbm.store.intake import Letterbox
from pbm.store.outbox import add_mails
from pbm.store.unit import UnitOfWork
from pbm.store.waking import open_bell
from tests.store.samples import NOW, START, a_mail, a_match, a_move, add_players, an_answer

pytestmark = pytest.mark.postgres

_PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%FROM inbox%'")

_PLANNED_ANEW = text(
    "SELECT sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%FROM inbox%'"
)

_BACKEND = text("SELECT pg_backend_pid()")

_SYNCED = text("SHOW synchronous_commit")

_MESSAGE = re.compile(r"^([FB])\t\d+\t\w", re.MULTILINE)
"""What libpq writes of each message: F before one to the server, B before one that comes back."""

PATTERNS = frozenset({"a@example.org"})


class Trips:
    """Counts the round trips of a connection: how often something is sent, and then answered."""

    def __init__(self, written: BinaryIO, read: BinaryIO) -> None:
        self._written = written
        self._file = read

    def connect(self, driver: Any, _record: object) -> None:
        driver.pgconn.trace(self._written.fileno())
        driver.pgconn.set_trace_flags(1)  # without the time

    def since(self) -> int:
        """Return how many there were since this was called last."""
        told = self._file.read().decode("latin-1")
        ends = [end for end, _ in groupby(_MESSAGE.findall(told))]
        return ends.count("F")


@pytest.fixture
def trips(tmp_path: Path) -> Iterator[Trips]:
    file = tmp_path / "messages"
    with file.open("wb") as written, file.open("rb") as read:
        yield Trips(written, read)


@pytest.fixture
def engine(postgres_engine: Engine, trips: Trips) -> Iterator[Engine]:
    """Yield an engine with one connection, whose messages are recorded, and with a bell."""
    made = create_engine(postgres_engine.url.render_as_string(hide_password=False))
    open_bell(made)
    event.listen(made, "connect", trips.connect)
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


def play(engine: Engine, match: Match) -> None:
    """Play a move as the play stage does, with an answer to each player."""
    with Batch(engine, claims_for(engine)) as batch:
        (mail,) = batch.claim(64)
        batch.read_ahead(Foreseen(frozenset({match.number}), frozenset(match.players), PATTERNS))
        batch.bans.any_of(["a@example.org"])
        found = batch.matches.get(match.number)
        assert found
        batch.players.by_ids(match.players)
        batch.followers.of(match.number, match.game)
        batch.plans.queuers(match.number)
        moved = replace(found[0], log=found[0].log.plus(a_move(0)))
        batch.matches.save(found[0], moved, Snapshot(len(moved.log), "{}"), (1,))
        batch.outbox.add([an_answer(word=word) for word in "ab"], NOW, mail.id)
        batch.inbox.done(mail.id, "played", NOW)
        batch.commit()


def test_a_lone_move_waits_for_the_server_a_few_times(engine: Engine, trips: Trips) -> None:
    with UnitOfWork(engine) as unit:
        match = a_match(101, add_players(unit, "alice", "bob"))
        unit.matches.add(match, START, (0,))
        unit.commit()
    letterbox = Letterbox(engine, lambda _: None, most_waiting=100)
    letterbox.put([a_mail()])  # the first one asks how many octets wait
    play(engine, match)
    trips.since()
    letterbox.put([a_mail()])
    # The queue and the ids; the row, whose number says whether it is a repeat; the text, and all
    # is committed.
    assert trips.since() == 3
    play(engine, match)
    # The claim with the mail; what it names; what the board names; the save, which says whether
    # the board is still as it was, and the ids; the rest, and all is committed.
    assert trips.since() == 5
    with UnitOfWork(engine) as unit:
        claimed = unit.outbox.claim(100, "host:1:x", NOW, NOW)
        unit.commit()
    # The lease with the texts, and it is committed.
    assert len(claimed()) == 4
    assert trips.since() == 1
    with UnitOfWork(engine) as unit:
        unit.outbox.sent([each.id for each in claimed()], NOW)
        unit.pulses.all()
        unit.commit()
    assert trips.since() == 2


def test_a_look_for_work_waits_twice(engine: Engine, trips: Trips) -> None:
    trips.since()
    with UnitOfWork(engine, write=False) as unit:
        unit.follow_ups.wait()
    assert trips.since() == 2


def test_a_unit_of_work_that_asks_nothing_never_waits(engine: Engine, trips: Trips) -> None:
    trips.since()
    with UnitOfWork(engine) as unit:
        unit.commit()
    with UnitOfWork(engine):
        pass
    assert trips.since() == 0


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
