"""An accepted mail is kept until it is played, and it is played once."""

import traceback
from dataclasses import replace

import pytest
from sqlalchemy import Engine, event, select, text

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.mail import IntakeUnavailable
from pbm.store.database import create_engine
from pbm.store.intake import Letterbox
from pbm.store.tables import inbox, inbox_texts
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import NOW, a_mail

PASSWORD = b"hunter2"


def key(mail: ReceivedMail) -> str | None:
    """Return the key of a mail in these tests; one that begins with "any" is always new."""
    return None if mail.content.startswith(b"any") else mail.content.decode("latin-1")


@pytest.fixture
def intake(engine: Engine) -> Letterbox:
    return Letterbox(engine, key, most_waiting=10)


def test_mails_wait_in_the_order_they_came(begin: Begin, intake: Letterbox) -> None:
    mails = [a_mail(word) for word in (b"one", b"two", b"three")]
    intake.put(mails[:2])
    intake.put(mails[2:])
    with begin() as unit:
        assert [waiting.mail for waiting in unit.inbox.claim(10)] == mails
        assert [waiting.mail for waiting in unit.inbox.claim(2)] == mails[:2]
        assert unit.inbox.waiting() == 3


def test_mails_that_wait_are_seen_by_a_reader_too_and_even_if_somebody_holds_them(
    begin: Begin, intake: Letterbox, engine: Engine
) -> None:
    mails = [a_mail(word) for word in (b"one", b"two", b"three")]
    intake.put(mails)
    with begin() as unit, UnitOfWork(engine, write=False) as reading:
        held = unit.inbox.claim(10)
        assert reading.inbox.peek(10) == held
        assert reading.inbox.peek(2) == held[:2]
        assert reading.inbox.peek(0) == ()


def test_any_envelope_and_any_bytes_can_be_stored(begin: Begin, intake: Letterbox) -> None:
    mail = ReceivedMail("", ("a\udc80\0@x.org", "b@x.org"), bytes(range(256)), NOW)
    intake.put([mail])
    with begin() as unit:
        assert [waiting.mail for waiting in unit.inbox.claim(1)] == [mail]


def test_where_a_mail_came_from_is_known_until_it_is_played(
    begin: Begin, intake: Letterbox, engine: Engine
) -> None:
    intake.put([replace(a_mail(), network="192.0.2.0/24")])
    with begin() as unit:
        (waiting,) = unit.inbox.claim(1)
        assert waiting.mail.network == "192.0.2.0/24"
        unit.inbox.done(waiting.id)
        unit.commit()
    with engine.connect() as connection:
        assert connection.scalar(select(inbox.c.network)) == ""


def test_a_repeat_of_a_mail_is_stored_once_in_one_batch_or_two_and_so_is_its_text(
    engine: Engine, intake: Letterbox
) -> None:
    intake.put([a_mail(b"one"), a_mail(b"one"), a_mail(b"two")])
    intake.put([a_mail(b"three"), a_mail(b"one")])
    with UnitOfWork(engine) as unit:
        contents = [waiting.mail.content for waiting in unit.inbox.claim(10)]
        texts = unit.connection.scalars(select(inbox_texts.c.content)).all()
    assert contents == [b"one", b"two", b"three"]
    assert sorted(texts) == sorted(contents)


def test_a_mail_without_a_key_is_always_new(begin: Begin, intake: Letterbox) -> None:
    intake.put([a_mail(b"any"), a_mail(b"any")])
    with begin() as unit:
        assert unit.inbox.waiting() == 2


def test_a_played_mail_loses_its_bytes_and_its_repeat_does_nothing(
    begin: Begin, engine: Engine, intake: Letterbox
) -> None:
    intake.put([a_mail(b"move 101 b2 secret")])
    with begin() as unit:
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    intake.put([a_mail(b"move 101 b2 secret")])
    with begin() as unit:
        assert unit.inbox.waiting() == 0
        assert unit.inbox.claim(1) == ()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT * FROM inbox_texts")).all() == []


def test_over_the_high_water_mark_no_mail_is_taken_until_play_has_caught_up(
    begin: Begin, intake: Letterbox
) -> None:
    intake.put([a_mail(b"any")] * 9)
    intake.put([a_mail(b"any")])
    with pytest.raises(IntakeUnavailable, match="10 mails or more wait"):
        intake.put([a_mail(b"any")])
    with begin() as unit:
        assert unit.inbox.waiting() == 10
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    intake.put([a_mail(b"any")])


def test_a_batch_is_stored_whole_or_not_at_all(begin: Begin, intake: Letterbox) -> None:
    naive = replace(a_mail(b"two"), received_at=NOW.replace(tzinfo=None))
    with pytest.raises(IntakeUnavailable):
        intake.put([a_mail(b"one"), naive])
    with begin() as unit:
        assert unit.inbox.waiting() == 0


def test_nothing_to_put_is_nothing_to_do(begin: Begin, intake: Letterbox) -> None:
    intake.put([])
    with begin() as unit:
        assert unit.inbox.waiting() == 0


def test_intake_is_unavailable_while_the_database_is_down() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/none")
    why = r"^The database cannot be used now: .*Connection refused"
    with pytest.raises(IntakeUnavailable, match=why) as caught:
        Letterbox(engine, key, most_waiting=10).put([a_mail()])
    assert "nobody" not in str(caught.value)
    engine.dispose()


def test_intake_is_unavailable_while_the_tables_are_missing(empty_url: str) -> None:
    engine = create_engine(empty_url)
    with pytest.raises(IntakeUnavailable):
        Letterbox(engine, key, most_waiting=10).put([a_mail()])
    engine.dispose()


