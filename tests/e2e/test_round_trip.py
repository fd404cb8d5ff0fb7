"""`pbm doctor --send-to`: a mail, a reply and a bounce, through a real server and a real relay."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.patient import restless
from tests.e2e.server import Server, run_pbm
from tests.e2e.sink import Arrived, Sink
from tests.e2e.test_watched import sent

ADDRESS = "operator@example.com"


@contextmanager
def doctor(home: Path, *options: str) -> Iterator[list[subprocess.CompletedProcess[str]]]:
    """Run the doctor beside the block; what it has said is in the list after it."""
    said: list[subprocess.CompletedProcess[str]] = []
    command = ("doctor", "--send-to", ADDRESS, *options)
    thread = threading.Thread(
        target=lambda: said.append(run_pbm(*command, home=home, program=restless))
    )
    thread.start()
    try:
        yield said
    finally:
        thread.join()


def returned(mail: Arrived) -> bytes:
    """Return the report of a host that knows no such address (RFC 3464)."""
    return (
        f"From: MAILER-DAEMON@example.com\r\nTo: {mail.sender}\r\nSubject: Undelivered\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status;"
        ' boundary="b"\r\n\r\n--b\r\n\r\nIt did not arrive.\r\n--b\r\n'
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\n"
        f"Final-Recipient: rfc822; {mail.recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        "--b--\r\n"
    ).encode()


def answered(mail: Arrived) -> bytes:
    """Return what a person replies."""
    return (
        f"From: {ADDRESS}\r\nTo: {mail.reply_to}\r\nSubject: Re: {mail.subject}\r\n"
        "Message-ID: <reply@example.com>\r\n\r\nIt works!\r\n"
    ).encode()


def test_a_mail_a_reply_and_a_bounce_are_each_told_when_they_have_come(tmp_path: Path) -> None:
    with Sink() as sink, Server(tmp_path, "--relay", sink.relay) as server:
        with doctor(tmp_path, "--wait", "1") as said:
            sink.wait(lambda mails: len(mails) == 2, "both mails")
            asked, doomed = sink.mails
            assert (asked.recipient, doomed.recipient[:9]) == (ADDRESS, "pbm-test-")
            assert doomed.recipient.endswith("@example.com")
            sent(server.address, returned(doomed), sender="", to=doomed.sender)
            sent(server.address, answered(asked), sender=ADDRESS, to=asked.reply_to)
        assert len(sink.mails) == 2  # nobody is answered
        log = server.log
    first, *told = said[0].stdout.splitlines()
    assert said[0].returncode == 0, said[0]
    assert first == f"waiting up to 1 min; please reply to the mail that comes to {ADDRESS}"
    assert sorted(told) == [
        "ok   bounce: it has come back and was read (out:2): The mail came back 5.1.1",
        "ok   mail: the relay has taken it (out:1): 250 OK",
        "ok   reply: a reply has come back and was read",
    ]
    assert "silenced: answer-to-doctor, <reply@example.com>" in log


def test_what_does_not_come_in_time_is_told_with_what_to_look_at(tmp_path: Path) -> None:
    run_pbm("db", "upgrade", home=tmp_path)
    with doctor(tmp_path, "--wait", "0.001") as said:
        pass
    assert said[0].returncode == 1
    for words in ("the mail has not left", "no reply has come", "no bounce has come"):
        assert words in said[0].stdout


def test_what_is_no_address_is_refused(tmp_path: Path) -> None:
    ended = run_pbm("doctor", "--send-to", "nobody", home=tmp_path)
    assert ended.returncode == 1
    assert "--send-to takes a mail address" in ended.stderr
    assert not (tmp_path / "var").exists()
