"""Texts of mails: moved to tables of their own and back, and gone with their mails."""

import pytest
from sqlalchemy import Engine, select, text

from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.service.ports.mail import Cutoffs
from pbm.store import migrations
from pbm.store.batch import Batch
from pbm.store.database import create_engine
from pbm.store.inbox import claims_for
from pbm.store.intake import Letterbox
from pbm.store.tables import inbox, inbox_texts, outbox, outbox_texts
from pbm.store.unit import UnitOfWork
from tests.store.samples import MINUTE, NOW, a_mail, an_answer

AT = "2026-02-01T09:30:00.123456Z"
LONG = b"\0\xff" * 20_000
"""Longer than a page of either database."""

IN = (
    "INSERT INTO inbox (id, state, content_key, sender, recipients, content, received_at, error,"
    " shunted_at) VALUES (:n, :s, :k, 'a@b.cd', '[\"p@q.rs\"]', :c, :t, '', :u)"
)
OUT = (
    "INSERT INTO outbox (id, state, sender, recipient, message_id, content, tries, created_at,"
    " next_try_at, error) VALUES (:n, :s, :v, 'x@y.z', :m, :c, 1, :t, :t, '')"
)


def columns(engine: Engine, statement: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in connection.execute(text(statement))
        ]


def fill(engine: Engine) -> None:
    """Store mails in every state, as revision 0008 has them."""
    mails = [
        (1, "done", "k1", None, None),
        (2, "waiting000000017", "k2", LONG, None),
        (3, "shunted", "k3", b"bad", AT),
        (4, "waiting", None, b"", None),
    ]
    answers = [(1, "sent", None), (2, "waiting", LONG), (3, "dead", b"dead"), (4, "waiting", b"")]
    with engine.begin() as connection:
        for number, state, key, content, shunted_at in mails:
            connection.execute(
                text(IN),
                {"n": number, "s": state, "k": key, "c": content, "t": AT, "u": shunted_at},
            )
        for number, state, content in answers:
            connection.execute(
                text(OUT),
                {"n": number, "s": state, "v": f"b+{number}@q.rs", "m": f"<{number}@q.rs>",
                 "c": content, "t": AT},
            )  # fmt: skip
        if connection.dialect.name == "postgresql":
            for table in ("inbox", "outbox"):
                connection.execute(text(f"SELECT setval('{table}_id_seq', 4)"))


def test_mails_in_every_state_keep_their_texts_when_the_database_is_upgraded(
    empty_url: str,
) -> None:
    migrations.upgrade(empty_url, "0008")
    engine = create_engine(empty_url)
    fill(engine)
    migrations.upgrade(empty_url)
    assert migrations.check(empty_url) == ()
    with UnitOfWork(engine) as unit:
        sender, to = "a@b.cd", ("p@q.rs",)
        assert [(waiting.id, waiting.mail) for waiting in unit.inbox.claim(9)] == [
            (4, ReceivedMail(sender, to, b"", NOW)),
            (2, ReceivedMail(sender, to, LONG, NOW)),
        ]
        assert [(bad.id, bad.mail.content) for bad in unit.shunt.listing()] == [(3, b"bad")]
        assert unit.outbox.retry(3, NOW)
        assert [delivery.mail for delivery in unit.outbox.claim(9, "one", NOW, NOW)()] == [
            OutgoingMail(f"b+{number}@q.rs", "x@y.z", f"<{number}@q.rs>", content)
            for number, content in ((2, LONG), (3, b"dead"), (4, b""))
        ]
    assert columns(engine, "SELECT id FROM inbox_texts ORDER BY id") == [(2,), (3,), (4,)]
    assert columns(engine, "SELECT id FROM outbox_texts ORDER BY id") == [(2,), (3,), (4,)]
    engine.dispose()