def test_no_error_shows_what_is_in_a_mail(intake: Letterbox) -> None:
    mail = replace(a_mail(b"move 101 b2 " + PASSWORD), received_at=NOW.replace(tzinfo=None))
    with pytest.raises(IntakeUnavailable) as caught:
        intake.put([mail])
    shown = "".join(traceback.format_exception(caught.value))
    assert "no time zone" in shown
    assert PASSWORD.decode() not in shown


def test_intake_is_unavailable_while_the_disk_is_full(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    event.listen(engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=40"))
    intake = Letterbox(engine, key, most_waiting=10)
    with pytest.raises(IntakeUnavailable):
        intake.put([a_mail(b"any" + bytes(1_000_000))])
    intake.put([a_mail(b"small")])
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM inbox")).scalar_one() == 1
    engine.dispose()


def test_a_shunted_mail_waits_for_the_operator(begin: Begin, intake: Letterbox) -> None:
    intake.put([a_mail(b"bad"), a_mail(b"good")])
    with begin() as unit:
        bad = unit.inbox.claim(1)[0].id
        unit.inbox.shunt(bad, "ZeroDivisionError \0\udc80", NOW)
        assert [waiting.mail.content for waiting in unit.inbox.claim(10)] == [b"good"]
        (shunted,) = unit.shunt.listing()
        assert unit.shunt.get(bad) == shunted
        assert unit.shunt.get(bad + 1) is None
    assert shunted.mail == a_mail(b"bad")
    assert shunted.error == r"ZeroDivisionError \x00\udc80"
    assert shunted.shunted_at == NOW


def test_a_shunted_mail_can_be_played_again(begin: Begin, intake: Letterbox) -> None:
    intake.put([a_mail(b"bad"), a_mail(b"good")])
    with begin() as unit:
        bad = unit.inbox.claim(1)[0]
        unit.inbox.shunt(bad.id, "bug", NOW)
        unit.shunt.retry(bad.id)
        assert unit.shunt.listing() == ()
        assert unit.inbox.claim(1) == (bad,)


def test_a_dropped_mail_is_gone_and_so_is_its_repeat(
    begin: Begin, intake: Letterbox, engine: Engine
) -> None:
    intake.put([a_mail(b"bad")])
    with begin() as unit:
        bad = unit.inbox.claim(1)[0].id
        unit.inbox.shunt(bad, "secret", NOW)
        unit.shunt.drop(bad)
        unit.commit()
    intake.put([a_mail(b"bad")])
    with begin() as unit:
        assert unit.shunt.listing() == ()
        assert unit.inbox.waiting() == 0
    with engine.connect() as connection:
        assert connection.execute(text("SELECT error FROM inbox")).scalar_one() == ""
        assert connection.execute(text("SELECT * FROM inbox_texts")).all() == []


def test_only_a_shunted_mail_can_be_retried_or_dropped(begin: Begin, intake: Letterbox) -> None:
    intake.put([a_mail(b"one"), a_mail(b"two")])
    with begin() as unit:
        one, two = (waiting.id for waiting in unit.inbox.claim(2))
        unit.inbox.done(one)
        unit.shunt.retry(one)
        unit.shunt.drop(two)
        assert [waiting.id for waiting in unit.inbox.claim(2)] == [two]


TOKEN = "cgoeqzlzfy2kqpiw"
WITH_TOKENS = ReceivedMail(
    f"bounce+{TOKEN}@example.org", (f"pbm+{TOKEN}@example.net",), b"move 101 b2 " + PASSWORD, NOW
)


def stored(engine: Engine) -> str:
    """Return all that the tables of the inbox hold, as text."""
    with engine.connect() as connection:
        rows = [connection.execute(select(table)).all() for table in (inbox, inbox_texts)]
    return repr(rows)


def test_of_a_played_mail_no_token_and_no_password_stays(begin: Begin, engine: Engine) -> None:
    Letterbox(engine, lambda _: "key", most_waiting=10).put([WITH_TOKENS])
    assert stored(engine).count(TOKEN) == 2
    with begin() as unit:
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    for secret in (TOKEN, PASSWORD.decode(), "pbm", "example"):
        assert secret not in stored(engine)


def test_of_a_dropped_mail_no_token_and_no_password_stays(begin: Begin, engine: Engine) -> None:
    Letterbox(engine, lambda _: "key", most_waiting=10).put([WITH_TOKENS])
    with begin() as unit:
        shunted = unit.inbox.claim(1)[0].id
        unit.inbox.shunt(shunted, f"KeyError {TOKEN}", NOW)
        unit.shunt.drop(shunted)
        unit.commit()
    for secret in (TOKEN, PASSWORD.decode(), "pbm", "example"):
        assert secret not in stored(engine)


def test_of_a_mail_shunted_retried_and_played_no_error_stays(begin: Begin, engine: Engine) -> None:
    Letterbox(engine, lambda _: "key", most_waiting=10).put([WITH_TOKENS])
    with begin() as unit:
        shunted = unit.inbox.claim(1)[0].id
        unit.inbox.shunt(shunted, f"KeyError {TOKEN}", NOW)
        unit.shunt.retry(shunted)
        unit.inbox.done(unit.inbox.claim(1)[0].id)
        unit.commit()
    assert TOKEN not in stored(engine)


def test_the_high_water_mark_holds_for_all_processes_that_take_mails_in(url: str) -> None:
    engines = [create_engine(url) for _ in range(2)]
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
    for engine in engines:
        engine.dispose()
