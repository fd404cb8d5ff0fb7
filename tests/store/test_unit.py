"""A unit of work is kept as a whole or not at all, even when the process is killed."""

import sys
from contextlib import suppress

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError

from tests.doors import UnitOfWork
from tests.processes import another
from tests.store.conftest import Begin
from tests.store.others import stops_halfway, writes_without_end
from tests.store.samples import add_players


def userids(engine: Engine) -> list[str]:
    with UnitOfWork(engine, write=False) as unit:
        return [player.userid for player in unit.players.listing()]


def _add_and_fail(unit: UnitOfWork, userid: str) -> None:
    add_players(unit, userid)
    raise ZeroDivisionError


def _add_within_and_fail(unit: UnitOfWork) -> None:
    with unit.savepoint():
        add_players(unit, "dora")
    _add_and_fail(unit, "emil")


def test_an_exception_rolls_back(begin: Begin, engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError), begin() as unit:
        _add_and_fail(unit, "alice")
    assert userids(engine) == []


def test_a_savepoint_within_another_fails_alone_or_with_it(begin: Begin, engine: Engine) -> None:
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
    assert userids(engine) == ["alice", "carl"]


def test_a_statement_that_fails_in_a_savepoint_leaves_the_rest_usable(
    begin: Begin, engine: Engine
) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        with pytest.raises(Exception, match=r"(?i)foreign key"), unit.savepoint():
            unit.players.set_addresses(alice + 1, ["a@b.cd"])
        add_players(unit, "bob")
        unit.commit()
    assert userids(engine) == ["alice", "bob"]


def test_nothing_can_be_done_after_the_commit(unit: UnitOfWork) -> None:
    add_players(unit, "alice")
    unit.commit()
    for act in (unit.next_number, unit.commit, lambda: unit.players.by_userid("alice")):
        with pytest.raises(RuntimeError, match="ends with its commit"):
            act()


def test_a_reader_neither_waits_for_a_writer_nor_sees_half_of_its_work(engine: Engine) -> None:
    with UnitOfWork(engine) as writer, UnitOfWork(engine, write=False) as reader:
        add_players(writer, "alice")
        assert list(reader.players.listing()) == []
        writer.commit()
        assert list(reader.players.listing()) == []
        with pytest.raises(RuntimeError, match="nothing to commit"):
            reader.commit()
    assert userids(engine) == ["alice"]
    # A connection that has read can write the next time.
    with UnitOfWork(engine) as writer:
        add_players(writer, "bob")


def test_a_bug_is_no_outage(begin: Begin, engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(DBAPIError):
        connection.execute(text("SELECT nonsense FROM nowhere"))
    with begin() as unit, pytest.raises(DBAPIError):
        unit.players.set_addresses(4711, ["a@b.cd"])


def test_a_process_that_is_told_to_end_in_a_statement_meets_no_outage(
    begin: Begin, engine: Engine
) -> None:
    def told_to_end(*_: object) -> None:
        sys.exit(143)

    event.listen(engine, "do_execute", told_to_end)
    try:
        with pytest.raises(SystemExit), begin() as unit:
            unit.next_number()
    finally:
        event.remove(engine, "do_execute", told_to_end)


@pytest.mark.slow
def test_a_kill_loses_nothing_committed_and_leaves_nothing_half(engine: Engine, url: str) -> None:
    with another(writes_without_end, url) as other:
        promised = [other.told.recv() for _ in range(25)]
        other.kill()
        with suppress(EOFError):
            while True:
                promised.append(other.told.recv())
    with UnitOfWork(engine) as unit:
        answers = {row.id for row in unit.outbox.listing(limit=10**6)}
        following = unit.next_number()
    players = userids(engine)
    assert {f"player{number}" for number in promised} <= set(players)
    assert len(players) == len(answers) == following - 101
    assert len(players) - len(promised) in (0, 1)


@pytest.mark.slow
def test_a_kill_between_two_statements_leaves_nothing_and_no_lock(engine: Engine, url: str) -> None:
    with another(stops_halfway, url) as other:
        assert other.told.recv() == "halfway"
        other.kill()
    with UnitOfWork(engine) as unit:
        add_players(unit, "bob")
        unit.commit()
    assert userids(engine) == ["bob"]
