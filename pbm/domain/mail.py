"""Mails as values: what came in, what was read in it, what goes out."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A mail as the listener took it: the envelope and the bytes.

    `sender` is the envelope sender, "" for the null sender; it proves nothing and is never
    answered. `content` has CRLF line endings throughout. `received_at` is in UTC.
    """

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    received_at: datetime


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody's host says that a mail of ours was not delivered and will not be.

    `uid` names the mail. Nobody can guess it, and it is all that is believed of a report. `status`
    is why, such as "5.1.1" (RFC 3463); "" if that was not said.
    """

    uid: str
    status: str


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """What was read in a mail, whatever it was like.

    `author` is the one address of the one From header, in small letters; None if there is
    not exactly one. `subject` is decoded, on one line, without "Re:" and its kin. `lines`
    are what the sender wrote himself in the text, quotes and signature gone, in order, blank
    lines between paragraphs kept. `plus_words` are what stood after "+" in the addresses of
    ours that the mail was sent to, in small letters: reply tokens, if they are any.
    `message_id` is the mail's own id, only if it is of the strict form `<a@b>`. `silence`
    says why the mail must be neither executed nor answered; None if it may be. `report` is
    what it says of a mail of ours that came back; such a mail is always silenced.
    """

    author: str | None
    subject: str
    lines: tuple[str, ...]
    plus_words: tuple[str, ...] = ()
    message_id: str | None = None
    silence: str | None = None
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A composed mail, as it is kept in the outbox until a relay has taken it.

    `message_id` is the same at every try. `content` has CRLF line endings, lines of at
    most 998 octets, and ASCII headers.
    """

    sender: str
    recipient: str
    message_id: str
    content: bytes = field(repr=False)
