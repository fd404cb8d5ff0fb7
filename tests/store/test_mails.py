"""An accepted mail is kept until it is played once; a composed one until it is delivered."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from pbm.domain.mail import JOIN_WITHIN, Joinable, ReceivedMail
from pbm.mail.reading.incoming import message_id_of
from tests.doors import (
    Cutoffs,
    IntakeUnavailable,
    Letterbox,
    Observer,
    Taken,
    UnitOfWork,
    letterbox,
    open_batch,
    tables,
)
from tests.readings import answers
from tests.store.conftest import Begin, Opened
from tests.store.samples import MINUTE, NOW, a_mail, add_players, an_answer

LATER, MUCH_LATER = NOW + MINUTE, NOW + 10 * MINUTE


@pytest.fixture
def intake(engine: Engine) -> Letterbox:
    return letterbox(engine, most=10)


def test_any_envelope_and_any_bytes_can_be_stored(begin: Begin, intake: Letterbox) -> None:
    mail = ReceivedMail("", ("a\udc80\0@x.org", "b@x.org"), bytes(range(256)), NOW)
    intake.put([mail])
    with begin() as unit:
        assert [waiting.mail for waiting in unit.inbox.claim(1)] == [mail]


@dataclass
class Listening(Observer):
    """An observer that keeps what it is told."""

    heard: list[Taken] = field(default_factory=list)

    def taken(self, mails: Sequence[Taken]) -> None:
        self.heard += mails


def test_a_repeat_is_stored_once_in_one_batch_or_two_and_told_with_the_number_of_the_first(
    begin: Begin, engine: Engine
) -> None:
    observer = Listening()
    intake = Letterbox(engine, lambda mail: mail.content.decode(), 100, observer=observer)
    intake.put([a_mail(word) for word in (b"one", b"one", b"two")])
    intake.put([a_mail(word) for word in (b"three", b"one")])
    with begin() as unit:
        found = [(waiting.id, waiting.mail.content) for waiting in unit.inbox.claim(10)]
        check_texts(unit)
    assert [content for _, content in found] == [b"one", b"two", b"three"]
    (one, two, three) = (number for number, _ in found)
    assert [(mail.number, mail.repeat) for mail in observer.heard] == [
        (one, False), (one, True), (two, False), (three, False), (one, True),
    ]  # fmt: skip


def test_the_high_water_mark_holds_for_all_processes_that_take_mails_in(
    url: str, opened: Opened
) -> None:
    engines = [opened(url) for _ in range(2)]
    one, other = (Letterbox(engine, lambda _: None, most_waiting=10) for engine in engines)
    one.put([a_mail()] * 4)
    other.put([a_mail()] * 6)
    for intake in (one, other):
        with pytest.raises(IntakeUnavailable, match="10 mails or more wait"):
            intake.put([a_mail()])
    with UnitOfWork(engines[0]) as unit:
        for waiting in unit.inbox.claim(3):
            unit.inbox.done(waiting.id)
        unit.commit()
    other.put([a_mail()] * 2)
    one.put([a_mail()])
    with pytest.raises(IntakeUnavailable):
        other.put([a_mail()])


def test_a_batch_is_stored_whole_or_not_at_all_and_no_error_shows_what_is_in_a_mail(
    begin: Begin, intake: Letterbox
) -> None:
    naive = replace(a_mail(b"move 101 b2 hunter2"), received_at=NOW.replace(tzinfo=None))
    with pytest.raises(IntakeUnavailable) as caught:
        intake.put([a_mail(b"one"), naive])
    with begin() as unit:
        assert unit.inbox.waiting() == 0
    shown = "".join(traceback.format_exception(caught.value))
    assert "no time zone" in shown
    assert "hunter2" not in shown


def test_intake_is_unavailable_while_the_database_is_down(opened: Opened) -> None:
    why = r"^The database cannot be used now: .*Connection refused"
    with pytest.raises(IntakeUnavailable, match=why) as caught:
        letterbox(opened("postgresql://nobody@127.0.0.1:1/none")).put([a_mail()])
    assert "nobody" not in str(caught.value)


def test_intake_is_unavailable_while_the_tables_are_missing(empty_url: str, opened: Opened) -> None:
    with pytest.raises(IntakeUnavailable):
        letterbox(opened(empty_url)).put([a_mail()])


def test_only_a_shunted_mail_can_be_retried_or_dropped_and_its_error_is_readable(
    begin: Begin, intake: Letterbox
) -> None:
    intake.put([a_mail(word) for word in (b"one", b"two", b"bad")])
    with begin() as unit:
        one, two, bad = (waiting.id for waiting in unit.inbox.claim(3))
        unit.inbox.shunt(bad, "ZeroDivisionError \0\udc80", NOW)
        unit.inbox.done(one)
        unit.shunt.retry(one)
        unit.shunt.drop(two)
        assert [waiting.id for waiting in unit.inbox.claim(3)] == [two]
        (shunted,) = unit.shunt.listing()
        assert (unit.shunt.get(bad), unit.shunt.get(two)) == (shunted, None)
    assert (shunted.mail, shunted.error) == (a_mail(b"bad"), r"ZeroDivisionError \x00\udc80")


TOKEN, PASSWORD = "cgoeqzlzfy2kqpiw", "hunter2"
WITH_SECRETS = ReceivedMail(
    f"bounce+{TOKEN}@example.org", (f"pbm+{TOKEN}@example.net",),
    b"move 101 b2 " + PASSWORD.encode(), NOW, network="192.0.2.0/24",
)  # fmt: skip


@pytest.mark.parametrize("fate", ["played", "dropped", "retried and played"])
def test_of_a_mail_that_is_done_nothing_stays_but_that_its_repeat_is_known(
    begin: Begin, engine: Engine, fate: str
) -> None:
    def stored() -> str:
        with engine.connect() as connection:
            return repr(
                [connection.execute(select(t)).all() for t in (tables.inbox, tables.inbox_texts)]
            )

    intake = Letterbox(engine, lambda _: "key", most_waiting=10)
    intake.put([WITH_SECRETS])
    assert stored().count(TOKEN) == 2
    with begin() as unit:
        (waiting,) = unit.inbox.claim(1)
        assert waiting.mail == WITH_SECRETS
        if fate != "played":
            unit.inbox.shunt(waiting.id, f"KeyError {TOKEN}", NOW)
        if fate == "dropped":
            unit.shunt.drop(waiting.id)
        elif fate == "retried and played":
            unit.shunt.retry(waiting.id)
            assert unit.inbox.claim(1) == (waiting,)
        if fate != "dropped":
            unit.inbox.done(waiting.id)
        unit.commit()
    for secret in (TOKEN, PASSWORD, "pbm", "example", "192"):
        assert secret not in stored()
    intake.put([WITH_SECRETS])
    with begin() as unit:
        assert (unit.inbox.waiting(), unit.inbox.claim(1), unit.shunt.listing()) == (0, (), ())


def check_texts(unit: UnitOfWork) -> None:
    """Check that there is a text of each mail that is not done, and no other."""
    for rows, texts, done in (
        (tables.inbox, tables.inbox_texts, "done"),
        (tables.outbox, tables.outbox_texts, "sent"),
    ):
        wanted = unit.connection.scalars(select(rows.c.id).where(rows.c.state != done)).all()
        assert sorted(unit.connection.scalars(select(texts.c.id))) == sorted(wanted)


def test_a_mail_has_a_text_as_long_as_it_is_not_done_whatever_becomes_of_it(
    begin: Begin, intake: Letterbox
) -> None:
    intake.put([a_mail(b"%d" % n) for n in range(6)])
    with begin() as unit:
        played, dropped, retried, bad, *_ = (mail.id for mail in unit.inbox.claim(6))
        unit.inbox.done(played)
        for mail in (dropped, retried, bad):
            unit.inbox.shunt(mail, "bug", NOW)
        unit.shunt.drop(dropped)
        unit.shunt.drop(played)
        unit.shunt.retry(retried)
        check_texts(unit)
        unit.outbox.add([an_answer(word=f"{n}") for n in range(6)], NOW)
        sent, back, late, dead, away, _ = claimed(unit, 6)
        unit.outbox.sent([sent], NOW)
        assert unit.outbox.returned("bounce+1@example.net", "5.1.1", NOW)
        unit.outbox.deferred(late, "451", NOW)
        unit.outbox.dead(dead, "550")
        unit.outbox.drop(away)
        unit.outbox.retry(back, NOW)
        check_texts(unit)
        assert unit.prune(Cutoffs(*[MUCH_LATER] * 5), 10) == 6
        check_texts(unit)
        assert (unit.inbox.waiting(), len(unit.shunt.listing())) == (3, 0)
        assert [row.id for row in unit.outbox.listing()] == [late, sent + 5]


def test_a_batch_posts_each_mail_with_its_own_text_and_they_stay_in_their_order(
    engine: Engine, begin: Begin
) -> None:
    mails = [an_answer(f"p{n}@example.org", f"{n}") for n in range(90)]
    with open_batch(engine) as batch:
        for first in range(0, 90, 2):
            batch.outbox.add(mails[first : first + 2], NOW)
        batch.commit()
    with begin() as unit:
        parts = [unit.outbox.claim(9, "one", NOW, NOW + MINUTE) for _ in range(10)]
        assert [delivery.mail for part in parts for delivery in part] == mails
        check_texts(unit)


def claimed(unit: UnitOfWork, many: int = 1, by: str = "one") -> list[int]:
    return [delivery.id for delivery in unit.outbox.claim(many, by, NOW, LATER)]


def test_a_lease_that_has_ended_or_whose_owner_is_dead_frees_the_mail(unit: UnitOfWork) -> None:
    unit.outbox.add([an_answer(word="a"), an_answer("bob@example.org", "b")], NOW)
    unit.outbox.add([an_answer(word="c")], LATER)
    mine, other = claimed(unit), claimed(unit, 9, by="other")
    assert len(mine) == len(other) == 1
    assert claimed(unit, 9, by="third") == []
    assert not unit.outbox.retry(mine[0], NOW)
    assert unit.outbox.next_due() == LATER
    unit.outbox.release("one")
    assert unit.outbox.owners() == ("other",)
    assert claimed(unit, 9, by="third") == mine
    due = unit.outbox.claim(9, "heir", LATER, MUCH_LATER)
    assert [delivery.id for delivery in due] == [*mine, *other, 3]
    assert unit.outbox.owners() == ("heir",)


def test_mails_to_one_recipient_are_on_their_way_by_one_worker_at_a_time(unit: UnitOfWork) -> None:
    unit.outbox.add([an_answer(word=word) for word in "abc"], NOW)
    assert claimed(unit, 2) == [1, 2]
    assert claimed(unit, 9, by="other") == []
    unit.outbox.sent([1], NOW)
    unit.outbox.deferred(2, "full", LATER)
    assert claimed(unit, 9, by="other") == [3]


def test_a_mail_that_waits_for_the_next_turn_is_taken_back_until_it_is_on_its_way(
    unit: UnitOfWork,
) -> None:
    due = NOW + JOIN_WITHIN
    for number in (104, 105):
        mail = replace(an_answer(word=f"{number}"), waits=Joinable(number, 7))
        unit.outbox.add([mail], NOW, 12)
    assert claimed(unit) == []
    assert unit.outbox.take_back("alice@example.org", 104, NOW) == Joinable(104, 7, 12)
    assert unit.outbox.take_back("alice@example.org", 104, NOW) is None
    assert unit.outbox.take_back("bob@example.org", 105, NOW) is None
    assert len(unit.outbox.claim(9, "one", due, MUCH_LATER)) == 1
    assert unit.outbox.take_back("alice@example.org", 105, due) is None
    check_texts(unit)


def test_a_late_failure_does_not_undo_a_delivery(unit: UnitOfWork) -> None:
    unit.outbox.add([an_answer()], NOW)
    (number,) = claimed(unit, by="slow")
    unit.outbox.claim(1, "quick", LATER, MUCH_LATER)
    unit.outbox.sent([number], LATER)
    unit.outbox.deferred(number, "timed out", MUCH_LATER)
    unit.outbox.dead(number, "gave up")
    assert unit.outbox.listing() == ()
    assert unit.outbox.next_due() is None
    for gone in (number, 4711):
        assert not unit.outbox.retry(gone, NOW)
        assert not unit.outbox.drop(gone)


def test_a_mail_comes_back_once_even_before_it_is_marked_as_sent(unit: UnitOfWork) -> None:
    mail = an_answer()
    unit.outbox.add([mail], NOW)
    (number,) = claimed(unit)
    assert unit.outbox.returned("bounce+other@example.net", "no such user", NOW) is None
    assert unit.outbox.returned(mail.sender, "no such user", NOW) == (mail.recipient, NOW)
    unit.outbox.sent([number], NOW)
    unit.outbox.deferred(number, "the connection was lost", LATER)
    assert unit.outbox.returned(mail.sender, "no such user", NOW) is None
    assert unit.outbox.claim(1, "two", MUCH_LATER, MUCH_LATER) == ()


def test_fates_count_addresses_and_not_mails_and_only_recent_ones(unit: UnitOfWork) -> None:
    add_players(unit, "ann", "bob", "cid", "dan")
    names = ("ann", "ann", "bob", "cid", "dan", "nobody")
    mails = [an_answer(f"{name}@example.org", f"w{n}") for n, name in enumerate(names)]
    unit.outbox.add(mails, NOW)
    numbers = claimed(unit, 9)
    unit.outbox.sent(numbers[:3], NOW)
    unit.outbox.dead(numbers[3], "no such user")
    unit.outbox.dead(numbers[5], "no such user")
    unit.outbox.returned(mails[0].sender, "no such user", NOW)
    # ann and cid failed; bob's mail arrived; dan's still waits; nobody is not a player.
    assert unit.undelivered.fates(NOW) == (2, 3, True)
    assert unit.undelivered.fates(LATER) == (0, 0, False)


def test_returned_mails_are_counted_by_provider_among_all_that_were_sent(unit: UnitOfWork) -> None:
    places = ("ann@a.example", "bob@A.example", "cid@b.example", "dan@c.example")
    mails = [an_answer(place, f"w{n}") for n, place in enumerate(places)]
    unit.outbox.add(mails, NOW)
    unit.outbox.sent(claimed(unit, 4), NOW)
    for mail in mails[:3]:
        unit.outbox.returned(mail.sender, "The mail bounced 5.7.1", NOW)
    assert list(map(str, unit.undelivered.returns(NOW))) == [
        "a.example: 2 of 2: blocked (5.7.1)", "b.example: 1 of 1: blocked (5.7.1)",
    ]  # fmt: skip
    assert unit.undelivered.returns(LATER) == ()


MESSAGE_IDS = Path(__file__).with_name("message_ids.txt").read_text()


def test_the_message_id_is_found_in_the_headers_alone() -> None:
    def found(content: str) -> str:
        return message_id_of(a_mail(content.encode())).decode() or "-"

    assert answers(MESSAGE_IDS, found) == MESSAGE_IDS
    assert found("Message-ID:" + "x" * 5000) == "x" * 1000
