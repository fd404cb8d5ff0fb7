"""Rows that the store deletes in the course of time, and those that it never deletes."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Engine, event

from pbm.domain.confirmations import ConfirmationKind
from pbm.domain.player import PlayerId
from pbm.domain.questions import Choice, Question
from tests.doors import Cutoffs, Letterbox, UnitOfWork, letterbox
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, a_mail, add_players, an_answer

SECOND = timedelta(seconds=1)
LATER, LONG_AGO = NOW + timedelta(days=90), NOW - timedelta(days=9999)
EVERYTHING = Cutoffs(LATER, LATER, LATER, LATER, LATER)


@pytest.fixture
def intake(engine: Engine) -> Letterbox:
    return letterbox(engine)


def before(**given: datetime) -> Cutoffs:
    """Return cutoffs that forget nothing except by those `given`."""
    return Cutoffs(**{each.name: given.get(each.name, LONG_AGO) for each in fields(Cutoffs)})


def test_mails_are_forgotten_in_their_own_times_and_only_then_is_a_repeat_a_new_one(
    begin: Begin, intake: Letterbox
) -> None:
    mails = [a_mail(b"played"), a_mail(b"shunted"), a_mail(b"silenced"), a_mail(b"waiting")]
    intake.put(mails)
    with begin() as unit:
        played, shunted, silenced, _ = unit.inbox.claim(4)
        unit.inbox.done(played.id)
        unit.inbox.done(silenced.id, "silenced: list", NOW)
        unit.inbox.shunt(shunted.id, "bug", NOW)
        assert unit.prune(before(done=NOW, dead=NOW, silenced=NOW), 10) == 0
        unit.commit()
    intake.put(mails)
    with begin() as unit:
        assert unit.inbox.waiting() == 1
        assert unit.prune(before(silenced=NOW + SECOND), 10) == 1
        assert unit.prune(before(done=NOW + SECOND), 10) == 1
        assert (unit.inbox.waiting(), len(unit.shunt.listing())) == (1, 1)
        unit.commit()
    intake.put(mails)
    with begin() as unit:
        assert unit.inbox.waiting() == 3
        assert unit.prune(before(dead=NOW + SECOND), 10) == 1
        assert (unit.inbox.waiting(), unit.shunt.listing()) == (3, ())


def test_sent_and_dead_mails_go_in_their_own_times_and_waiting_ones_stay(unit: UnitOfWork) -> None:
    lease = NOW + MINUTE
    unit.outbox.add([an_answer(word=word) for word in ("sent", "late", "dead", "waiting")], NOW)
    sent, late, dead, _ = unit.outbox.claim(4, "one", NOW, lease)
    unit.outbox.sent([sent.id], NOW)
    unit.outbox.sent([late.id], LATER)
    unit.outbox.dead(dead.id, "550")
    unit.outbox.release("one")
    assert unit.prune(before(done=NOW, dead=NOW), 10) == 0
    assert unit.prune(before(done=lease + SECOND), 10) == 1
    assert unit.outbox.returned("bounce+sent@example.net", "5.1.1", NOW) is None
    assert [row.state for row in unit.outbox.listing()] == ["dead", "waiting"]
    assert unit.prune(before(dead=lease + SECOND), 10) == 1
    assert [row.state for row in unit.outbox.listing()] == ["waiting"]
    assert unit.outbox.returned("bounce+late@example.net", "5.1.1", NOW) is not None
    assert unit.prune(EVERYTHING, 10) == 1


def asked(unit: UnitOfWork, players: Sequence[PlayerId], kind: ConfirmationKind) -> list[int]:
    return [unit.confirmations.add(kind, player, "a@b.cd", NOW).id for player in players]


def test_what_was_asked_is_forgotten_but_for_the_newest_whose_number_must_not_come_again(
    unit: UnitOfWork,
) -> None:
    (alice,) = add_players(unit, "alice")
    first, last = asked(unit, (alice, alice), ConfirmationKind.RESET_PASSWORD)
    unit.confirmations.done(last, NOW)
    signups = [unit.signups.add("dora", f"d{n}@b.cd", NOW).id for n in (1, 2)]
    assert unit.prune(before(asked=NOW), 10) == 0
    assert unit.prune(before(asked=NOW + SECOND), 10) == 2
    assert unit.confirmations.get(first) is None
    assert unit.confirmations.get(last) is not None
    assert unit.signups.get(signups[0]) is None
    assert unit.signups.add("dora", "d@b.cd", NOW).id > signups[1]
    assert asked(unit, (alice,), ConfirmationKind.SIGN_OFF)[0] > last


def test_questions_are_forgotten_in_time_and_the_oldest_beyond_forty_of_a_kind(
    unit: UnitOfWork,
) -> None:
    (alice,) = add_players(unit, "alice")

    def ask(number: int, *, proven: bool) -> None:
        at = NOW + number * SECOND
        unit.questions.add(Question(number, alice, (Choice("resign 101"),), proven, at))

    ask(1, proven=True)
    for number in range(2, 43):
        ask(number, proven=False)
    assert [question.id for question in unit.questions.of(alice)] == [1, *range(3, 43)]
    assert unit.prune(before(asked=NOW + 3 * SECOND), 50) == 1
    assert [question.id for question in unit.questions.of(alice)] == [*range(3, 43)]


def test_many_rows_go_in_batches_and_counts_by_the_beginning_of_their_window(
    begin: Begin, intake: Letterbox
) -> None:
    intake.put([a_mail(f"{number}".encode()) for number in range(5)])
    with begin() as unit:
        for waiting in unit.inbox.claim(5):
            unit.inbox.done(waiting.id)
            unit.tally(f"{waiting.id}", NOW)
        unit.tally("late", NOW + MINUTE)
        soon = NOW + SECOND
        assert [unit.prune(before(done=soon, counted=soon), 2) for _ in range(4)] == [4, 4, 2, 0]
        assert unit.tallied("late", NOW + MINUTE) == 1


def test_pruning_names_no_table_of_the_record(begin: Begin, engine: Engine) -> None:
    said: list[str] = []

    def listen(*details: object) -> None:
        said.append(str(details[2]))

    event.listen(engine, "before_cursor_execute", listen)
    with begin() as unit:
        unit.prune(before(), 10)
    event.remove(engine, "before_cursor_execute", listen)
    deleted = {statement.split()[2] for statement in said if statement.startswith("DELETE")}
    assert deleted == {"inbox", "outbox", "errands", "signups", "questions", "tallies"}
