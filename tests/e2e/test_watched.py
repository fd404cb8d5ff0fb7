"""The operator's view of a running server: its log line by line, its figures, its state."""

import json
import re
import resource
import smtplib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.databases import postgres_database, postgres_server
from tests.e2e.people import ALICE, hand_in
from tests.e2e.server import Server, beating, restless
from tests.processes import lasting_port, run_pbm, until
from tests.sink import Sink
from tests.torture.trouble import PostgresDatabase

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (?:INFO|WARNING|ERROR) pbm[.\w]*: [ -~]+")

CLOSED = "smtp://127.0.0.1:1"  # nobody listens on port 1

EVIL = (
    b"<" + b"a" * 10_000 + b"\x1b[2J\x1b[31m\xff\xfe\x00"
    b"\r\n 2026-11-22 03:00:00,000 ERROR pbm: forged@example.org>"
)


def sent(server: Server, content: bytes, sender: str = ALICE) -> None:
    """Send a raw mail."""
    hand_in(server, sender, content, "pbm+secret-word@localhost")


def a_mail(message_id: bytes, *headers: bytes) -> bytes:
    lines = (b"From: alice@example.com", b"Subject: signup alice green-apple-tree", *headers)
    return b"\r\n".join((*lines, b"Message-ID: " + message_id, b"", b"my-secret-text", b""))


def heard(server: Server, words: str, times: int = 1) -> str:
    """Return the line of the log that holds these words, as soon as it has come so often."""

    def look() -> list[str] | None:
        found = [line for line in server.log.splitlines() if words in line]
        return found if len(found) >= times else None

    return until(look, words)[times - 1]


def page(at: str, path: str) -> tuple[int, str]:
    """Return the status and the text of a page of the window."""
    try:
        with urllib.request.urlopen(f"http://{at}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_each_mail_has_a_line_when_it_is_taken_played_and_sent_and_none_tells_a_secret(
    tmp_path: Path,
) -> None:
    with Sink() as sink, Server(tmp_path, "--relay", sink.relay) as server:
        sent(server, a_mail(b"<first@phone.example>"))
        sink.wait(len, "the answer")
        out = heard(server, "out:1 sent")
        sent(server, a_mail(b"<second@phone.example>", b"Auto-Submitted: auto-replied"))
        silenced = heard(server, "in:2 silenced")
        sent(server, a_mail(b"<first@phone.example>"))
        heard(server, "in:1 came again by smtp")
    taken, played = heard(server, "in:1 taken"), heard(server, "in:1 played")
    assert f"by smtp {server.address} from 127.0.0.1: " in taken
    assert taken.endswith("alice@example.com to pbm+***@localhost, <first@phone.example>")
    assert played.endswith(" in:1 played: signup, <first@phone.example>")
    assert " out:1 sent to alice@example.com, for in:1: 250 OK, <" in out
    assert silenced.endswith(" in:2 silenced: auto-submitted, <second@phone.example>")
    for secret in ("secret-word", "my-secret-text", "green-apple-tree"):
        assert secret not in server.log


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_stranger_sends_neither_forges_nor_breaks_a_line(tmp_path: Path, form: str) -> None:
    with Server(tmp_path, "--relay", "null:", "--log-format", form) as server:
        sent(server, a_mail(EVIL), sender="eve+secret-word@example.com")
        heard(server, "out:1 sent")
    lines = [line for line in server.log.splitlines() if line]
    assert len([line for line in lines if "in:1" in line]) == 3
    assert all(len(line) < 1000 for line in lines)
    if form == "json":
        told: list[dict[str, Any]] = [json.loads(line) for line in lines]
        assert all(line["logger"].startswith("pbm") for line in told)
        (taken,) = (line for line in told if line.get("event") == "taken")
        assert (taken["mail"], taken["level"]) == ("in:1", "info")
        assert taken["message_id"].startswith("<aaaa")
    else:
        assert all(map(LINE.fullmatch, lines)), lines


