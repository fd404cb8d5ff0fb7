"""A composed mail is delivered: leased to one owner at a time, tried again, or listed as dead."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from pbm.store.database import create_engine
from pbm.store.intake import Letterbox
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, a_mail, add_players, an_answer

LATER = NOW + MINUTE
MUCH_LATER = NOW + 10 * MINUTE


def test_mails_are_claimed_oldest_first_and_once(begin: Begin) -> None:
    mails = [an_answer(word=word) for word in "abc"]
    with begin() as unit:
        unit.outbox.add(mails[:1], NOW)
        unit.outbox.add(mails[1:], NOW)
        first = unit.outbox.claim(2, "one", NOW, LATER)()
        second = unit.outbox.claim(2, "two", NOW, LATER)()
        assert unit.outbox.owners() == ("one", "two")
    assert [delivery.mail for delivery in first] == mails[:2]
    assert [delivery.mail for delivery in second] == mails[2:]
    assert first[0].tries == 0
    assert first[0].created_at == NOW


def test_no_mails_can_be_added(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([], NOW)
        assert unit.outbox.listing() == ()


def test_a_mail_is_not_claimed_before_it_is_due(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], LATER)
        assert unit.outbox.claim(1, "one", NOW, LATER)() == ()
        assert unit.outbox.next_due() == LATER


def test_a_lease_that_has_ended_frees_the_mail(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (before,) = unit.outbox.claim(1, "dead", NOW, LATER)()
        assert unit.outbox.next_due() == LATER
        (after,) = unit.outbox.claim(1, "alive", LATER, MUCH_LATER)()
        assert unit.outbox.owners() == ("alive",)
    assert after == before


def test_the_leases_of_a_dead_owner_are_given_up_at_once(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(word="a"), an_answer(word="b")], NOW)
        (mine,) = unit.outbox.claim(1, "dead", NOW, LATER)()
        unit.outbox.claim(1, "alive", NOW, LATER)
        unit.outbox.release("dead")
        assert unit.outbox.owners() == ("alive",)
        assert unit.outbox.claim(2, "new", NOW, LATER)() == (mine,)


def test_a_sent_mail_loses_its_bytes_and_is_listed_no_more(begin: Begin, engine: Engine) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(word=word) for word in "abc"], NOW)
        claimed = unit.outbox.claim(3, "one", NOW, LATER)()
        unit.outbox.sent([delivery.id for delivery in claimed[:2]], NOW)
        unit.outbox.sent([], NOW)
        assert [row.id for row in unit.outbox.listing()] == [claimed[2].id]
        unit.commit()
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT id FROM outbox_texts")).scalars().all()
    assert kept == [claimed[2].id]


def test_a_deferred_mail_is_tried_again_later_and_knows_how_often(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (delivery,) = unit.outbox.claim(1, "one", NOW, LATER)()
        unit.outbox.deferred(delivery.id, "451 busy", MUCH_LATER)
        (row,) = unit.outbox.listing()
        assert (row.state, row.tries, row.error) == ("waiting", 1, "451 busy")
        assert (row.recipient, row.created_at) == ("alice@example.org", NOW)
        assert row.next_try_at == unit.outbox.next_due() == MUCH_LATER
        assert unit.outbox.owners() == ()
        assert unit.outbox.claim(1, "one", LATER, LATER)() == ()
        (again,) = unit.outbox.claim(1, "one", MUCH_LATER, MUCH_LATER + MINUTE)()
    assert again.tries == 1


def test_a_dead_mail_is_listed_and_can_be_brought_back(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (delivery,) = unit.outbox.claim(1, "one", NOW, LATER)()
        unit.outbox.dead(delivery.id, "550 unknown")
        assert [(row.state, row.error) for row in unit.outbox.listing()] == [
            ("dead", "550 unknown")
        ]
        assert unit.outbox.next_due() is None
        assert unit.outbox.claim(1, "one", MUCH_LATER, MUCH_LATER)() == ()
        assert unit.outbox.retry(delivery.id, NOW)
        (again,) = unit.outbox.claim(1, "one", NOW, LATER)()
    assert again.mail == delivery.mail


def test_a_retry_makes_a_deferred_mail_due_at_once(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (delivery,) = unit.outbox.claim(1, "one", NOW, LATER)()
        unit.outbox.deferred(delivery.id, "busy", MUCH_LATER)
        assert unit.outbox.retry(delivery.id, NOW)
        assert len(unit.outbox.claim(1, "one", NOW, LATER)()) == 1


def test_a_retry_does_not_take_a_mail_from_its_current_owner(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (delivery,) = unit.outbox.claim(1, "one", NOW, LATER)()
        assert not unit.outbox.retry(delivery.id, NOW)
        assert unit.outbox.claim(1, "two", NOW, LATER)() == ()


def test_a_late_failure_does_not_undo_a_delivery(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer()], NOW)
        (delivery,) = unit.outbox.claim(1, "slow", NOW, LATER)()
        unit.outbox.claim(1, "quick", LATER, MUCH_LATER)
        unit.outbox.sent([delivery.id], LATER)
        unit.outbox.deferred(delivery.id, "timed out", MUCH_LATER)
        unit.outbox.dead(delivery.id, "gave up")
        assert unit.outbox.listing() == ()
        assert unit.outbox.next_due() is None


@pytest.mark.parametrize("sent", [True, False])
def test_what_was_sent_or_never_was_can_be_neither_retried_nor_dropped(
    begin: Begin, sent: bool
) -> None:
    with begin() as unit:
        number = 4711
        if sent:
            unit.outbox.add([an_answer()], NOW)
            number = unit.outbox.claim(1, "one", NOW, LATER)()[0].id
            unit.outbox.sent([number], NOW)
        assert not unit.outbox.retry(number, NOW)
        assert not unit.outbox.drop(number)


def test_a_dropped_mail_is_forgotten(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(word="a"), an_answer(word="b")], NOW)
        assert unit.outbox.drop(unit.outbox.listing()[0].id)
        assert [d.mail for d in unit.outbox.claim(9, "one", NOW, LATER)()] == [an_answer(word="b")]


def test_a_listing_is_no_longer_than_asked_for(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(word=word) for word in "abc"], NOW)
        assert len(unit.outbox.listing(limit=2)) == 2


def test_mails_to_one_recipient_stay_in_order_across_claims(begin: Begin) -> None:
    with begin() as unit:
        unit.outbox.add([an_answer(word=str(n)) for n in range(50)], NOW)
        words = [
            delivery.mail.content
            for _ in range(10)
            for delivery in unit.outbox.claim(5, "one", NOW, LATER)()
        ]
    assert words == [str(n).encode() for n in range(50)]


def sent_mails(unit: UnitOfWork, *words: str) -> list[str]:
    """Mark one mail as sent for each word; return their envelope senders."""
    mails = [an_answer(word=word) for word in words]
    unit.outbox.add(mails, NOW)
    claimed = unit.outbox.claim(len(mails), "one", NOW, LATER)()
    unit.outbox.sent([delivery.id for delivery in claimed], NOW)
    return [mail.sender for mail in mails]


def test_a_mail_comes_back_once_and_one_that_never_was_does_not(begin: Begin) -> None:
    with begin() as unit:
        (name,) = sent_mails(unit, "a")
        assert unit.outbox.returned(name, "no such user", LATER) == an_answer(word="a").recipient
        assert unit.outbox.returned(name, "no such user", LATER) is None
        assert unit.outbox.returned("bounce+other@example.net", "no such user", LATER) is None


def test_a_mail_that_comes_back_before_it_is_marked_as_sent_has_been_sent(begin: Begin) -> None:
    with begin() as unit:
        mail = an_answer()
        unit.outbox.add([mail], NOW)
        (delivery,) = unit.outbox.claim(1, "one", NOW, LATER)()
        assert unit.outbox.returned(mail.sender, "no such user", NOW) == mail.recipient
        unit.outbox.sent([delivery.id], NOW)
        unit.outbox.deferred(delivery.id, "the connection was lost", LATER)
        assert unit.outbox.returned(mail.sender, "no such user", NOW) is None
        assert unit.outbox.claim(1, "two", MUCH_LATER, MUCH_LATER)() == ()


def test_fates_count_addresses_and_not_mails_and_only_recent_ones(begin: Begin) -> None:
    with begin() as unit:
        add_players(unit, "ann", "bob", "cid", "dan")
        names = ("ann", "ann", "bob", "cid", "dan", "nobody")
        people = [f"{name}@example.org" for name in names]
        mails = [an_answer(to, f"w{n}") for n, to in enumerate(people)]
        unit.outbox.add(mails, NOW)
        claimed = unit.outbox.claim(9, "one", NOW, LATER)()
        unit.outbox.sent([delivery.id for delivery in claimed[:3]], NOW)
        unit.outbox.dead(claimed[3].id, "no such user")
        unit.outbox.dead(claimed[5].id, "no such user")
        unit.outbox.returned(mails[0].sender, "no such user", NOW)
        # ann and cid failed; bob's mail arrived; dan's still waits; nobody is not a player.
        assert unit.outbox.fates(NOW) == (2, 3)
        assert unit.outbox.fates(LATER) == (0, 0)


@pytest.mark.parametrize("sent", [1, 0], ids=["after-sending", "before"])
def test_what_is_deleted_is_overwritten_also_after_mails_have_been_sent(
    sqlite_url: str, sent: int
) -> None:
    password = b"correct-horse-" * 1_000
    engine = create_engine(sqlite_url)
    with UnitOfWork(engine) as unit:
        unit.outbox.add([an_answer()] * sent, NOW)
        unit.outbox.sent([due.id for due in unit.outbox.claim(1, "one", NOW, LATER)()], NOW)
        unit.commit()
    Letterbox(engine, lambda _: None, 9).put([replace(a_mail(), content=password)])
    assert b"correct-horse" in octets_of(engine)
    with UnitOfWork(engine) as unit:
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    assert b"correct-horse" not in octets_of(engine)
    engine.dispose()


def octets_of(engine: Engine) -> bytes:
    """Return the file of the database, with all that was in its log."""
    file = Path(str(engine.url.database))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()
