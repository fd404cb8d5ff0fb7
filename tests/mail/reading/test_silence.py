"""Mails that are neither executed nor answered, so that the server is never a nuisance."""

import pytest

from pbm.mail.reading.incoming import read
from tests.mail.reading.received import ADDRESS, letter, reading, received


def from_(author: str) -> bytes:
    return f"From: {author}\nMessage-ID: <1@example.net>\n\nD4\n".encode()


MARKED_BY_A_HEADER = {
    "auto-submitted": [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner-email=x",
        "AUTO-SUBMITTED:\n auto-notified",
        "Auto-Submitted:",
        "Auto-Submitted: no\nAuto-Submitted: auto-replied",
    ],
    "report": [
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "Content-Type: Multipart/Report;\n boundary=b",
    ],
    "precedence": [
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "Precedence: auto_reply",
    ],
    "list": ["List-Id: Players <players.example.org>", "List-ID:"],
    "auto-reply": [
        "X-Autoreply: yes",
        "X-Autorespond: 1",
        "X-Autoresponse: vacation",
        "X-Autoresponder: x",
    ],
    "loop": [
        "X-PBM-Loop: pbm@games.example.org",
        "X-PBM-Loop: pbm@another.example.com",
        "X-Pbm-Loop:",
    ],
}


@pytest.mark.parametrize(
    ("reason", "header"),
    [(reason, header) for reason, headers in MARKED_BY_A_HEADER.items() for header in headers],
)
def test_a_header_that_machines_set_silences(reason: str, header: str) -> None:
    assert reading(letter(header)).silence == reason


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "Precedence: special-delivery",
        "Content-Type: multipart/mixed; report-type=delivery-status",
        "X-Auto-Response-Suppress: All",
        "List-Unsubscribe: <mailto:x@example.org>",
        "Subject: List-Id: X-PBM-Loop: Precedence: bulk",
    ],
)
def test_a_header_that_says_nothing_of_machines_does_not(header: str) -> None:
    assert reading(letter(header)).silence is None


@pytest.mark.parametrize("sender", ["", "<>", " <> "])
def test_the_null_sender_is_silenced(sender: str) -> None:
    assert reading(letter(), sender).silence == "null-sender"


@pytest.mark.parametrize(
    ("recipients", "reason"),
    [
        (("bounce+k3v9@games.example.org",), "to-bounce-address"),
        (("<BOUNCE+K3V9@Games.Example.ORG>",), "to-bounce-address"),
        (("pbm@games.example.org", "bounce+k3v9@games.example.org"), "to-bounce-address"),
        (("bounce+k3v9@second.example.org",), "to-bounce-address"),
        (("bounce@games.example.org",), None),
    ],
)
def test_a_mail_to_the_envelope_sender_of_a_mail_of_ours_is_silenced(
    recipients: tuple[str, ...], reason: str | None
) -> None:
    assert read(received(letter(), recipients=recipients), ADDRESS).silence == reason


FROM_A_MACHINE = {
    "from-ourselves": [
        "pbm@games.example.org",
        "PBM <PBM@Games.Example.ORG>",
        "pbm+k3v9@games.example.org",
        "bounce+k3v9@games.example.org",
    ],
    "mailer-daemon": ["MAILER-DAEMON@example.net", "Mail <mailer-daemon+x@example.net>"],
    "postmaster": ["postmaster@example.net", "Postmaster@example.net"],
    "no-reply": [
        "noreply@example.net",
        "no-reply@example.net",
        "No_Reply@example.net",
        "no.reply@example.net",
        "noreply+abc@example.net",
        "noreply-1234@example.net",
        "notifications-noreply@example.net",
        "do-not-reply@example.net",
        "DoNotReply@example.net",
        "dontreply@example.net",
        "noresponse@example.net",
        "neverreply@example.net",
    ],
}


@pytest.mark.parametrize(
    ("reason", "author"),
    [(reason, author) for reason, authors in FROM_A_MACHINE.items() for author in authors],
)
def test_an_author_who_is_a_machine_is_silenced(reason: str, author: str) -> None:
    assert reading(from_(author)).silence == reason


@pytest.mark.parametrize(
    ("reason", "sender"),
    [
        ("from-ourselves", "pbm+x@games.example.org"),
        ("from-ourselves", "bounce+x@games.example.org"),
        ("mailer-daemon", "MAILER-DAEMON@example.net"),
        ("mailer-daemon", "MAILER-DAEMON"),
        ("postmaster", "postmaster@example.net"),
        ("no-reply", "no-reply@example.net"),
    ],
)
def test_a_machine_in_the_envelope_is_silenced_whatever_the_author(
    reason: str, sender: str
) -> None:
    assert reading(letter(), sender).silence == reason


@pytest.mark.parametrize(
    "author",
    [
        "bob@example.net",
        "noreplyjohnson@example.net",
        "postmasterson@example.net",
        "pbm@example.net",
        "pbm2@games.example.org",
        "pbm@sub.games.example.org",
        "bounce@example.net",
        "bob+noticed@example.net",
        "casino.replay@example.net",
    ],
)
def test_an_author_whose_name_only_resembles_a_machine_is_read(author: str) -> None:
    assert reading(from_(author)).silence is None


@pytest.mark.parametrize(
    "content",
    [
        b"Message-ID: <1@example.net>\n\nD4\n",
        from_(""),
        from_("bob"),
        from_("bob@example.net, eve@example.net"),
        from_("bob@example.net\nFrom: bob@example.net"),
        from_("bob@example.net\nfrom : eve@example.net"),
    ],
)
def test_a_mail_without_exactly_one_author_is_silenced(content: bytes) -> None:
    mail = reading(content)
    assert (mail.author, mail.silence) == (None, "no-author")


def test_a_bounce_is_called_a_report_so_that_bounce_reading_can_find_it() -> None:
    bounce = letter("Auto-Submitted: auto-replied", "Content-Type: multipart/report; boundary=b")
    assert reading(bounce.replace(b"bob@", b"mailer-daemon@"), "").silence == "report"


def test_a_silenced_mail_has_no_lines_to_execute() -> None:
    assert reading(letter("Precedence: bulk")).lines == ()


def test_the_house_is_known_in_any_case() -> None:
    mail = received(from_("pbm@games.example.org"))
    assert read(mail, "PBM@Games.Example.org").silence == "from-ourselves"
