"""Mails handed to a smart host: who gets them, who does not, and what the verdict is."""

from collections.abc import Iterator

import pytest

from pbm.relay.connection import smtp_target
from pbm.relay.smtp import SmtpRelay
from tests.doors import Deferred, Failed, Sent
from tests.relay.relays import deliver, kinds, mail, mails, relay_to, unreached, verdicts_of
from tests.sink import Sink


@pytest.fixture(params=[False, True], ids=["one by one", "pipelined"])
def sink(request: pytest.FixtureRequest) -> Iterator[Sink]:
    with Sink(pipelining=request.param) as served:
        yield served


def test_a_mail_arrives_byte_for_byte_with_its_envelope(sink: Sink) -> None:
    content = b".leading dot\r\nSubject: x\r\n\r\n.\r\n..\r\nFrom here\r\n.end\r\n"
    assert deliver(sink.relay, mail(content=content)) == [Sent()]
    (taken,) = sink.mails
    assert taken.content == content
    assert (taken.sender, taken.recipient) == ("bounce+k3v9@games.example.org", "bob@example.net")


def test_a_content_without_a_last_line_end_gets_one(sink: Sink) -> None:
    deliver(sink.relay, mail(content=b"Subject: x\r\n\r\nhello"))
    assert sink.mails[0].content == b"Subject: x\r\n\r\nhello\r\n"


def test_eight_bits_are_announced_and_ascii_is_not(sink: Sink) -> None:
    umlauts = "Subject: x\r\n\r\nÄÖÜ\r\n".encode()
    deliver(sink.relay, mail(content=umlauts), mail())
    assert [taken.options for taken in sink.mails] == [("BODY=8BITMIME",), ()]
    assert sink.mails[0].content == umlauts


def test_the_relay_is_greeted_with_our_name_and_once_for_many_mails(sink: Sink) -> None:
    with relay_to(sink.relay) as relay:
        for batch in range(3):
            verdicts = verdicts_of(relay, *mails(*(f"p{batch}{n}" for n in range(5))))
            assert verdicts == [Sent()] * 5
    assert len(sink.mails) == 15
    assert sink.greeted == ["games.example.org"]


def test_a_dead_recipient_and_a_full_mailbox_hold_nobody(sink: Sink) -> None:
    sink.answers = {
        "dead@example.net": "550 5.1.1 no such user",
        "full@example.net": "451 4.2.2 mailbox full",
    }
    verdicts = deliver(sink.relay, *mails("a", "dead", "b", "full", "c"))
    assert verdicts == [
        Sent(),
        Failed("The relay answered 550 5.1.1 no such user"),
        Sent(),
        Deferred("The relay answered 451 4.2.2 mailbox full"),
        Sent(),
    ]
    assert [taken.recipient[0] for taken in sink.mails] == ["a", "b", "c"]
    assert len(sink.greeted) == 1


def test_a_mail_at_which_the_relay_falls_over_holds_no_other(sink: Sink) -> None:
    sink.answers = {"poison@example.net": ""}
    verdicts = deliver(sink.relay, *mails("a", "poison", "b"))
    assert kinds(verdicts) == "SDS"
    assert len(sink.greeted) == 2


def test_a_421_closes_the_connection_and_the_next_mail_gets_a_new_one(sink: Sink) -> None:
    sink.answers = {"many@example.net": "421 4.7.0 too many mails"}
    verdicts = deliver(sink.relay, *mails("a", "many", "b"))
    assert verdicts == [
        Sent(),
        Deferred("The relay answered 421 4.7.0 too many mails", relay_down=True),
        Sent(),
    ]
    assert len(sink.greeted) == 2


def test_a_connection_that_the_relay_has_closed_meanwhile_is_replaced(sink: Sink) -> None:
    with relay_to(sink.relay) as relay:
        assert verdicts_of(relay, mail()) == [Sent()]
        sink.hang_up()
        assert verdicts_of(relay, mail()) == [Sent()]
    assert len(sink.greeted) == 2


def test_a_connection_idle_for_long_is_replaced(sink: Sink) -> None:
    relay = SmtpRelay(smtp_target(sink.relay), "h.example", keep=0)
    assert verdicts_of(relay, mail(), mail()) == [Sent(), Sent()]
    assert verdicts_of(relay, mail()) == [Sent()]
    relay.close()
    assert len(sink.greeted) == 2


def test_when_nobody_listens_every_mail_waits() -> None:
    with Sink() as sink:
        url = sink.relay
    refused = unreached("The relay cannot be used: Connection refused.")
    assert deliver(url, mail(), mail()) == [refused, refused]


@pytest.mark.parametrize(
    ("recipient", "content"),
    [
        ("bob@example.net>\r\nRCPT TO:<eve@example.net", None),
        ("bob @example.net", None),
        ("bób@example.net", None),
        ("", None),
        ("bob@example.net", b"Subject: x\r\n\r\nhi\n.\nMAIL FROM:<eve@example.net>\r\n"),
        ("bob@example.net", b"Subject: x\r\n\r\nhi\r.\r\r\n"),
    ],
)
def test_a_mail_that_could_smuggle_commands_never_goes_out_and_holds_no_other(
    sink: Sink, recipient: str, content: bytes | None
) -> None:
    bad, good = mail(recipient, content), mail("carol@example.net")
    verdicts = deliver(sink.relay, bad, good)
    assert kinds(verdicts) == "FS"
    assert [taken.recipient for taken in sink.mails] == ["carol@example.net"]


@pytest.mark.parametrize("reply", ["530 5.7.0 STARTTLS first", "535 login first", "503 bad order"])
def test_a_relay_that_wants_a_login_first_loses_no_mail(sink: Sink, reply: str) -> None:
    sink.answers = {"bob@example.net": reply}
    assert deliver(sink.relay, mail()) == [Deferred(f"The relay answered {reply}", relay_down=True)]
