"""What it costs to take mails in: as much with a long queue as with none, in few statements."""

import sqlite3
from dataclasses import replace
from itertools import count

import pytest
from sqlalchemy import Engine, event

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.mail import IntakeUnavailable
from pbm.store.database import create_engine
from pbm.store.intake import Letterbox
from pbm.store.unit import UnitOfWork
from tests.statements import counting
from tests.store.samples import NOW, a_mail, an_answer

_numbers = count()


def mails(many: int) -> list[ReceivedMail]:
    """Return so many mails of different senders."""
    return [
        replace(a_mail(b"%d" % next(_numbers)), sender=f"p{n}@d{n % 7}.example")
        for n in range(many)
    ]


def letterbox(engine: Engine, most: int = 50_000) -> Letterbox:
    return Letterbox(engine, lambda mail: mail.content.decode(), most_waiting=most)


@pytest.mark.parametrize("many", [1, 16, 64])
def test_a_batch_of_mails_is_stored_in_few_statements(url: str, many: int) -> None:
    with counting() as seen:
        engine = create_engine(url)
        intake = letterbox(engine)
        intake.put(mails(1))
        before = seen.statements
        intake.put(mails(many))
        # Begin, take ids, look at the queue, keep the tallies, add rows, add texts. On PostgreSQL
        # one intake at a time has the lock, indexes are asked for, and the COMMIT is seen. SQLite's
        # rows come in pieces of 64, 16 and 4.
        assert seen.statements - before <= (9 if engine.dialect.name == "postgresql" else 12)
        engine.dispose()


def test_deliveries_are_claimed_and_recorded_by_two_statements_each(url: str) -> None:
    with counting() as seen:
        engine = create_engine(url)
        with UnitOfWork(engine) as unit:
            unit.outbox.add([an_answer(word=f"{n}") for n in range(100)], NOW)
            before = seen.statements
            claimed = unit.outbox.claim(100, "one", NOW, NOW)()
            unit.outbox.sent([delivery.id for delivery in claimed], NOW)
            # SQLite is told twice whether to overwrite what is deleted.
            assert seen.statements - before == (4 if engine.dialect.name == "postgresql" else 6)
            assert len(claimed) == 100
        engine.dispose()


def steps_of(engine: Engine, intake: Letterbox) -> int:
    """Return how many tens of steps SQLite's machine does for a batch."""
    taken = [0]

    def step() -> int:
        taken[0] += 1
        return 0

    def watch(driver: sqlite3.Connection, *_: object) -> None:
        driver.set_progress_handler(step, 10)

    event.listen(engine, "checkout", watch)
    intake.put(mails(16))
    event.remove(engine, "checkout", watch)
    return taken[0]


def test_a_batch_costs_the_same_whether_few_mails_wait_or_many(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    intake = letterbox(engine, most=6000)
    intake.put(mails(64))
    few = steps_of(engine, intake)
    for _ in range(5):
        intake.put(mails(1000))
    assert steps_of(engine, intake) <= 1.2 * few
    engine.dispose()


def test_the_high_water_mark_holds_for_all_processes_that_take_mails_in(url: str) -> None:
    engines = [create_engine(url) for _ in range(2)]
    one, other = (letterbox(engine, most=10) for engine in engines)
    one.put(mails(4))
    other.put(mails(6))
    for intake in (one, other):
        with pytest.raises(IntakeUnavailable, match="10 mails or more wait"):
            intake.put(mails(1))
    with UnitOfWork(engines[0]) as unit:
        for waiting in unit.inbox.claim(3):
            unit.inbox.done(waiting.id)
        unit.commit()
    other.put(mails(2))
    one.put(mails(1))
    with pytest.raises(IntakeUnavailable):
        other.put(mails(1))
    for engine in engines:
        engine.dispose()