def test_mails_in_every_state_keep_their_texts_when_the_database_is_taken_back(
    empty_url: str,
) -> None:
    mails = "SELECT id, state, content_key, sender, recipients, content FROM inbox ORDER BY id"
    answers = "SELECT id, state, sender, recipient, content FROM outbox ORDER BY id"
    ids = "SELECT id, message_id FROM outbox WHERE state <> 'sent' ORDER BY id"
    migrations.upgrade(empty_url, "0008")
    engine = create_engine(empty_url)
    fill(engine)
    before = [columns(engine, statement) for statement in (mails, answers, ids)]
    migrations.upgrade(empty_url, "0009")
    migrations.downgrade(empty_url, "0008")
    assert [columns(engine, statement) for statement in (mails, answers, ids)] == before
    migrations.upgrade(empty_url)
    assert migrations.check(empty_url) == ()
    assert columns(engine, "SELECT id FROM outbox_texts ORDER BY id") == [(2,), (3,), (4,)]
    engine.dispose()


def check_texts(unit: UnitOfWork) -> None:
    """Check that there is a text of each mail that is not done, and no other."""
    for mails, texts, done in ((inbox, inbox_texts, "done"), (outbox, outbox_texts, "sent")):
        wanted = unit.connection.scalars(select(mails.c.id).where(mails.c.state != done)).all()
        assert sorted(unit.connection.scalars(select(texts.c.id))) == sorted(wanted)


def test_a_mail_has_a_text_as_long_as_it_is_not_done_whatever_becomes_of_it(engine: Engine) -> None:
    letterbox = Letterbox(engine, lambda mail: mail.content.decode(), most_waiting=100)
    letterbox.put([a_mail(b"%d" % n) for n in range(6)])
    with UnitOfWork(engine) as unit:
        played, dropped, retried, bad, *_ = (mail.id for mail in unit.inbox.claim(6))
        unit.inbox.done(played)
        for mail in (dropped, retried, bad):
            unit.inbox.shunt(mail, "bug", NOW)
        unit.shunt.drop(dropped)
        unit.shunt.drop(played)
        unit.shunt.retry(retried)
        check_texts(unit)
        unit.outbox.add([an_answer(word=f"{n}") for n in range(6)], NOW)
        sent, back, late, dead, away, _ = (
            delivery.id for delivery in unit.outbox.claim(6, "one", NOW, NOW + MINUTE)()
        )
        unit.outbox.sent([sent], NOW)
        assert unit.outbox.returned("bounce+1@example.net", "5.1.1", NOW)
        unit.outbox.deferred(late, "451", NOW)
        unit.outbox.dead(dead, "550")
        unit.outbox.drop(away)
        unit.outbox.retry(back, NOW)
        check_texts(unit)
        later = NOW + 9 * MINUTE
        assert unit.prune(Cutoffs(later, later, later, later), 10) == 6
        check_texts(unit)
        assert (unit.inbox.waiting(), len(unit.shunt.listing())) == (3, 0)
        assert [row.id for row in unit.outbox.listing()] == [late, sent + 5]


def test_a_batch_posts_each_mail_with_its_own_text_in_their_order(engine: Engine) -> None:
    answers = [an_answer(word=f"{n}") for n in range(90)]
    with Batch(engine, claims_for(engine)) as batch:
        for first in range(0, 90, 2):
            batch.outbox.add(answers[first : first + 2], NOW)
        batch.commit()
    with UnitOfWork(engine) as unit:
        claimed = unit.outbox.claim(100, "one", NOW, NOW)()
        assert [delivery.mail for delivery in claimed] == answers
        check_texts(unit)


@pytest.mark.postgres
def test_postgresql_compresses_the_texts_of_mails_quickly_or_not_at_all(
    postgres_engine: Engine,
) -> None:
    kept = columns(
        postgres_engine,
        "SELECT attcompression, attstorage FROM pg_attribute WHERE attname = 'content'"
        " AND attrelid IN ('inbox_texts'::regclass, 'outbox_texts'::regclass)",
    )
    assert len(kept) == 2
    for compression, storage in kept:
        assert compression == "l" or storage == "e"