def test_in_the_journal_each_line_says_its_priority_and_a_relay_is_down_in_one_line(
    tmp_path: Path,
) -> None:
    log = tmp_path / "serve.log"
    log.touch()
    there = log.stat()
    journal = {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}", "PBM_AS_ROOT": "1"}
    with Server(tmp_path, "--relay", CLOSED, environment=journal) as server:
        for number in range(3):
            sent(server, a_mail(b"<%d@phone.example>" % number, b"X-N: %d" % number))
            heard(server, f"out:{number + 1}: waiting for the relay, again at ")
        server.stop()
    lines = server.log.splitlines()
    assert any(line.startswith("<6>pbm.intake: in:1 taken") for line in lines)
    assert all(re.match(r"<[3467]>pbm", line) for line in lines)
    (down,) = [line for line in lines if "the relay is down: " in line]
    assert down.startswith("<4>pbm.deliver: the relay is down: The relay cannot be used: ")


def test_the_figures_and_the_state_of_a_server_are_seen_through_its_window(tmp_path: Path) -> None:
    at = f"127.0.0.1:{lasting_port()}"
    with Server(tmp_path, "--relay", "null:", "--metrics", at) as server:
        assert page(at, "/readyz") == (200, "ready\n")
        assert page(at, "/healthz") == (200, "all stages turn\n")
        assert page(at, "/else")[0] == 404
        sent(server, a_mail(b"<first@phone.example>"))
        sent(server, a_mail(b"<second@phone.example>", b"Precedence: bulk"))
        heard(server, "in:2 silenced")
        heard(server, "out:1 sent")
        figures = page(at, "/metrics")[1].splitlines()
        another = run_pbm("serve", "--smtp", "", "--metrics", at, home=tmp_path)
        assert another.returncode == 1
        assert f"{at} is taken by another process: ss -ltnp" in another.stderr
    for figure in (
        'pbm_intake_mails_total{protocol="smtp",repeated="no"} 2.0',
        'pbm_play_mails_total{fate="played"} 1.0',
        'pbm_play_rules_total{fate="silenced",rule="precedence"} 1.0',
        'pbm_delivery_mails_total{verdict="sent"} 1.0',
        "pbm_play_seconds_count 2.0",
        "pbm_inbox_mails 0.0",
        "pbm_outbox_mails 0.0",
        "pbm_database_usable 1.0",
        "pbm_relay_up 1.0",
    ):
        assert figure in figures


def test_a_server_that_can_read_its_database_but_not_write_it_is_not_ready(tmp_path: Path) -> None:
    at = f"127.0.0.1:{lasting_port()}"
    with Server(tmp_path, "--relay", "null:", "--metrics", at, program=beating) as server:
        sent(server, a_mail(b"<first@phone.example>"))
        heard(server, "out:1 sent")
        usual = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (10_000, usual[1]))
        heard(server, "the database cannot be used now: its disk cannot be read or written")
        assert page(at, "/readyz") == (503, "the database cannot be used\n")
        figures = page(at, "/metrics")[1].splitlines()
        assert "pbm_database_usable 0.0" in figures
        assert "pbm_inbox_mails 0.0" in figures
        assert page(at, "/healthz")[0] == 200
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, usual)
        heard(server, "the database works again, after ")
        assert page(at, "/readyz") == (200, "ready\n")


@pytest.mark.slow
@pytest.mark.postgres
def test_a_database_that_is_away_is_told_once_with_the_reason_and_again_when_it_is_back(
    tmp_path: Path,
) -> None:
    at = f"127.0.0.1:{lasting_port()}"
    place = postgres_server()
    with postgres_database(place) as url:
        options = ("--database", url, "--relay", "null:", "--metrics", at)
        with Server(tmp_path, *options, program=restless) as server:
            database = PostgresDatabase(url, place)
            with database.away():
                heard(server, "the database cannot be used now: ")
                assert page(at, "/readyz") == (503, "the database cannot be used\n")
                assert "pbm_database_usable 0.0" in page(at, "/metrics")[1]
                assert page(at, "/healthz")[0] == 200
                for number in range(3):
                    with pytest.raises(smtplib.SMTPDataError, match="451"):
                        sent(server, a_mail(b"<%d@phone.example>" % number))
            heard(server, "the database works again, after ")
            until(lambda: page(at, "/readyz")[0] == 200, "readiness")
            sent(server, a_mail(b"<first@phone.example>"))
            assert heard(server, "mails are taken again, after ").endswith("; 3 were not taken")
            lines = [line for line in server.log.splitlines() if " INFO " not in line]
    assert len(lines) == 4, lines
    assert "is not currently accepting connections" in server.log
