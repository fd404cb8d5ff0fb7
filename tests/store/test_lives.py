"""The way of a mail as it is stored: who led to whom, in which words, and what waits."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import Engine

from pbm.domain.mail import message_key
from pbm.mail.reading.incoming import message_id_of
from pbm.service.ports.mail import Observer, Queues, Taken
from pbm.store.intake import Letterbox
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, a_mail, an_answer

LATER = NOW + MINUTE


@dataclass
class Listening(Observer):
    """An observer that keeps what it is told."""

    heard: list[Taken] = field(default_factory=list)

    def taken(self, mails: Sequence[Taken]) -> None:
        self.heard += mails


def letterbox(engine: Engine, observer: Listening) -> Letterbox:
    return Letterbox(
        engine, lambda mail: mail.content.decode("latin-1"), most_waiting=100,
        message_id_of=message_id_of, observer=observer,
    )  # fmt: skip


def test_the_way_of_a_mail_is_found_by_its_number_and_its_message_id(
    engine: Engine, begin: Begin
) -> None:
    observer = Listening()
    mail = replace(a_mail(b"Message-Id:\r\n <a@b.cd>\r\n\r\nmove"), listener="lmtp /run/pbm/lmtp")
    letterbox(engine, observer).put([mail])
    (taken,) = observer.heard
    key = message_key("a@b.cd")
    assert (taken.message_id, taken.repeat, message_key(taken.message_id)) == (
        b"<a@b.cd>", False, key,
    )  # fmt: skip
    assert key is not None
    with begin() as unit:
        (waiting,) = unit.inbox.claim(1)
        unit.outbox.add([an_answer("bob@example.org", "b"), an_answer()], NOW, waiting.id)
        unit.outbox.add([an_answer(word="c")], NOW)
        unit.inbox.done(waiting.id, "played: move on board 104", LATER)
        first, *others = unit.outbox.claim(3, "one", NOW, LATER)()
        assert [each.answers for each in (first, *others)] == [waiting.id, waiting.id, None]
        unit.outbox.sent([first.id], LATER, {first.id: "250 Ok: queued as 4F"})
        (came,), none = unit.lives.known_as(key)
        assert came == unit.lives.incoming(taken.number)
        assert (came.state, came.listener, came.outcome, came.played_at) == (
            "done", "lmtp /run/pbm/lmtp", "played: move on board 104", LATER,
        )  # fmt: skip
        assert none == ()
        sent, held = unit.lives.led_to(came.id)
        assert (sent.state, sent.words, sent.sent_at, sent.held) == (
            "sent", "250 Ok: queued as 4F", LATER, False,
        )  # fmt: skip
        assert (held.state, held.words, held.held) == ("waiting", "", True)
        own = message_key("<id-b@example.net>")
        assert own is not None
        assert unit.lives.known_as(own) == ((), (sent,))
        assert unit.lives.outgoing(sent.id) == sent
        assert (unit.lives.incoming(99), unit.lives.outgoing(99)) == (None, None)


def test_a_repeat_is_told_with_the_number_of_the_first_copy(engine: Engine) -> None:
    observer = Listening()
    intake = letterbox(engine, observer)
    intake.put([a_mail(b"one"), a_mail(b"two")])
    intake.put([a_mail(b"three"), a_mail(b"one"), a_mail(b"three")])
    one, _, three, *repeats = observer.heard
    assert [(mail.number, mail.repeat) for mail in repeats] == [
        (one.number, True), (three.number, True),
    ]  # fmt: skip
    assert not three.repeat


def test_what_waits_is_counted_and_what_is_done_is_not(engine: Engine, begin: Begin) -> None:
    with begin() as unit:
        assert unit.lives.queues() == Queues(0, 0, None, 0, 0, None, 0)
    letterbox(engine, Listening()).put([a_mail(b"%d" % n) for n in range(4)])
    with begin() as unit:
        done, bad, *_ = (waiting.id for waiting in unit.inbox.claim(2))
        unit.inbox.done(done)
        unit.inbox.shunt(bad, "bug", NOW)
        unit.outbox.add([an_answer(word=word) for word in "abc"], NOW)
        first, second, _ = unit.outbox.claim(3, "one", NOW, LATER)()
        unit.outbox.sent([first.id], NOW)
        unit.outbox.dead(second.id, "550")
        assert unit.lives.queues() == Queues(2, 2, NOW, 1, 1, LATER, 1)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"Message-ID: <a@b>\r\n\r\n", b"<a@b>"),
        (b"From: x\r\nmessage-id:\r\n <a@b>\r\nTo: y\r\n\r\nMessage-ID: <c@d>", b"<a@b>"),
        (b"MESSAGE-ID: a  \t b\r\n\tc", b"a b c"),
        (b"Subject: none\r\n\r\nMessage-ID: <in-the-text@b>", b""),
        (b"X-Message-ID: <other@b>\r\n\r\n", b""),
        (b"", b""),
        (b"Message-ID:" + b"x" * 5000, b"x" * 1000),
    ],
)
def test_the_message_id_is_found_in_the_headers_alone(content: bytes, found: bytes) -> None:
    assert message_id_of(a_mail(content)) == found
