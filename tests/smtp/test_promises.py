"""250 is a promise: it comes after the commit, and no hang-up, failure or stop changes that."""

import asyncio
import smtplib
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.server.smtp import SmtpLimits
from pbm.server.smtp.group_commit import GroupCommit
from pbm.server.watch.traces import LogObserver
from tests.doors import IntakeUnavailable
from tests.smtp.house import MAIL, NOON, PATIENCE, House, MemoryInbox

PBM = ("pbm@example.net",)


def test_250_is_said_only_after_the_commit() -> None:
    with House() as house:
        house.inbox.open.clear()
        client = house.client()
        client.post()
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
            client.post()
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
    writer = GroupCommit(inbox.put, lambda: None, 64, LogObserver(time.monotonic))

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
            client.post()
        house.inbox.open.set()
        assert [client.hear()[:3] for client in clients] == ["451"] * 10
        assert house.inbox.mails == []


def test_who_has_a_full_share_is_told_to_come_later_and_others_of_the_batch_are_not() -> None:
    with House() as house:
        house.inbox.full_for = frozenset({"flood@example.com"})
        house.inbox.open.clear()
        flood, alice = house.client(), house.client()
        for client, sender in ((flood, "flood"), (alice, "alice")):
            client.address(sender=f"<{sender}@example.com>")
            client.type(MAIL + b".\r\n")
        house.inbox.open.set()
        assert flood.hear() == "451 4.3.0 Trouble on our side, please try again later"
        assert alice.hear().startswith("250")
        assert [mail.sender for mail in house.inbox.mails] == ["alice@example.com"]


def broken(address: str = "") -> Any:
    raise ValueError(address or "s3cret")


def test_a_bug_is_answered_451_without_detail_and_the_session_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    trouble = "451 4.3.0 Trouble on our side, please try again later"
    with House(accepts=broken) as house:
        client = house.client()
        client.say("MAIL FROM:<>")
        assert client.say("RCPT TO:<pbm+s3cret@example.org>") == trouble
        assert client.say("NOOP").startswith("250")
    with House(now=broken) as house:
        client = house.client()
        assert [client.send(), client.send()] == [trouble, trouble]
    assert "ValueError" in caplog.text
    assert "s3cret" not in caplog.text


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
        client.post()
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
        first.post()
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


# ---- trouble by LMTP, told for each recipient


@pytest.mark.parametrize(
    "failure", [IntakeUnavailable("The disk is full."), KeyError("s3cret"), None]
)
def test_trouble_is_told_for_each_recipient(failure: Exception | None) -> None:
    with House(now=broken if failure is None else lambda: NOON) as house:
        client = house.front_mta()
        house.inbox.failure = failure
        assert client.send(MAIL, "pbm+a@example.org", "pbm+b@example.org").startswith("451 4.3.0 T")
        assert client.hear().startswith("451 4.3.0 T")
        assert client.say("NOOP") == "250 OK"


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


# ---- mails as they came


@pytest.fixture
def house() -> Iterator[House]:
    with House() as house:
        yield house


def test_a_mail_is_stored_with_its_envelope_and_the_time(house: House) -> None:
    assert house.client().send(MAIL, "pbm+k3y@example.org", "PBM@example.org").startswith("250")
    [mail] = house.inbox.mails
    assert mail.sender == "alice@example.com"
    assert mail.recipients == ("pbm+k3y@example.org", "PBM@example.org")
    assert mail.content == MAIL
    assert mail.received_at == NOON


def test_octets_of_any_kind_and_long_lines_are_content(house: House) -> None:
    octets = bytes(set(range(256)) - {10, 13}) + b"x" * 5000 + b"\r\n"
    assert house.client().send(octets).startswith("250")
    assert house.inbox.mails[0].content == octets


def test_a_new_connection_does_not_change_what_another_one_may_say(house: House) -> None:
    # In aiosmtpd the limits of command lines are one dictionary, which each new session clears.
    client = house.client()
    house.client()
    assert client.say("MAIL FROM:<a@example.com> ENVID=" + "x" * 900).startswith("250")


def test_the_replies_to_a_group_of_commands_leave_in_one_write(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    envelope = b"MAIL FROM:<alice@example.com>\r\nRCPT TO:<pbm@example.org>\r\nDATA\r\n"
    client = house.client()
    written: list[bytes] = []
    write = asyncio.StreamWriter.write

    def note(writer: asyncio.StreamWriter, octets: bytes) -> None:
        written.append(octets)
        write(writer, octets)

    monkeypatch.setattr(asyncio.StreamWriter, "write", note)
    client.type(envelope)
    assert [client.hear()[:3] for _ in range(3)] == ["250", "250", "354"]
    # The end of one mail and the envelope of the next one come together from a busy relay.
    client.type(MAIL + b".\r\n" + envelope)
    assert [client.hear()[:3] for _ in range(4)] == ["250", "250", "250", "354"]
    client.type(MAIL + b".\r\nQUIT\r\n")
    assert [client.hear()[:3] for _ in range(2)] == ["250", "221"]
    assert [octets.count(b"\r\n") for octets in written] == [3, 4, 2]
    assert len(house.inbox.mails) == 2


def test_a_reply_does_not_wait_for_a_command_that_is_not_whole_yet(house: House) -> None:
    client = house.client()
    client.type(b"MAIL FROM:<alice@example.com>\r\nRCPT TO:<pbm@exam")
    assert client.hear().startswith("250")
    client.type(b"ple.org>\r\n")
    assert client.hear().startswith("250")


# ---- an orderly stop: mails on their way are taken, everyone else is told to come back


def test_a_mail_on_its_way_is_taken_before_the_stop() -> None:
    with House() as house:
        client, idle = house.client(), house.client()
        client.address()
        client.type(MAIL[:10])
        house.begin_to_stop()
        assert idle.ends("421 4.3.2")
        client.type(MAIL[10:] + b".\r\n")
        assert client.hear().startswith("250")
        assert client.ends("421 4.3.2")
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
        client.post()
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
        client.post()
        assert house.inbox.asked.wait(PATIENCE)
        house.begin_to_stop()
        assert client.hear() == ""
        house.wait_until_drained()
    assert "none of them was promised" in caplog.text
