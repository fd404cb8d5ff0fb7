"""LMTP for a front MTA: a reply for each recipient, and nothing that makes it bounce."""

import smtplib
from pathlib import Path

import pytest

from pbm.service.ports.mail import IntakeUnavailable
from pbm.smtp import SmtpLimits
from tests.smtp.house import MAIL, House


def test_each_recipient_has_a_reply_and_the_mail_is_stored_once() -> None:
    with House() as house:
        client = house.front_mta()
        assert client.send(MAIL, "pbm+a@example.org", "pbm+b@example.org").startswith("250")
        assert client.hear().startswith("250")
        assert client.say("NOOP") == "250 OK"
        [mail] = house.inbox.mails
        assert mail.recipients == ("pbm+a@example.org", "pbm+b@example.org")


def test_a_recipient_named_twice_has_two_replies() -> None:
    with House() as house:
        client = house.front_mta()
        assert client.send(MAIL, "pbm@example.org", "pbm@example.org").startswith("250")
        assert client.hear().startswith("250")


@pytest.mark.parametrize("failure", [IntakeUnavailable("The disk is full."), KeyError("s3cret")])
def test_trouble_is_told_for_each_recipient(failure: Exception) -> None:
    with House() as house:
        client = house.front_mta()
        house.inbox.failure = failure
        assert client.send(MAIL, "pbm+a@example.org", "pbm+b@example.org").startswith("451 4.3.0 T")
        assert client.hear().startswith("451 4.3.0 T")
        assert client.say("NOOP") == "250 OK"


def test_a_bug_is_told_for_each_recipient() -> None:
    def broken() -> None:
        raise ValueError

    with House(now=broken) as house:  # type: ignore[arg-type]
        client = house.front_mta()
        assert client.send(MAIL, "pbm+a@example.org", "pbm+b@example.org").startswith("451 4.3.0 T")
        assert client.hear().startswith("451 4.3.0 T")
        assert client.say("NOOP") == "250 OK"


def test_an_unknown_recipient_is_refused() -> None:
    with House() as house:
        client = house.front_mta()
        client.say("MAIL FROM:<>")
        assert client.say("RCPT TO:<somebody@example.org>").startswith("550")
        assert client.say("DATA").startswith("503")


@pytest.mark.parametrize(
    "octets", [b"x" * 2000 + b"\r\n", b"\n" * 900 + b"\r\n", b"Received: x\r\n" * 51 + MAIL]
)
def test_what_can_never_be_taken_is_dropped_in_silence(octets: bytes) -> None:
    with House(SmtpLimits(message_bytes=1000)) as house:
        client = house.front_mta()
        assert client.send(octets).startswith("250")
        assert house.inbox.mails == []
        assert client.send().startswith("250")


def test_a_flood_is_dropped_in_silence_too() -> None:
    with House(SmtpLimits(message_bytes=1000, discarded_bytes=2000)) as house:
        client = house.front_mta()
        client.address("pbm+a@example.org", "pbm+b@example.org")
        client.type(b"x" * 65536)
        assert client.hear().startswith("250")
        assert client.hear().startswith("250")


def test_no_size_is_offered_or_refused() -> None:
    with House() as house:
        client = house.front_mta()
        assert "SIZE" not in client.say("LHLO x")
        assert client.say("MAIL FROM:<a@example.com> SIZE=99999999").startswith("250")


def test_the_greeting_of_smtp_is_not_understood() -> None:
    with House() as house:
        client = house.visitor("lmtp")
        assert client.hear() == "220 mx.example.org LMTP pbm"
        assert client.say("EHLO x").startswith("500")
        assert client.say("HELO x").startswith("500")


def test_a_unix_socket_serves_and_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "lmtp.sock"
    with House(SmtpLimits(connections_per_peer=1), lmtp=path) as house:
        assert str(house.listeners[1]) == f"lmtp {path}"
        clients = [smtplib.LMTP(str(path)) for _ in range(3)]
        for client in clients:
            client.sendmail("a@example.com", ["pbm@example.org"], MAIL)
            client.quit()
        assert len(house.inbox.mails) == 3
    assert not path.exists()
