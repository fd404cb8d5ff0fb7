"""An orderly stop: mails on their way are taken, everyone else is told to come back."""

import pytest

from pbm.smtp import SmtpLimits
from tests.smtp.house import MAIL, PATIENCE, House


def test_a_mail_on_its_way_is_taken_before_the_stop() -> None:
    with House() as house:
        client, idle = house.client(), house.client()
        client.address()
        client.type(MAIL[:10])
        house.begin_to_stop()
        assert idle.hear().startswith("421 4.3.2")
        assert idle.hear() == ""
        client.type(MAIL[10:] + b".\r\n")
        assert client.hear().startswith("250")
        assert client.hear().startswith("421 4.3.2")
        assert client.hear() == ""
        house.wait_until_drained()
        assert len(house.inbox.mails) == 1


def visit_for_ever(house: House) -> None:
    while True:
        visitor = house.visitor()
        # Linux itself may forget a connection, silently, whose handshake ends in the very moment
        # when the listening socket closes. It owns up to it as soon as something is sent.
        visitor.type(b"NOOP\r\n")
        assert visitor.hear()[:3] in {"220", "421", ""}


def test_whoever_connects_at_the_last_moment_hears_so_or_is_refused() -> None:
    # asyncio's Server.close() leaves a connection that it is just accepting open and silent.
    for _ in range(5):
        with House() as house:
            client = house.client()
            client.address()
            house.begin_to_stop()
            with pytest.raises(ConnectionError):
                visit_for_ever(house)
            client.type(b".\r\n")
            assert client.hear().startswith("250")


def test_a_mail_that_waits_for_its_commit_is_answered_before_the_stop() -> None:
    with House() as house:
        house.inbox.open.clear()
        client = house.client()
        client.address()
        client.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        house.begin_to_stop()
        house.inbox.open.set()
        assert client.hear().startswith("250")
        house.wait_until_drained()


def test_mails_whose_clients_have_gone_are_stored_before_the_stop() -> None:
    with House() as house:
        house.inbox.open.clear()
        first, second, last = house.client(), house.client(), house.client()
        first.address()
        second.address()
        first.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        second.type(MAIL + b".\r\n")
        assert last.say("NOOP").startswith("250")
        for client in (first, second, last):
            client.close()
        house.begin_to_stop()
        house.inbox.open.set()
        house.wait_until_drained()
        assert len(house.inbox.mails) == 2


def test_a_client_that_does_not_finish_its_mail_does_not_hold_the_stop() -> None:
    with House(SmtpLimits(drain_seconds=0.2)) as house:
        client = house.client()
        client.address()
        house.begin_to_stop()
        assert client.hear() == ""
        house.wait_until_drained()
        assert house.inbox.mails == []


def test_a_store_that_hangs_does_not_hold_the_stop(caplog: pytest.LogCaptureFixture) -> None:
    with House(SmtpLimits(drain_seconds=0.2)) as house:
        house.inbox.open.clear()
        client = house.client()
        client.address()
        client.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        house.begin_to_stop()
        assert client.hear() == ""
        house.wait_until_drained()
    assert "none of them was promised" in caplog.text
