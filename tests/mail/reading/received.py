"""Mails as the tests write them: a few lines of text, handed over as a listener would."""

from datetime import UTC, datetime

from pbm.domain.mail import IncomingMail, ReceivedMail
from pbm.mail.reading.incoming import read

ADDRESS = "pbm@games.example.org"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
WORD = "a1b2c3d4e5f6a1b2c3d4e5f6"
BOUNCES = f"bounce+{WORD}@games.example.org"
"""Where reports on one mail come to."""


def received(
    content: str | bytes,
    sender: str = "bob@example.net",
    recipients: tuple[str, ...] = ("pbm@games.example.org",),
) -> ReceivedMail:
    """Return the mail as it would come in; the lines of `content` end in "\\n" alone."""
    raw = content.encode() if isinstance(content, str) else content
    return ReceivedMail(sender, recipients, raw.replace(b"\n", b"\r\n"), NOON)


def reading(content: str | bytes, sender: str = "bob@example.net") -> IncomingMail:
    return read(received(content, sender), ADDRESS)


def lines_of(lines: tuple[str, ...]) -> str:
    """Return the lines of a mail as tables have them."""
    return "\n".join(lines) if lines else "nothing"


def letter(*headers: str, body: str | bytes = "D4\n") -> bytes:
    """Return a mail from bob with these additional headers."""
    head = "\n".join(("From: bob@example.net", "Message-ID: <1@example.net>", *headers))
    text = body.encode() if isinstance(body, str) else body
    return head.encode() + b"\n\n" + text


def multipart(*parts: str, kind: str = "mixed") -> str:
    """Return the header and the body of a mail with these parts."""
    body = "".join(f"--b\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary=b\n\n{body}--b--"


def a_report(
    *groups: str, kind: str = "message/delivery-status", encoding: str = "7bit", text: str = ""
) -> str:
    """Return a report on recipients, with the fields of each, below a text for people."""
    fields = "\n\n".join(("Reporting-MTA: dns; x.example", *groups))
    part = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{fields}\n"
    return f"From: postmaster@x.example\n{multipart(f'{chr(10)}{text}', part, kind='report')}\n"
