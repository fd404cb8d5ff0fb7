"""What reports say about mails that came back; the letters are like those that hosts write."""

import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.mail import Report
from pbm.mail.reading import limits
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, received
from tests.tables import each

WORD = "a1b2c3d4e5f6a1b2c3d4e5f6"
TO = f"bounce+{WORD}@games.example.org"
REPORTS = Path(__file__).parent / "letters" / "reports"


def reported(content: str | bytes, to: str = TO, sender: str = "<>") -> Report | None:
    return read(received(content, sender, (to,)), ADDRESS).report


def letter(name: str) -> bytes:
    return (REPORTS / f"{name}.eml").read_bytes()


FAILURES = {
    "postfix": "5.1.1",
    "postfix_gave_up_after_days": "4.4.1",
    "exim": "5.0.0",
    "exim_of_old": "5.1.2",
    "exim_in_words": "5.1.1",
    "exim_blames_the_content": "5.7.1",
    "postfix_in_words": "5.2.2",
    "gmail_in_words": "5.1.1",
    "exchange_in_words": "5.1.1",
    "exchange_without_a_host": "5.4.4",
    "sendmail_of_old": "5.1.351",
    "qmail_in_words": "5.1.1",
    "qmail_after_days": "4.4.1",
    "office365": "5.1.10",
    "gmail": "5.2.1",
    "qmail": "5.1.1",
    "without_its_machine_part": "",
}
HARMLESS = (
    "delayed", "delivered", "vacation", "vacation_that_hides_it", "read_receipt", "spam_complaint",
    "exim_warning", "postfix_late_in_words", "a_person_who_writes_there",
)  # fmt: skip


def test_each_letter_is_expected_to_be_something() -> None:
    assert {path.stem for path in REPORTS.iterdir()} == {*FAILURES, *HARMLESS}


@each(("name", "status"), FAILURES.items())
def test_a_report_of_a_failure_is_understood(name: str, status: str) -> None:
    assert reported(letter(name)) == Report(WORD, status)


@each("name", HARMLESS)
def test_a_mail_to_that_address_that_reports_no_failure_is_no_report(name: str) -> None:
    assert reported(letter(name)) is None


@each("name", [*FAILURES, *HARMLESS])
def test_no_report_is_executed_or_answered(name: str) -> None:
    assert read(received(letter(name), "", (TO,)), ADDRESS).silence is not None


@each("name", FAILURES)
@each(
    ("to", "sender"),
    [
        ("pbm@games.example.org", ""),
        ("bounce@games.example.org", ""),
        ("bounce+@games.example.org", ""),
        (f"bounce+{WORD}@games.example.org.evil.example", ""),
        (f"pbm+{WORD}@games.example.org", ""),
        (f"bounce+{WORD}@example.org", ""),
    ],
)
def test_only_the_address_that_a_report_came_to_says_which_mail_it_was(
    name: str, to: str, sender: str
) -> None:
    assert reported(letter(name), to, sender) is None


@each("name", FAILURES)
@each("sender", ["mailer-daemon@example.net", "srs0=x=<>@gateway.example.net"])
def test_a_report_may_have_a_sender(name: str, sender: str) -> None:
    assert reported(letter(name), sender=sender) == Report(WORD, FAILURES[name])


@each("name", HARMLESS)
def test_a_sender_makes_no_report_of_what_is_none(name: str) -> None:
    assert reported(letter(name), sender="bob@example.net") is None


def test_a_host_that_writes_addresses_in_capitals_is_understood() -> None:
    to = f"<BOUNCE+{WORD.upper()}@Games.Example.ORG>"
    assert reported(letter("postfix"), to) == Report(WORD, "5.1.1")


def a_report(*groups: str, kind: str = "message/delivery-status", encoding: str = "7bit") -> str:
    fields = "\n\n".join(("Reporting-MTA: dns; x.example", *groups))
    return (
        "From: postmaster@x.example\nContent-Type: multipart/report; boundary=b\n\n--b\n"
        f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{fields}\n\n--b--\n"
    )


@each(
    ("groups", "status"),
    [
        (("Action: failed\nStatus: 5.1.1",), "5.1.1"),
        (("action: FAILED (really)\nSTATUS: 5.2.2 (mailbox full)",), "5.2.2"),
        (("Action: failed\nDiagnostic-Code: smtp; 550 5.7.1 refused",), "5.7.1"),
        (("Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.7.1 refused",), "5.7.1"),
        (("Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 user unknown",), "5.1.1"),
        (("Action: failed\nStatus: 5.4.1\nDiagnostic-Code: smtp; 550 no such user",), "5.1.1"),
        (("Action: failed\nStatus: 5.1.351",), "5.1.351"),
        (("Action: failed\nStatus: 5.11111.2",), ""),
        (("Action: delayed\nStatus: 5.1.1",), None),
        (("Action: failed",), ""),
        (("Action: failed\nStatus: 2.0.0",), None),
        (("Action: delivered\nStatus: 2.0.0",), None),
        (("Action: relayed\nStatus: 5.0.0",), None),
        (("Status: 5.1.1",), None),
        (("Action: failed\nStatus: 5.1.1", "Action: delayed\nStatus: 4.2.0"), None),
        (("Action: failed\nStatus: 5.1.1", "Action: failed\nStatus: 5.7.1"), "5.1.1"),
    ],
)
def test_action_and_status_decide(groups: tuple[str, ...], status: str | None) -> None:
    expected = None if status is None else Report(WORD, status)
    assert reported(a_report(*groups)) == expected


def test_a_report_for_addresses_in_other_scripts_is_understood() -> None:
    kind = "message/global-delivery-status"
    content = a_report("Action: failed\nStatus: 5=2E1.1", kind=kind, encoding="quoted-printable")
    assert reported(content) == Report(WORD, "5.1.1")


def test_a_report_on_more_recipients_than_a_mail_can_have_takes_no_longer() -> None:
    group = "Action: delivered\nStatus: 2.0.0"
    content = a_report(*[group] * 20_000)
    began = time.perf_counter()
    assert reported(content) is None
    assert time.perf_counter() - began < 1


def test_headers_of_a_recipient_that_have_no_end_are_a_report_nobody_can_read() -> None:
    content = a_report(f"Action: failed\nDiagnostic-Code: {'x' * limits.HEADERS}")
    assert reported(content) == Report(WORD, "")


FRAGMENTS = [
    b"Content-Type: multipart/report; boundary=b\n", b"--b\n", b"--b--\n", b"\n", b"\n\n", b":",
    b"Content-Type: message/delivery-status\n", b"Action: failed\n", b"Status: 5.1.1\n",
    b"Action: delayed\n", b"X-Failed-Recipients: x\n", b"From: mailer-daemon@x\n", b"\x00\xff",
    b"Content-Transfer-Encoding: base64\n", b"Diagnostic-Code: 5.\n 1.1\n", b"Status:",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=20), max_size=30))
@settings(max_examples=300)
def test_any_bytes_to_that_address_are_a_report_of_this_mail_or_none(pieces: list[bytes]) -> None:
    found = reported(b"".join(pieces))
    assert found is None or found.word == WORD
    assert found is None or found.status == "" or found.status[0] in "45"


@given(st.sampled_from(sorted(REPORTS.iterdir())), st.data())
def test_a_report_that_was_damaged_on_its_way_is_a_report_or_none(
    path: Path, data: st.DataObject
) -> None:
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    piece = data.draw(st.sampled_from(FRAGMENTS) | st.binary(max_size=10))
    found = reported(content[:start] + piece + content[start + len(piece) :])
    assert found is None or found.word == WORD
