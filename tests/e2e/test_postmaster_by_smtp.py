"""Every mail host has a postmaster (RFC 5321 section 4.5.1)."""

import smtplib
from pathlib import Path

from tests.e2e.people import letter
from tests.e2e.server import Server
from tests.processes import PATIENCE
from tests.sink import Sink

OPERATOR = "operator@example.com"


def test_the_postmaster_is_the_operator_with_or_without_a_domain(tmp_path: Path) -> None:
    with Sink() as sink, Server(tmp_path, "--relay", sink.relay, "--operator", OPERATOR) as server:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client:
            mail = letter("carol@example.net", "Spam from you", to="postmaster@localhost")
            assert client.sendmail("carol@example.net", ["Postmaster", "nobody@localhost"], mail)
        sink.wait(lambda mails: mails, "a mail for the operator")
        [passed_on] = sink.mails
        assert passed_on.recipient == OPERATOR
        assert "Somebody wrote to the postmaster" in passed_on.subject


def test_without_an_operator_nobody_is_promised_that_the_postmaster_reads(tmp_path: Path) -> None:
    with (
        Server(tmp_path) as server,
        smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client,
    ):
        client.ehlo()
        client.mail("carol@example.net")
        assert client.rcpt("postmaster@localhost")[0] == 550
