"""Many workers at once: one of them does each piece of work, and nothing is overwritten."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from threading import Barrier
from typing import TypeVar

import psycopg
import pytest
from sqlalchemy import Engine, bindparam, event, text, update

from pbm.core.delivery import deliver_waiting
from pbm.core.heartbeat import ALL_PARTS, SERVING, beat, silent_since
from pbm.domain.invitations import Invitation, InvitationState, Seek, Terms
from pbm.domain.logs import Log
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerKind
from pbm.domain.ratings import Rating
from pbm.domain.robots import ThoughtKind
from pbm.engine import Setup
from tests.doors import Conflict, FollowUpKind, News, Snapshot, UnitOfWork, letterbox, tables
from tests.processes import until
from tests.relay.test_delivery import Script
from tests.store.conftest import Begin, Opened
from tests.store.samples import MINUTE, NOW, START, a_mail, a_match, a_move, add_players, an_answer

T = TypeVar("T")


def at_once(count: int, work: Callable[[int], T]) -> Sequence[T]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def committed(begin: Begin, work: Callable[[UnitOfWork], object]) -> object:
    """Return what `work` returns, or "conflict"."""
    try:
        with begin() as unit:
            done = work(unit)
            unit.commit()
    except Conflict:
        return "conflict"
    return done


def enrolled(begin: Begin, *userids: str) -> tuple[int, ...]:
    with begin() as unit:
        players = add_players(unit, *userids)
        unit.commit()
    return players


def test_numbers_and_counts_are_given_once(begin: Begin) -> None:
    numbers = at_once(20, lambda _: committed(begin, UnitOfWork.next_number))
    assert set(numbers) == set(range(101, 121))
    counted = at_once(8, lambda _: committed(begin, lambda unit: unit.tally("alice", NOW)))
    assert set(counted) == set(range(1, 9))


def test_of_two_workers_at_the_same_ply_one_saves_and_one_meets_a_conflict(begin: Begin) -> None:
    with begin() as unit:
        unit.matches.add(a_match(101, add_players(unit, "alice", "bob")), START, (0,))
        unit.commit()
    both_have_read = Barrier(2)

    def play(worker: int) -> str:
        with begin() as unit:
            found = unit.matches.get(101)
        assert found is not None
        both_have_read.wait(10)
        text = f"a{worker + 1}"
        after = replace(found[0], log=Log((a_move(0, text),)))
        save = found[0], after, Snapshot(1, text), (1,)
        return (
            text if committed(begin, lambda u: u.matches.save(*save)) != "conflict" else "conflict"
        )

    outcomes = at_once(2, play)
    (played,) = set(outcomes) - {"conflict"}
    assert "conflict" in outcomes
    with begin() as unit:
        found = unit.matches.get(101)
    assert found is not None
    assert [entry.text for entry in found[0].log] == [played] == [found[1] and found[1].state]
    assert found[0].version == 1


def test_a_mail_repeated_at_once_is_stored_once(engine: Engine, begin: Begin) -> None:
    intake = letterbox(engine)
    at_once(4, lambda n: intake.put([a_mail(b"same"), a_mail(b"own %d" % n)]))
    with begin() as unit:
        assert unit.inbox.waiting() == 5


def test_mails_taken_by_several_intakes_at_once_keep_each_senders_order(
    engine: Engine, begin: Begin
) -> None:
    def send(worker: int) -> None:
        intake = letterbox(engine)
        for n in range(10):
            flood = [replace(a_mail(b"%d %d %d" % (worker, n, k)), sender="flood") for k in (1, 2)]
            mine = replace(a_mail(b"%d %d" % (worker, n)), sender=f"{worker}@example.org")
            intake.put([flood[0], mine, flood[1]])

    at_once(4, send)
    with begin() as unit:
        mails = [waiting.mail for waiting in unit.inbox.claim(1000)]
    assert len(mails) == 120
    for worker in range(4):
        own = [mail.content for mail in mails if mail.sender == f"{worker}@example.org"]
        assert own == [b"%d %d" % (worker, n) for n in range(10)]


def test_of_settings_made_at_once_none_is_lost(begin: Begin) -> None:
    (alice,) = enrolled(begin, "alice")
    at_once(6, lambda n: committed(begin, lambda u: u.players.set_setting(alice, f"{n}", "yes")))
    with begin() as unit:
        assert len(unit.players.by_ids([alice])[alice].settings) == 6


def test_of_two_matches_that_rate_a_player_at_once_one_meets_a_conflict(begin: Begin) -> None:
    (alice,) = enrolled(begin, "alice")
    first, second = (Rating(won=won, updated_at=NOW + won * MINUTE) for won in (1, 2))

    def rate(before: Rating | None, after: Rating) -> Callable[[int], object]:
        return lambda _: committed(begin, lambda u: u.ratings.save("x", alice, before, after))

    assert set(at_once(2, rate(None, first))) == {"conflict", None}
    assert set(at_once(2, rate(first, second))) == {"conflict", None}
    with begin() as unit:
        # Nor is one replaced that was computed from another, or when it was older.
        for before in (None, Rating(1500, won=2), replace(second, updated_at=NOW)):
            with pytest.raises(Conflict):
                unit.ratings.save("x", alice, before, first)
        assert unit.ratings.of("x", [alice]) == {alice: second}


def test_each_mail_is_leased_to_one_of_many_relays(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(f"p{n}@example.org", str(n)) for n in range(40)], NOW)
        unit.commit()

    def deliver(worker: int) -> list[int]:
        claimed: list[int] = []
        while True:
            with begin() as unit:
                part = unit.outbox.claim(3, f"relay {worker}", NOW, NOW + MINUTE)
                unit.commit()
            if not part:
                return claimed
            assert len(part) <= 3
            claimed += [delivery.id for delivery in part]

    assert sorted(chain.from_iterable(at_once(4, deliver))) == list(range(1, 41))


def test_an_invitation_is_answered_from_the_state_that_it_is_in(unit: UnitOfWork) -> None:
    """Otherwise two who agree at once would each see their own answer, and no match would begin."""
    alice, bob = add_players(unit, "alice", "bob")
    setup = Setup({"size": "3"})
    open_to_both = Invitation(101, "x", setup, Terms(), (alice, bob), alice, frozenset(), NOW)
    unit.invitations.add(open_to_both)
    unit.invitations.save(replace(open_to_both, agreed=frozenset({alice})))
    with pytest.raises(Conflict):
        unit.invitations.save(replace(open_to_both, agreed=frozenset({bob})))
    expired = replace(open_to_both, agreed=frozenset({alice, bob}), state=InvitationState.EXPIRED)
    unit.invitations.save(expired)
    for state in (InvitationState.STARTED, InvitationState.EXPIRED):
        with pytest.raises(Conflict):
            unit.invitations.save(replace(open_to_both, state=state))
    assert unit.invitations.get(101) == expired


def test_each_match_of_a_seek_is_taken_once_and_the_last_one_ends_it(unit: UnitOfWork) -> None:
    (alice,) = add_players(unit, "alice")
    seek = Seek(110, alice, "hex", Setup({}), Terms(rated=False), 2, NOW, seat=1)
    unit.wishes.set_seek(seek)
    unit.wishes.take_seek(seek)
    left = unit.wishes.seek(seek.number)
    assert left == replace(seek, count=1)
    with pytest.raises(Conflict):
        unit.wishes.take_seek(seek)
    unit.wishes.take_seek(left)
    assert unit.wishes.seek(seek.number) is None
    with pytest.raises(Conflict):
        unit.wishes.take_seek(left)


BACK = NOW + timedelta(days=3)


def give_sign(begin: Begin, *parts: str, at: timedelta = BACK - NOW) -> None:
    with begin() as work:
        beat(work, parts, NOW + at, SERVING)
        work.commit()


def test_processes_that_come_back_at_once_write_one_outage_and_one_piece_of_news(
    begin: Begin,
) -> None:
    give_sign(begin, *ALL_PARTS, at=timedelta(0))
    together = Barrier(8)

    def come_back(number: int) -> None:
        together.wait(10)
        give_sign(begin, *(ALL_PARTS if number % 2 else ALL_PARTS[:1]))

    at_once(8, come_back)
    with begin() as work:
        (outage,) = work.pauses.of(None)
        assert (outage.kind, outage.began_at, outage.until) == (PauseKind.OUTAGE, NOW, BACK)
        news = work.announcements.next()
        assert news is not None
        assert (news.news, news.pause) == (News.OUTAGE, outage)
        work.announcements.done(news.id)
        assert work.announcements.next() is None
        assert silent_since(work, BACK) is None


@pytest.fixture
def begin_postgres(postgres_engine: Engine) -> Begin:
    return lambda: UnitOfWork(postgres_engine)


@pytest.mark.postgres
def test_a_sign_waits_for_one_that_is_not_committed_yet(begin_postgres: Begin) -> None:
    """Otherwise both would find the server silent."""
    give_sign(begin_postgres, *ALL_PARTS, at=timedelta(0))
    with ThreadPoolExecutor(1) as pool, begin_postgres() as first:
        first.pulses.held()
        later = pool.submit(give_sign, begin_postgres, "play")
        with pytest.raises(TimeoutError):
            later.result(0.3)
        beat(first, ALL_PARTS, BACK, SERVING)
        first.commit()
        later.result(10)
    with begin_postgres() as work:
        assert len(work.pauses.of(None)) == 1


def mails_of_the_inbox(unit: UnitOfWork, who: str, many: int) -> list[int]:
    del who
    return [waiting.id for waiting in unit.inbox.claim(many)]


def mails_of_the_outbox(unit: UnitOfWork, who: str, many: int) -> list[int]:
    return [delivery.id for delivery in unit.outbox.claim(many, who, NOW, NOW + MINUTE)]


def thoughts(unit: UnitOfWork, who: str, many: int) -> list[int]:
    claimed = (unit.thoughts.claim(who, NOW + MINUTE, NOW) for _ in range(many))
    return [each.number - 100 for each in claimed if each]


@pytest.mark.postgres
@pytest.mark.parametrize("claim", [mails_of_the_inbox, mails_of_the_outbox, thoughts])
def test_two_workers_on_postgresql_claim_different_work_and_do_not_wait(
    postgres_engine: Engine, begin_postgres: Begin, claim: Callable[..., list[int]]
) -> None:
    letterbox(postgres_engine).put([a_mail(b"%d" % n) for n in range(4)])
    with begin_postgres() as unit:
        unit.outbox.add([an_answer(f"p{n}@example.org", str(n)) for n in range(4)], NOW)
        (alice,) = add_players(unit, "alice")
        robot = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
        for number in range(101, 105):
            unit.matches.add(a_match(number, (alice, robot)), START, (1,))
            unit.thoughts.add(ThoughtKind.MOVE, number, robot, NOW)
        unit.commit()
    with begin_postgres() as one, begin_postgres() as two:
        assert (claim(one, "one", 3), claim(two, "two", 3)) == ([1, 2, 3], [4])
    with begin_postgres() as unit:
        assert claim(unit, "three", 9) == [1, 2, 3, 4]


@pytest.mark.postgres
def test_a_mail_waits_for_the_one_before_it_that_another_worker_is_claiming(
    begin_postgres: Begin,
) -> None:
    with begin_postgres() as unit:
        unit.outbox.add([an_answer(word=word) for word in "ab"], NOW)
        unit.outbox.add([an_answer("bob@example.org", "c")], NOW)
        unit.commit()
    with begin_postgres() as one, begin_postgres() as two:
        assert mails_of_the_outbox(one, "one", 1) == [1]
        assert mails_of_the_outbox(two, "two", 3) == [3]


@pytest.mark.postgres
def test_what_a_follow_up_tells_is_not_changed_while_another_has_it(begin_postgres: Begin) -> None:
    with begin_postgres() as unit:
        unit.follow_ups.add(FollowUpKind.BOARD, None, NOW, number=101, facts={})
        unit.commit()
    with begin_postgres() as unit, begin_postgres() as other:
        assert unit.follow_ups.not_begun(FollowUpKind.BOARD, 101)
        assert unit.follow_ups.claim()
        assert other.follow_ups.not_begun(FollowUpKind.BOARD, 101) is None


@pytest.mark.postgres
def test_a_deadlock_on_postgresql_is_a_conflict_for_one_of_the_two(begin_postgres: Begin) -> None:
    both_hold_one = Barrier(2)

    def count_both(worker: int) -> object:
        def count(unit: UnitOfWork) -> None:
            keys = ("a", "b") if worker else ("b", "a")
            unit.tally(keys[0], NOW)
            both_hold_one.wait(10)
            unit.tally(keys[1], NOW)

        return committed(begin_postgres, count)

    assert set(at_once(2, count_both)) == {"conflict", None}


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
        with postgres_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as third:
            until(lambda: third.scalar(_WAITING_FOR_LOCKS), "the reader to wait for the log")
        saver = UnitOfWork.within(postgres_engine, other)
        saver.matches.save(before, after, Snapshot(1, "{}"), (1,))
        other.commit()
        assert reading.result(10) == (before, START)
    assert get() == (replace(after, version=1), Snapshot(1, "{}"))


@pytest.mark.postgres
def test_what_the_relay_has_taken_is_recorded_after_a_deadlock(
    postgres_engine: Engine, opened: Opened
) -> None:
    units: list[UnitOfWork] = []
    # One of its own, because the others are shared by all tests, with whatever listens there.
    engine = opened(postgres_engine.url.render_as_string(hide_password=False))

    # PostgreSQL looks for a deadlock once, so long after a wait began: by then it must be there.
    @event.listens_for(engine, "checkout")
    def _look_later(driver: psycopg.Connection, *_: object) -> None:
        driver.execute("SET deadlock_timeout = '1s'")
        driver.commit()

    def open_unit() -> UnitOfWork:
        units.append(UnitOfWork(engine))
        return units[-1]

    with open_unit() as unit:
        unit.outbox.add([an_answer(word=word) for word in ("one", "two")], NOW)
        unit.commit()
    touch = (
        update(tables.outbox).values(error="touched").where(tables.outbox.c.id == bindparam("mail"))
    )
    with engine.connect() as other, ThreadPoolExecutor(1) as pool:
        # So it is the delivery that gives way.
        other.execute(text("SET LOCAL deadlock_timeout = '1min'"))
        relay = Script({"alice": lambda: other.execute(touch, {"mail": 2})})
        delivery = pool.submit(deliver_waiting, open_unit, relay, lambda: NOW, "a:1:x", 10)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as third:
            until(lambda: third.scalar(_WAITING_FOR_LOCKS), "the verdicts to wait for a lock")
        other.execute(touch, {"mail": 1})
        other.commit()
        assert delivery.result() == 2
    # In peace there are three. One more is a deadlock lost; a delivery that is back at the first
    # mail before the other has woken meets the same deadlock again.
    assert len(units) >= 4
    with open_unit() as unit:
        assert unit.outbox.listing() == ()
