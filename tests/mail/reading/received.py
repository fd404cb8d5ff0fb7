"""Mails as the tests write them: a few lines of text, handed over as a listener would."""

from datetime import UTC, datetime

from pbm.domain.mail import IncomingMail, ReceivedMail
from pbm.mail.reading.incoming import read

ADDRESS = "pbm@games.example.org"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


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


def letter(*headers: str, body: str | bytes = "D4\n") -> bytes:
    """Return a mail from bob with these additional headers."""
    head = "\n".join(("From: bob@example.net", "Message-ID: <1@example.net>", *headers))
    text = body.encode() if isinstance(body, str) else body
    return head.encode() + b"\n\n" + text
