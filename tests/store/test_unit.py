"""A unit of work is kept as a whole or not at all, even when the process is killed."""

from contextlib import suppress

import pytest
from sqlalchemy import Engine, event, text

from pbm.domain.mail import OutgoingMail
from pbm.service.ports import StoreUnavailable
from pbm.store.database import create_engine
from pbm.store.unit import UnitOfWork
from tests.processes import another
from tests.store.conftest import Begin
from tests.store.others import stops_halfway, writes_without_end
from tests.store.samples import MINUTE, NOW, add_players


def test_what_is_not_committed_is_rolled_back(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "alice")
    with begin() as unit:
        assert unit.players.by_userid("alice") is None


def _add_and_fail(unit: UnitOfWork, userid: str) -> None:
    add_players(unit, userid)
    raise ZeroDivisionError


def test_an_exception_rolls_back(begin: Begin) -> None:
    with pytest.raises(ZeroDivisionError), begin() as unit:
        _add_and_fail(unit, "alice")
    with begin() as unit:
        assert list(unit.players.listing()) == []


def test_a_savepoint_fails_alone(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "alice")
        with pytest.raises(ZeroDivisionError), unit.savepoint():
            _add_and_fail(unit, "bob")
        with unit.savepoint():
            add_players(unit, "carl")
        unit.commit()
    with begin() as unit:
        assert [player.userid for player in unit.players.listing()] == ["alice", "carl"]


def test_a_statement_that_fails_in_a_savepoint_leaves_the_rest_usable(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        with pytest.raises(Exception, match=r"(?i)foreign key"), unit.savepoint():
            unit.players.set_addresses(alice + 1, ["a@b.cd"])
        add_players(unit, "bob")
        unit.commit()
    with begin() as unit:
        assert len(list(unit.players.listing())) == 2


def _add_within_and_fail(unit: UnitOfWork) -> None:
    with unit.savepoint():
        add_players(unit, "dora")
    _add_and_fail(unit, "emil")


def test_a_savepoint_within_another_fails_alone_or_with_it(begin: Begin) -> None:
    with begin() as unit:
        with unit.savepoint():
            add_players(unit, "alice")
            with pytest.raises(ZeroDivisionError), unit.savepoint():
                _add_and_fail(unit, "bob")
            with unit.savepoint():
                add_players(unit, "carl")
        with pytest.raises(ZeroDivisionError), unit.savepoint():
            _add_within_and_fail(unit)
        unit.commit()
    with begin() as unit:
        assert [player.userid for player in unit.players.listing()] == ["alice", "carl"]


def test_an_outage_in_a_savepoint_is_raised_as_an_outage(sqlite_url: str) -> None:
    # On a full disk SQLite may end the transaction by itself, and the savepoint with it.
    engine = create_engine(sqlite_url)
    event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=60"))
    huge = [OutgoingMail("pbm@x.org", "a@x.org", "<1@x.org>", bytes(1_000_000))]
    with UnitOfWork(engine) as unit, pytest.raises(StoreUnavailable), unit.savepoint():
        unit.outbox.add(huge, NOW)
    with UnitOfWork(engine) as unit:
        assert unit.outbox.listing() == ()
    engine.dispose()


def test_nothing_can_be_done_after_the_commit(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "alice")
        unit.commit()
        with pytest.raises(RuntimeError, match="ends with its commit"):
            unit.next_number()
        with pytest.raises(RuntimeError, match="ends with its commit"):
            unit.commit()
        with pytest.raises(RuntimeError, match="ends with its commit"):
            unit.players.by_userid("alice")


def test_board_numbers_begin_at_101_and_are_given_once(begin: Begin) -> None:
    with begin() as unit:
        assert [unit.next_number() for _ in range(3)] == [101, 102, 103]
        unit.commit()
    with begin() as unit:
        assert unit.next_number() == 104


def test_events_are_counted_by_key_and_window(begin: Begin) -> None:
    with begin() as unit:
        assert [unit.tally("alice", NOW) for _ in range(3)] == [1, 2, 3]
        assert unit.tally("bob", NOW) == 1
        assert unit.tally("alice", NOW + MINUTE) == 1
        assert unit.tallied("alice", NOW) == 3
        assert unit.tallied("alice", NOW - MINUTE) == 0


@pytest.mark.slow
def test_a_kill_loses_nothing_committed_and_leaves_nothing_half(engine: Engine, url: str) -> None:
    with another(writes_without_end, url) as other:
        promised = [other.told.recv() for _ in range(25)]
        other.kill()
        with suppress(EOFError):
            while True:
                promised.append(other.told.recv())
    with UnitOfWork(engine) as unit:
        players = {player.userid for player in unit.players.listing()}
        answers = {row.id for row in unit.outbox.listing(limit=10**6)}
        following = unit.next_number()
    assert {f"player{number}" for number in promised} <= players
    assert len(players) == len(answers) == following - 101
    assert len(players) - len(promised) in (0, 1)


@pytest.mark.slow
def test_a_kill_between_two_statements_leaves_nothing_and_no_lock(engine: Engine, url: str) -> None:
    with another(stops_halfway, url) as other:
        assert other.told.recv() == "halfway"
        other.kill()
    with UnitOfWork(engine) as unit:
        assert unit.players.by_userid("alice") is None
        add_players(unit, "alice")
        unit.commit()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM players")).scalar_one() == 1
