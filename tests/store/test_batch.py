"""A batch reads ahead, saves in memory, and writes all of it in one short transaction."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy import Engine, select

from pbm.domain.match import Match
from pbm.domain.pauses import PauseKind
from pbm.domain.plans import QueuedMove
from pbm.domain.player import PlayerState
from pbm.domain.ratings import Rating
from tests import doors
from tests.doors import (
    Batch,
    Conflict,
    NeedsTransaction,
    PrefetchKeys,
    Snapshot,
    UnitOfWork,
    letterbox,
    tables,
)
from tests.processes import another
from tests.store.conftest import Begin, Opened
from tests.store.others import holds_mails
from tests.store.samples import MINUTE, NOW, START, a_mail, a_match, a_move, add_players, an_answer

OpenBatch = Callable[[], Batch]


AFTER = Snapshot(1, '{"moves":["b2"]}')


@pytest.fixture
def open_batch(engine: Engine) -> OpenBatch:
    return lambda: doors.open_batch(engine)


@pytest.fixture
def match(begin: Begin) -> Match:
    with begin() as unit:
        match = replace(a_match(101, add_players(unit, "alice", "bob")), look_at=NOW + 9 * MINUTE)
        unit.matches.add(match, START, (0,))
        unit.commit()
    return match


def moved(match: Match) -> Match:
    return replace(match, log=match.log.plus(a_move(len(match.log) % 2)))


def put(engine: Engine, count: int = 1) -> None:
    letterbox(engine).put([a_mail(f"Subject: {n}\r\n\r\n".encode()) for n in range(count)])


def test_what_is_saved_is_there_for_the_batch_at_once_and_for_others_after_the_commit(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        batch.matches.save(match, moved(match), AFTER, (1,))
        kept = replace(moved(match), version=1)
        assert batch.matches.get(101) == (kept, AFTER)
        # Others read and write while it is open.
        with begin() as unit:
            assert unit.matches.get(101) == (match, START)
            unit.tally("alice", NOW)
            unit.commit()
        batch.commit()
    with begin() as unit:
        assert unit.matches.get(101) == (kept, AFTER)
        assert unit.matches.listing(to_move=True)[0].to_move == (1,)
        assert unit.tallied("alice", NOW) == 1


def test_two_moves_on_a_board_in_one_batch_are_one_save_more_each(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        batch.matches.save(match, moved(match), AFTER, (1,))
        first = replace(moved(match), version=1)
        second = moved(first)
        batch.matches.save(first, second, Snapshot(2, "{}"), (0,))
        batch.commit()
    with begin() as unit:
        assert unit.matches.get(101) == (replace(second, version=2), Snapshot(2, "{}"))


def test_what_a_failed_part_has_saved_is_gone_and_the_rest_stays(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    alice = match.players[0]
    with open_batch() as batch:
        batch.outbox.add([an_answer(word="kept")], NOW)
        batch.tally("mails", NOW)
        batch.plans.set_queued(101, alice, [QueuedMove("a1")])
        with suppress(ZeroDivisionError), batch.savepoint():
            batch.matches.save(match, moved(match), AFTER, (1,))
            batch.outbox.add([an_answer(word="lost")], NOW)
            batch.plans.set_queued(101, alice, ())
            batch.ratings.save("noughts", alice, None, Rating(updated_at=NOW))
            assert batch.tally("mails", NOW) == 2
            raise ZeroDivisionError
        assert batch.matches.get(101) == (match, START)
        assert batch.plans.queued(101, alice) == (QueuedMove("a1"),)
        assert batch.ratings.of("noughts", [alice]) == {}
        assert batch.tallied("mails", NOW) == 1
        batch.commit()
    with begin() as unit:
        assert unit.matches.get(101) == (match, START)
        assert [row.id for row in unit.outbox.listing()] == [1]
        assert unit.plans.queued(101, alice) == (QueuedMove("a1"),)
        assert unit.tallied("mails", NOW) == 1


def test_a_batch_whose_board_was_saved_by_another_meets_a_conflict_and_leaves_nothing(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        batch.read_ahead(PrefetchKeys(boards=frozenset({101})))
        batch.matches.save(match, moved(match), AFTER, (1,))
        batch.outbox.add([an_answer()], NOW)
        with begin() as unit:
            unit.matches.save(match, match, START, (0,))
            unit.commit()
        with pytest.raises(Conflict):
            batch.commit()
    with begin() as unit:
        assert unit.matches.get(101) == (replace(match, version=1), START)
        assert unit.outbox.listing() == ()


def test_a_rating_that_another_match_has_changed_is_a_conflict(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    alice = match.players[0]
    with open_batch() as batch:
        assert batch.ratings.of("noughts", [alice]) == {}
        batch.ratings.save("noughts", alice, None, Rating(updated_at=NOW))
        with begin() as unit:
            unit.ratings.save("noughts", alice, None, Rating(1600, updated_at=NOW))
            unit.commit()
        with pytest.raises(Conflict):
            batch.commit()


def test_a_mail_that_another_worker_has_played_is_a_conflict(
    sqlite_url: str, opened: Opened
) -> None:
    # On PostgreSQL nobody else can play it: a claimed row is locked.
    engine = opened(sqlite_url)
    put(engine)
    with doors.open_batch(engine) as batch:
        (mail,) = batch.claim(10)
        with UnitOfWork(engine) as unit:
            unit.inbox.done(mail.id)
            unit.commit()
        batch.inbox.done(mail.id)
        batch.outbox.add([an_answer()], NOW)
        with pytest.raises(Conflict):
            batch.commit()
    with UnitOfWork(engine) as unit:
        assert unit.outbox.listing() == ()


def test_what_needs_a_transaction_says_so_and_sees_in_it_what_was_saved_before(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        batch.matches.save(match, moved(match), AFTER, (1,))
        with pytest.raises(NeedsTransaction):
            batch.players.set_setting(match.players[0], "name", "value")
        with batch.transaction() as unit:
            found = unit.matches.get(101)
            assert found is not None
            assert found[0].log == moved(match).log
            unit.players.set_setting(match.players[0], "name", "value")
        assert batch.players.by_ids(match.players)[match.players[0]].settings == {"name": "value"}
        batch.commit()
    with begin() as unit:
        assert unit.players.by_ids(match.players)[match.players[0]].settings == {"name": "value"}


def test_what_strangers_and_messages_ask_for_is_read_without_keeping_others_from_writing(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    alice, bob = match.players
    with begin() as unit:
        unit.blocks.block(bob, alice)
        unit.left_alone.add("carol@example.org", NOW, proven=False)
        unit.commit()
    with open_batch() as batch:
        assert batch.blocks.blocked_by(bob) == {alice}
        assert batch.left_alone.find("carol@example.org") is not None
        assert batch.players.of_mailbox("alice@example.org", PlayerState.ACTIVE)
        assert batch.players.similar("alise") == ("alice",)
        assert batch.players.lookalike("a1ice") == "alice"
        assert batch.invitations.get(102) is None
        assert batch.confirmations.latest("carol@example.org") is None
        assert batch.wishes.seek(102) is None
        batch.outbox.add([an_answer()], NOW)
        with begin() as unit:
            unit.tally("alice", NOW)
            unit.commit()
        batch.commit()


def test_a_look_that_another_has_asked_for_is_not_put_off_by_a_move(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        after = replace(moved(match), look_at=NOW + 99 * MINUTE)
        batch.matches.save(match, after, AFTER, (1,))
        with begin() as unit:
            unit.pauses.add(PauseKind.VACATION, NOW, NOW + MINUTE, match.players[1])
            unit.matches.look_soon(match.players[1], NOW)
            unit.commit()
        batch.commit()
    with begin() as unit:
        assert unit.matches.check_due(NOW, 10) == (101,)


def test_reading_ahead_or_one_by_one_finds_the_same(
    begin: Begin, open_batch: OpenBatch, match: Match
) -> None:
    alice, bob = match.players
    with begin() as unit:
        unit.matches.save(match, moved(match), AFTER, (1,))
        unit.followers.follow(alice, 101, only_end=True)
        unit.followers.follow(alice, "noughts")
        unit.plans.set_queued(101, bob, [QueuedMove("a1"), QueuedMove("c3", 1, ("b2",))])
        unit.pauses.add(PauseKind.OUTAGE, NOW, NOW + MINUTE)
        unit.pauses.add(PauseKind.VACATION, NOW + MINUTE, None, bob)
        unit.pauses.add(PauseKind.VACATION, NOW - 9 * MINUTE, NOW - MINUTE, bob)
        unit.commit()
    with begin() as plain, open_batch() as ahead, open_batch() as batch:
        ahead.read_ahead(PrefetchKeys(frozenset({101, 102}), frozenset({alice, 99})))
        for unit in (ahead, batch):
            assert unit.matches.get(101) == plain.matches.get(101)
            assert unit.matches.get(102) is plain.matches.get(102) is None
            assert unit.players.by_ids([alice, bob, 99]) == plain.players.by_ids([alice, bob, 99])
            assert unit.followers.of(101, "noughts") == plain.followers.of(101, "noughts")
            assert unit.plans.queuers(101) == plain.plans.queuers(101)
            assert unit.plans.queued(101, bob) == plain.plans.queued(101, bob)
            assert unit.bans.any_of(["example.org"]) == plain.bans.any_of(["example.org"])


def test_mails_come_in_the_order_of_the_inbox_and_long_ones_few_at_a_time(
    engine: Engine, begin: Begin, open_batch: OpenBatch
) -> None:
    megabyte = b"Subject: long\r\n\r\n" + b"x" * 1_000_000
    letterbox(engine).put([a_mail(megabyte + b"%d" % n) for n in range(5)])
    with begin() as unit:
        expected = [mail.id for mail in unit.inbox.claim(10)]
    with open_batch() as batch:
        assert [mail.id for mail in batch.claim(10)] == expected[:2]
    with open_batch() as batch:
        assert [mail.id for mail in batch.claim(1, besides=expected[:2])] == expected[2:3]


@pytest.mark.slow
def test_what_a_process_has_claimed_is_left_to_it_and_free_once_it_is_killed(
    url: str, engine: Engine, open_batch: OpenBatch
) -> None:
    put(engine, 5)
    with another(holds_mails, url, 3) as holder:
        held = holder.told.recv()
        with open_batch() as batch:
            free = [mail.id for mail in batch.claim(10)]
        with open_batch() as batch:
            assert [mail.id for mail in batch.claim(1)] == free[:1]
        holder.kill()
        assert (len(held), set(held) & set(free), len(free)) == (3, set(), 2)
    with UnitOfWork(engine) as unit:
        # PostgreSQL takes a moment to notice; this waits for the locks of the dead.
        unit.connection.execute(select(tables.inbox.c.id).with_for_update())
    with open_batch() as batch:
        assert len(batch.claim(10)) == 5


def test_a_query_never_misses_what_a_batch_has_not_yet_written(
    open_batch: OpenBatch, match: Match
) -> None:
    with open_batch() as batch:
        assert [row.number for row in batch.matches.listing()] == [101]
        with suppress(ValueError), batch.savepoint():
            batch.matches.save(match, moved(match), AFTER, (1,))
            raise ValueError
        assert batch.matches.listing()[0].to_move == (0,)
        batch.matches.save(match, moved(match), AFTER, (1,))
        assert batch.players.similar("alise") == ("alice",)
        with pytest.raises(NeedsTransaction):
            batch.matches.listing()
        # Through other tables, and in a subquery.
        with pytest.raises(NeedsTransaction):
            batch.wishes.active_boards("noughts", match.players[0])
