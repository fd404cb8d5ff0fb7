"""250 is a promise: it comes after the commit, and no hang-up, failure or crowd changes that."""

import asyncio
import logging
import socket
import threading
import time
from datetime import datetime

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.mail import IntakeUnavailable
from pbm.smtp import SmtpLimits
from pbm.smtp.group_commit import GroupCommit
from pbm.watch.traces import LogObserver
from tests.smtp.house import MAIL, NOON, PATIENCE, House, MemoryInbox

PBM = ("pbm@example.net",)


def hear_in_background(house: House, count: int) -> tuple[list[str], list[threading.Thread]]:
    """Send `count` mails, each on a connection of its own, and collect the replies."""
    replies: list[str] = []

    def send() -> None:
        replies.append(house.client().send()[:3])

    threads = [threading.Thread(target=send) for _ in range(count)]
    for thread in threads:
        thread.start()
    return replies, threads


def test_250_is_said_only_after_the_commit() -> None:
    with House() as house:
        house.inbox.open.clear()
        client = house.client()
        client.address()
        client.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        client.socket.settimeout(0.1)
        with pytest.raises(TimeoutError):
            client.socket.recv(1)
        assert house.inbox.batches == []
        client.socket.settimeout(PATIENCE)
        house.inbox.open.set()
        assert client.socket.recv(3) == b"250"
        assert len(house.inbox.mails) == 1


def test_mails_that_wait_are_committed_together_and_never_more_than_the_limit() -> None:
    with House(SmtpLimits(group_mails=40)) as house:
        house.inbox.open.clear()
        clients = [house.client() for _ in range(64)]
        for client in clients:
            client.address()
            client.type(MAIL + b".\r\n")
        # The answer to NOOP on one more connection proves nothing about the others, so wait
        # until all mails are in: each client's DATA is read in one piece before any later one.
        late = house.client()
        assert late.say("NOOP").startswith("250")
        house.inbox.open.set()
        assert [client.hear()[:3] for client in clients] == ["250"] * 64
        assert len(house.inbox.mails) == 64
        assert len(house.inbox.batches) <= 4
        assert max(len(batch) for batch in house.inbox.batches) <= 40
        assert house.wakes == len(house.inbox.batches)


@pytest.mark.parametrize(
    "failure",
    [IntakeUnavailable("The disk is full."), RuntimeError("INSERT ... [parameters: G7 s3cret]")],
)
def test_a_mail_that_cannot_be_stored_is_asked_for_again_without_a_word_why(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with House() as house:
        client = house.client()
        house.inbox.failure = failure
        assert client.send() == "451 4.3.0 Trouble on our side, please try again later"
        house.inbox.failure = None
        assert client.send().startswith("250")
        assert house.wakes == 1
    assert "s3cret" not in caplog.text
    assert type(failure).__name__ in caplog.text or str(failure) in caplog.text


def test_a_mail_that_has_reached_the_socket_is_not_left_for_the_next_commit() -> None:
    inbox = MemoryInbox()
    log = logging.getLogger("pbm.smtp")
    writer = GroupCommit(inbox.put, lambda: None, 64, log, LogObserver(time.monotonic))

    async def read_in_the_next_pass() -> bool:
        await asyncio.sleep(0)
        mail = ReceivedMail("bob@example.org", PBM, MAIL, NOON)
        return await writer.store(mail)

    async def both() -> bool:
        mail = ReceivedMail("alice@example.org", PBM, MAIL, NOON)
        return all(await asyncio.gather(writer.store(mail), read_in_the_next_pass()))

    assert asyncio.run(both())
    assert [len(batch) for batch in inbox.batches] == [2]
    writer.close()


def test_a_failed_commit_is_told_to_every_sender_of_the_batch() -> None:
    with House() as house:
        house.inbox.open.clear()
        house.inbox.failure = IntakeUnavailable("The database is down.")
        clients = [house.client() for _ in range(10)]
        for client in clients:
            client.address()
            client.type(MAIL + b".\r\n")
        house.inbox.open.set()
        assert [client.hear()[:3] for client in clients] == ["451"] * 10
        assert house.inbox.mails == []


def test_a_bug_in_a_command_is_answered_451_without_detail(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(address: str) -> bool:
        raise ValueError(address)

    with House(accepts=broken) as house:
        client = house.client()
        client.say("MAIL FROM:<>")
        reply = client.say("RCPT TO:<pbm+s3cret@example.org>")
        assert reply == "451 4.3.0 Trouble on our side, please try again later"
        assert client.say("NOOP").startswith("250")
    assert "ValueError" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_bug_while_a_mail_is_taken_is_answered_451_and_the_session_goes_on() -> None:
    def broken() -> datetime:
        raise ValueError("s3cret")

    with House(now=broken) as house:
        client = house.client()
        for _ in range(2):
            assert client.send() == "451 4.3.0 Trouble on our side, please try again later"


def test_a_client_that_hangs_up_within_data_leaves_nothing_behind() -> None:
    with House() as house:
        client = house.client()
        client.address()
        client.type(MAIL + b".\r")
        client.close()
        assert house.client().send().startswith("250")
        assert len(house.inbox.mails) == 1


def test_a_client_that_hangs_up_before_250_has_its_mail_stored_once() -> None:
    with House() as house:
        house.inbox.open.clear()
        client = house.client()
        client.address()
        client.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        client.close()
        other = house.client()
        other.address()
        other.type(b"Subject: help\r\n\r\n.\r\n")
        house.inbox.open.set()
        assert other.hear().startswith("250")
        assert [mail.content[:12] for mail in house.inbox.mails] == [MAIL[:12], b"Subject: hel"]


def test_a_mail_that_waits_for_the_next_commit_stays_though_its_client_hangs_up() -> None:
    with House() as house:
        house.inbox.open.clear()
        first, second, last = house.client(), house.client(), house.client()
        first.address()
        first.type(MAIL + b".\r\n")
        assert house.inbox.asked.wait(PATIENCE)
        second.address()
        second.type(b"Subject: second\r\n\r\n.\r\n")
        assert last.say("NOOP").startswith("250")
        second.socket.shutdown(socket.SHUT_RDWR)
        second.close()
        assert last.say("NOOP").startswith("250")
        house.inbox.open.set()
        assert first.hear().startswith("250")
        assert last.send(b"Subject: last\r\n\r\n").startswith("250")
        subjects = [mail.content.split(b"\r\n")[0] for mail in house.inbox.mails]
        assert subjects == [b"Subject: move 101 G7", b"Subject: second", b"Subject: last"]


def test_a_crowd_is_served_to_the_last() -> None:
    with House() as house:
        replies, threads = hear_in_background(house, 30)
        for thread in threads:
            thread.join(PATIENCE)
        assert replies == ["250"] * 30
        assert len(house.inbox.mails) == 30
