"""The way of a mail out, in the database and in the log."""

import logging
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbm.service.ports.mail import Handed, Handover
from pbm.watch.traces import LogObserver
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused

MAIL = """\
From: alice@example.com
To: pbm@localhost
Subject: move 101 alice {password} b2
Message-ID: <moved-1@phone.example>

"""

TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")


def injected(text: str) -> None:
    """Put a mail into the inbox."""
    Path("mail.eml").write_text(text)
    done("inject", "mail.eml")


def told(name: str) -> list[str]:
    """Return the lines of a trace, with TIME for every time."""
    return [TIME.sub("TIME", line).strip() for line in done("trace", name).splitlines()]


@pytest.mark.usefixtures("home")
def test_a_mail_is_followed_from_its_coming_to_the_relay_by_any_of_its_names() -> None:
    injected(MAIL.format(password=PASSWORD))
    (waiting,) = pbm("trace", "<moved-1@phone.example>", "--json").json
    number = waiting["came"]["id"]
    octets = waiting["came"]["octets"]
    came = [f"in:{number}", f"TIME  taken by a command of the operator, {octets} octets"]
    assert told(f"in:{number}") == [*came, "waits to be played"]
    done("work")
    (played,) = pbm("trace", f"in:{number}", "--json").json
    out = [mail["id"] for mail in played["went"]]
    way = [
        *came,
        "TIME  played: move on board 101",
        f"out:{out[0]} to alice@example.com", "TIME  composed", "TIME  sent: filed as 000003",
        f"out:{out[1]} to bob@example.com", "TIME  composed", "TIME  sent: filed as 000004",
    ]  # fmt: skip
    (file,) = Path("var/mail/new").glob("000004.*")
    ours = re.findall(r"(?mi)^message-id: (.*)$", file.read_text())
    assert len(ours) == 1
    for name in (f"in:{number}", "moved-1@phone.example", f"out:{out[1]}", *ours):
        assert told(name) == way


@pytest.mark.usefixtures("home")
def test_no_word_and_no_secret_of_a_mail_is_remembered() -> None:
    injected(MAIL.format(password=PASSWORD).replace("b2", "zz"))
    done("work")
    shown = "".join(done("trace", "moved-1@phone.example", *form) for form in ((), ("--json",)))
    assert "refused: " in shown
    assert PASSWORD not in shown
    assert "zz" not in shown
    stored = b"".join(file.read_bytes() for file in Path("var").glob("pbm.db*") if file.is_file())
    assert b"moved-1@phone.example" not in stored


@pytest.mark.usefixtures("home")
def test_what_is_silenced_names_the_rule() -> None:
    injected(MAIL.format(password=PASSWORD).replace("\n\n", "\nAuto-Submitted: auto-replied\n\n"))
    done("work")
    assert told("moved-1@phone.example")[-2:] == [
        "TIME  silenced: auto-submitted", "it led to no mail",
    ]  # fmt: skip


@pytest.mark.usefixtures("table")
def test_a_mail_that_the_relay_does_not_take_tells_its_words_and_the_next_try() -> None:
    done("work", "--relay", "smtp://127.0.0.1:1")  # nobody listens on port 1
    lines = told("out:1")
    assert lines[0] == "out:1 to alice@example.com, because of the time or the operator"
    refusal = "The relay cannot be used: Connection refused."
    assert lines[2] == f"waits after 1 try: {refusal} Again at TIME"


@pytest.mark.usefixtures("home")
def test_a_name_that_is_not_known_is_told_how_long_names_are() -> None:
    for name in ("in:999", "999", "out:999", "<nobody@example.org>", "x" * 500):
        assert refused("trace", name).endswith("A mail is known for 30 days after it is done.")


SOON = datetime(2026, 11, 22, 3, 29, tzinfo=UTC)
REFUSED = "The relay cannot be used: Connection refused."


def handed(number: int, fate: Handover, words: str) -> Handed:
    due = SOON if fate in {Handover.DEFERRED, Handover.RELAY_DOWN} else None
    to, message_id = "bob+pbm@example.org", f"<{number}@games.example.org>"
    return Handed(number, 12, to, message_id, fate, words, 1, 0.5, due)


def test_an_outage_of_the_relay_is_one_warning_and_one_line_a_batch_until_it_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    seconds = iter((100.0, 1000.0))
    observer = LogObserver(lambda: next(seconds))
    for batch in range(0, 300, 100):
        down = [handed(batch + n, Handover.RELAY_DOWN, REFUSED) for n in range(100)]
        observer.handed(down)
    observer.handed([handed(1, Handover.SENT, "250 Ok")])
    assert caplog.messages == [
        f"the relay is down: {REFUSED}",
        *(
            f"out:{n}, out:{n + 1}, out:{n + 2}, out:{n + 3}, out:{n + 4} and 95 more: "
            "waiting for the relay, again at 2026-11-22 03:29 UTC"
            for n in (0, 100, 200)
        ),
        "the relay works again; it was down for 15 min",
        "out:1 sent to bob+***@example.org, for in:12: 250 Ok, <1@games.example.org>",
    ]


def test_a_mail_that_is_put_off_or_given_up_has_a_line_with_the_words_of_the_relay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    LogObserver(float).handed(
        [
            handed(1, Handover.DEFERRED, "The relay answered 451 4.7.1 Greylisted"),
            handed(2, Handover.GIVEN_UP, "The relay answered 550 5.1.1 No such user"),
        ]
    )
    first, second = caplog.record_tuples
    assert first == (
        "pbm.deliver",
        logging.INFO,
        (
            "out:1 deferred to bob+***@example.org, for in:12: The relay answered 451 4.7.1 "
            "Greylisted, again at 2026-11-22 03:29 UTC, <1@games.example.org>"
        ),
    )
    assert second == (
        "pbm.deliver",
        logging.WARNING,
        (
            "out:2 given-up to bob+***@example.org, for in:12: The relay answered 550 5.1.1 "
            "No such user, <2@games.example.org>"
        ),
    )
