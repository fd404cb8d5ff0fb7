"""A match comes back as it was saved, and nobody overwrites what somebody else has saved."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind, Log, LogEntry
from pbm.domain.match import Ending, Match, Outcome
from pbm.engine import Setup
from tests.doors import Conflict, Snapshot, UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, START, a_match, a_move, add_players

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


moments = st.integers(0, 10**16).map(lambda n: EPOCH + timedelta(microseconds=n))


days = st.integers(1, 3650)


seats = st.integers(0, 1)


entries = st.builds(
    LogEntry, st.sampled_from(EntryKind), seats | st.none(), words, moments, words
).map(lambda entry: replace(entry, text="1") if entry.kind is EntryKind.UNDO else entry)


outcomes = st.builds(
    Outcome,
    st.sampled_from(Ending),
    st.lists(seats).map(tuple),
    words,
    st.none() | st.lists(st.integers(-99, 99)).map(tuple),
)


matches = st.builds(
    Match,
    number=st.just(101),
    game=words,
    rules_version=st.integers(1, 99),
    setup=st.builds(Setup, st.dictionaries(words, words, max_size=3), st.lists(words).map(tuple)),
    terms=st.builds(Terms, days, days, days | st.none(), st.booleans(), st.booleans()),
    starters=st.sampled_from([(1, 2), (2, 1), (1, 1)]),
    players=st.sampled_from([(1, 2), (2, 1), (1, 1)]),
    started_at=moments,
    turn_since=moments,
    log=st.lists(entries, max_size=4).map(Log),
    outcome=st.none() | outcomes,
    ended_at=st.none() | moments,
    version=st.integers(0, 10**6),
)


snapshots = st.builds(Snapshot, st.integers(0, 999), words)


# The examples can share the engine of the fixtures, because each of them rolls back.
every_example = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


@every_example
@given(matches, matches, snapshots)
def test_a_match_comes_back_as_it_was_saved(
    begin: Begin, before: Match, other: Match, snapshot: Snapshot
) -> None:
    with begin() as unit:
        ids = dict(enumerate(add_players(unit, "alice", "bob"), 1))
        before = _seated(before, ids)
        after = replace(
            before,
            players=_seated(other, ids).players,
            turn_since=other.turn_since,
            log=Log((*before.log, *other.log)),
            outcome=other.outcome,
            ended_at=other.ended_at,
        )
        unit.matches.add(before, START, (0,))
        unit.matches.save(before, after, snapshot, (1,))
        found = unit.matches.get(101)
    assert found == (replace(after, version=before.version + 1), snapshot)


def _seated(match: Match, ids: dict[int, int]) -> Match:
    return replace(
        match,
        starters=tuple(ids[n] for n in match.starters),
        players=tuple(ids[n] for n in match.players),
    )


def test_a_match_that_was_never_added_cannot_be_saved(unit: UnitOfWork) -> None:
    match = a_match(101, add_players(unit, "alice", "bob"))
    with pytest.raises(Conflict):
        unit.matches.save(match, match, START, ())


def test_a_log_is_never_rewritten(unit: UnitOfWork) -> None:
    before = replace(a_match(101, add_players(unit, "alice", "bob")), log=Log((a_move(0),)))
    unit.matches.add(before, START, (1,))
    for log in (Log(), Log((a_move(0, "c3"), a_move(1)))):
        with pytest.raises(ValueError, match="never rewritten"):
            unit.matches.save(before, replace(before, log=log), START, (1,))


def test_a_lost_snapshot_is_none_and_can_be_put_back(unit: UnitOfWork) -> None:
    match = a_match(101, add_players(unit, "alice", "bob"))
    unit.matches.add(match, START, (0,))
    unit.connection.execute(text("DELETE FROM snapshots"))
    assert unit.matches.get(101) == (match, None)
    unit.matches.mend(101, START)
    assert unit.matches.get(101) == (match, START)


def test_board_numbers_come_in_order_however_many(unit: UnitOfWork) -> None:
    numbers = list(range(101, 1102, 2))
    players = add_players(unit, "alice", "bob")
    for number in reversed(numbers):
        unit.matches.add(a_match(number, players), START, (0,))
    assert list(unit.matches.numbers()) == numbers


def test_times_come_back_in_utc_and_one_without_a_zone_is_refused(unit: UnitOfWork) -> None:
    moment = datetime.fromisoformat("2026-02-01T10:30:00.000001+05:30")
    match = replace(a_match(101, add_players(unit, "alice", "bob")), turn_since=moment)
    unit.matches.add(match, START, (0,))
    found = unit.matches.get(101)
    assert found is not None
    assert (found[0].turn_since, found[0].turn_since.tzinfo) == (moment, UTC)
    naive = replace(match, number=102, turn_since=(NOW + MINUTE).replace(tzinfo=None))
    with pytest.raises(Exception, match="no time zone"):
        unit.matches.add(naive, START, (0,))


def test_a_comment_that_no_database_can_hold_is_stored_readably(unit: UnitOfWork) -> None:
    entry = LogEntry(EntryKind.MOVE, 0, "b2", NOW, "nul \0 and \udc80")
    match = replace(a_match(101, add_players(unit, "alice", "bob")), log=Log((entry,)))
    unit.matches.add(match, START, (1,))
    found = unit.matches.get(101)
    assert found is not None
    assert found[0].log[0].comment == r"nul \x00 and \udc80"
