"""Reports about mails that came back, in letters like those that hosts write."""

import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.mail import Report
from pbm.mail.reading import limits
from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, BOUNCES, WORD, a_report, received

REPORTS = Path(__file__).parent / "letters" / "reports"


def reported(content: str | bytes, to: str = BOUNCES, sender: str = "<>") -> Report | None:
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
    "opensmtpd": "5.1.1",
    "opensmtpd_gave_up": "4.4.1",
    "zoho": "5.1.1",
    "james": "5.1.1",
    "james_report": "5.1.1",
}
HARMLESS = (
    "delayed", "delivered", "vacation", "vacation_that_hides_it", "read_receipt", "spam_complaint",
    "exim_warning", "postfix_late_in_words", "a_person_who_writes_there", "opensmtpd_warning",
)  # fmt: skip


def test_each_letter_is_expected_to_be_something() -> None:
    assert {path.stem for path in REPORTS.iterdir()} == {*FAILURES, *HARMLESS}


def test_a_report_of_a_failure_is_understood_and_no_other_mail_to_that_address() -> None:
    for name in (*FAILURES, *HARMLESS):
        expected = Report(WORD, FAILURES[name]) if name in FAILURES else None
        for sender in ("<>", "mailer-daemon@example.net", "srs0=x=<>@gateway.example.net"):
            assert reported(letter(name), sender=sender) == expected, name
        assert read(received(letter(name), "", (BOUNCES,)), ADDRESS).silence is not None, name
        assert name in FAILURES or reported(letter(name), sender="bob@example.net") is None, name


def test_only_the_address_that_a_report_came_to_says_which_mail_it_was() -> None:
    for to in (
        "pbm@games.example.org", "bounce@games.example.org", "bounce+@games.example.org",
        f"bounce+{WORD}@games.example.org.evil.example", f"pbm+{WORD}@games.example.org",
        f"bounce+{WORD}@example.org",
    ):  # fmt: skip
        for name in FAILURES:
            report = reported(letter(name), to, "")
            # Some name the Message-ID that they answer, which is proven where it is looked up.
            assert report is None or not report.word, (name, to)


def test_a_report_to_the_server_itself_names_our_mail_by_the_copy_in_it() -> None:
    for name, status in FAILURES.items():
        copy = "Message-ID: <a1b2c3d4@games.example.org>\nX-PBM-Loop: pbm@games.example.org\n"
        content = letter(name).replace(
            b"Subject: [Gonnect 104]", copy.encode() + b"Subject: [Gonnect 104]"
        )
        found = reported(content, ADDRESS, "smarthost@example.net")
        if copy.encode() in content:
            assert found is not None, name
            assert (found.word, found.status) == ("", status), name
            assert found.names[0] == "a1b2c3d4", name


def test_no_report_to_the_server_itself_is_taken_for_a_person() -> None:
    for name in FAILURES:
        mail = received(letter(name), "smarthost@example.net", (ADDRESS,))
        assert read(mail, ADDRESS).silence is not None, name


def test_a_host_that_writes_addresses_in_capitals_is_understood() -> None:
    to = f"<BOUNCE+{WORD.upper()}@Games.Example.ORG>"
    assert reported(letter("postfix"), to) == Report(WORD, "5.1.1")


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
