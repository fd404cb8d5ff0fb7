"""Many workers at once: one of them does each piece of work, and nothing is overwritten."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from threading import Barrier
from typing import TypeVar

import psycopg
import pytest
from sqlalchemy import Engine, bindparam, event, text, update

from pbm.domain.logs import Log
from pbm.domain.player import PlayerId
from pbm.domain.ratings import Rating
from pbm.service.delivery import deliver_waiting
from pbm.service.ports import Conflict, Snapshot
from pbm.store.intake import Letterbox
from pbm.store.pipeline import each_alone
from pbm.store.tables import outbox
from pbm.store.unit import UnitOfWork
from tests.processes import until
from tests.relay.test_delivery import Script
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, START, a_mail, a_match, a_move, add_players, an_answer

T = TypeVar("T")


def at_once(count: int, work: Callable[[int], T]) -> Sequence[T]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_twenty_threads_are_given_twenty_numbers(engine: Engine) -> None:
    def take(_: int) -> int:
        with UnitOfWork(engine) as unit:
            number = unit.next_number()
            unit.commit()
        return number

    assert sorted(at_once(20, take)) == list(range(101, 121))


def test_no_event_goes_uncounted(engine: Engine) -> None:
    def count(_: int) -> int:
        with UnitOfWork(engine) as unit:
            counted = unit.tally("alice", NOW)
            unit.commit()
        return counted

    assert sorted(at_once(8, count)) == list(range(1, 9))


def test_of_two_workers_at_the_same_ply_one_saves_and_one_meets_a_conflict(engine: Engine) -> None:
    with UnitOfWork(engine) as unit:
        unit.matches.add(a_match(101, add_players(unit, "alice", "bob")), START, (0,))
        unit.commit()
    both_have_read = Barrier(2)

    def play(worker: int) -> str:
        with UnitOfWork(engine, write=False) as unit:
            found = unit.matches.get(101)
        assert found is not None
        both_have_read.wait(10)
        text = f"a{worker + 1}"
        after = replace(found[0], log=Log((a_move(0, text),)))
        try:
            with UnitOfWork(engine) as unit:
                unit.matches.save(found[0], after, Snapshot(1, text), (1,))
                unit.commit()
        except Conflict:
            return "conflict"
        return text

    outcomes = at_once(2, play)
    (played,) = set(outcomes) - {"conflict"}
    assert "conflict" in outcomes
    with UnitOfWork(engine) as unit:
        found = unit.matches.get(101)
    assert found is not None
    assert [entry.text for entry in found[0].log] == [played] == [found[1] and found[1].state]
    assert found[0].version == 1


def test_a_mail_repeated_at_once_is_stored_once(engine: Engine, begin: Begin) -> None:
    intake = Letterbox(engine, lambda mail: mail.content.decode(), most_waiting=100)
    at_once(4, lambda n: intake.put([a_mail(b"same"), a_mail(b"own %d" % n)]))
    with begin() as unit:
        assert unit.inbox.waiting() == 5


def test_mails_taken_by_several_intakes_at_once_keep_each_senders_order(
    engine: Engine, begin: Begin
) -> None:
    def send(worker: int) -> None:
        intake = Letterbox(engine, lambda _: None, most_waiting=1000)
        mine = replace(a_mail(), sender=f"{worker}@example.org")
        flood = replace(a_mail(), sender="flood@example.org")
        for n in range(10):
            intake.put([flood, replace(mine, content=b"%d" % n), flood])

    at_once(4, send)
    with begin() as unit:
        mails = [waiting.mail for waiting in unit.inbox.claim(1000)]
    assert len(mails) == 120
    for worker in range(4):
        own = [int(mail.content) for mail in mails if mail.sender == f"{worker}@example.org"]
        assert own == list(range(10))


def test_of_settings_made_at_once_none_is_lost(engine: Engine) -> None:
    with UnitOfWork(engine) as unit:
        (alice,) = add_players(unit, "alice")
        unit.commit()

    def make(worker: int) -> None:
        with UnitOfWork(engine) as unit:
            unit.players.set_setting(alice, f"name{worker}", "yes")
            unit.commit()

    at_once(6, make)
    with UnitOfWork(engine) as unit:
        assert len(unit.players.by_ids([alice])[alice].settings) == 6


def test_of_two_matches_that_rate_a_player_at_once_one_meets_a_conflict(engine: Engine) -> None:
    with UnitOfWork(engine) as unit:
        (alice,) = add_players(unit, "alice")
        unit.commit()
    first, second = (Rating(won=won, updated_at=NOW + won * MINUTE) for won in (1, 2))
    for before, after in ((None, first), (first, second)):
        assert sorted(at_once(2, partial(_rate, engine, alice, before, after))) == [
            "conflict",
            "saved",
        ]


def _rate(
    engine: Engine, player: PlayerId, before: Rating | None, after: Rating, worker: int
) -> str:
    del worker
    try:
        with UnitOfWork(engine) as unit:
            unit.ratings.save("hex", player, before, after)
            unit.commit()
    except Conflict:
        return "conflict"
    return "saved"


def test_each_mail_is_leased_to_one_of_many_relays(engine: Engine) -> None:
    with UnitOfWork(engine) as unit:
        unit.outbox.add([an_answer(word=str(n)) for n in range(40)], NOW)
        unit.commit()

    def deliver(worker: int) -> list[int]:
        claimed: list[int] = []
        while True:
            with UnitOfWork(engine) as unit:
                part = unit.outbox.claim(3, f"relay {worker}", NOW, NOW + MINUTE)()
                unit.commit()
            if not part:
                return claimed
            assert len(part) <= 3
            claimed += [delivery.id for delivery in part]

    shares = at_once(4, deliver)
    assert sorted(chain.from_iterable(shares)) == list(range(1, 41))


@pytest.mark.postgres
def test_two_workers_on_postgresql_claim_different_mails_and_do_not_wait(
    postgres_engine: Engine,
) -> None:
    Letterbox(postgres_engine, lambda _: None, most_waiting=100).put(
        [a_mail(b"%d" % n) for n in range(4)]
    )
    with UnitOfWork(postgres_engine) as one, UnitOfWork(postgres_engine) as two:
        first = [waiting.mail.content for waiting in one.inbox.claim(3)]
        second = [waiting.mail.content for waiting in two.inbox.claim(3)]
        assert (first, second) == ([b"0", b"1", b"2"], [b"3"])
    with UnitOfWork(postgres_engine) as unit:
        assert len(unit.inbox.claim(10)) == 4


@pytest.mark.postgres
def test_two_relays_on_postgresql_claim_different_mails_and_do_not_wait(
    postgres_engine: Engine,
) -> None:
    until = NOW + MINUTE
    with UnitOfWork(postgres_engine) as unit:
        unit.outbox.add([an_answer(word=str(n)) for n in range(4)], NOW)
        unit.commit()
    with UnitOfWork(postgres_engine) as one, UnitOfWork(postgres_engine) as two:
        first = [delivery.mail.content for delivery in one.outbox.claim(3, "one", NOW, until)()]
        second = [delivery.mail.content for delivery in two.outbox.claim(3, "two", NOW, until)()]
        assert (first, second) == ([b"0", b"1", b"2"], [b"3"])


@pytest.mark.postgres
def test_a_deadlock_on_postgresql_is_a_conflict_for_one_of_the_two(postgres_engine: Engine) -> None:
    both_hold_one = Barrier(2)

    def count_both(worker: int) -> str:
        keys = ("a", "b") if worker else ("b", "a")
        try:
            with UnitOfWork(postgres_engine) as unit:
                unit.tally(keys[0], NOW)
                both_hold_one.wait(10)
                unit.tally(keys[1], NOW)
                unit.commit()
        except Conflict:
            return "conflict"
        return "counted"

    assert sorted(at_once(2, count_both)) == ["conflict", "counted"]


_WAITING_FOR_LOCKS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@pytest.mark.postgres
def test_a_match_is_read_as_of_one_moment_while_another_saves_it(postgres_engine: Engine) -> None:
    with UnitOfWork(postgres_engine) as unit:
        before = a_match(101, add_players(unit, "alice", "bob"))
        unit.matches.add(before, START, (0,))
        unit.commit()
    after = replace(before, log=Log((a_move(0),)))

    def get() -> object:
        with UnitOfWork(postgres_engine) as unit:
            return unit.matches.get(101)

    with postgres_engine.connect() as other, ThreadPoolExecutor(1) as pool:
        # The reader has found the match and waits for its log, which the other changes meanwhile.
        other.execute(text("LOCK TABLE log IN ACCESS EXCLUSIVE MODE"))
        reading = pool.submit(get)
        with each_alone(postgres_engine.connect()) as third:
            until(lambda: third.scalar(_WAITING_FOR_LOCKS), "the reader to wait for the log")
        saver = UnitOfWork.within(postgres_engine, other)
        saver.matches.save(before, after, Snapshot(1, "{}"), (1,))
        other.commit()
        assert reading.result(10) == (before, START)
    assert get() == (replace(after, version=1), Snapshot(1, "{}"))


@pytest.mark.postgres
def test_what_the_relay_has_taken_is_recorded_after_a_deadlock(postgres_engine: Engine) -> None:
    units: list[UnitOfWork] = []

    # PostgreSQL looks for a deadlock once, so long after a wait began: by then it must be there.
    @event.listens_for(postgres_engine, "checkout")
    def _look_later(driver: psycopg.Connection, *_: object) -> None:
        driver.execute("SET deadlock_timeout = '1s'")

    def open_unit() -> UnitOfWork:
        units.append(UnitOfWork(postgres_engine))
        return units[-1]

    with open_unit() as unit:
        unit.outbox.add([an_answer(word=word) for word in ("one", "two")], NOW)
        unit.commit()
    touch = update(outbox).values(error="touched").where(outbox.c.id == bindparam("mail"))
    with postgres_engine.connect() as other, ThreadPoolExecutor(1) as pool:
        # So it is the delivery that gives way.
        other.execute(text("SET LOCAL deadlock_timeout = '1min'"))
        relay = Script({"alice": lambda: other.execute(touch, {"mail": 2})})
        delivery = pool.submit(deliver_waiting, open_unit, relay, lambda: NOW, "a:1:x", 10)
        with each_alone(postgres_engine.connect()) as third:
            until(lambda: third.scalar(_WAITING_FOR_LOCKS), "the verdicts to wait for a lock")
        other.execute(touch, {"mail": 1})
        other.commit()
        assert delivery.result() == 2
    # In peace there are three. One more is a deadlock lost; a delivery that is back at the first
    # mail before the other has woken meets the same deadlock again.
    assert len(units) >= 4
    with open_unit() as unit:
        assert unit.outbox.listing() == ()
