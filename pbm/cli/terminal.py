"""Reads the Maildir that a MaildirRelay fills, for playing at a terminal: list, show, reply.

Does what a mail program would do, as values and pure functions; `pbm mail` prints the results.
A letter's number is the one that it was filed under, so it never changes.
"""

import re
from datetime import datetime
from email import message_from_bytes, policy
from email.headerregistry import Address, AddressHeader
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from pbm.domain.mail import OutgoingMail, unflowed
from pbm.engine import frozen
from pbm.errors import PlainError

_MESSAGE_ID = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_DELIVERED_TO = re.compile(rb"(?mi)^Delivered-To: *(.*?) *$")
_RE = re.compile(r"\Are:\s*", re.IGNORECASE)
_REFERENCES = 20


class LetterError(PlainError, LookupError):
    """There is no letter of that number, or none that can be replied to; `str()` says so."""


@frozen
class TerminalMail:
    """A mail as its reader sees it.

    `recipient` is the address that it was delivered to, `author` the display name of From,
    `reply_to` the address that a reply goes to, `text` the plain part. All are decoded.
    """

    number: int
    recipient: str
    author: str
    reply_to: str
    subject: str
    date: str
    message_id: str
    references: tuple[str, ...]
    text: str

    @property
    def first_line(self) -> str:
        """The first line of the text that is not blank, "" if there is none."""
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")


def letters(
    maildir: Path, recipient: str | None = None, last: int = 50
) -> tuple[TerminalMail, ...]:
    """Return the `last` letters in `maildir`, newest at the end; only those for `recipient`.

    A Maildir that does not exist yet has none.
    """
    paths = _paths(maildir)
    found: list[TerminalMail] = []
    for number in sorted(paths, reverse=True):
        content = paths[number].read_bytes()
        if recipient is None or _delivered_to(content) == recipient.lower():
            found.append(read_letter(number, content))
            if len(found) == last:
                break
    return tuple(reversed(found))


def letter(maildir: Path, number: int) -> TerminalMail:
    """Return the letter of that number; raise LetterError."""
    path = _paths(maildir).get(number)
    if path is None:
        raise LetterError(f"There is no mail {number} in {maildir}.")
    return read_letter(number, path.read_bytes())


def read_letter(number: int, content: bytes) -> TerminalMail:
    """Return the mail with these bytes, as MaildirRelay files it, as a letter."""
    message = message_from_bytes(content, policy=policy.default)
    author = _first_address(message, "From")
    reply_to = _first_address(message, "Reply-To") or author
    return TerminalMail(
        number=number,
        recipient=_header(message, "Delivered-To"),
        author=(author.display_name or author.addr_spec) if author else "",
        reply_to=reply_to.addr_spec if reply_to else "",
        subject=_header(message, "Subject"),
        date=_header(message, "Date"),
        message_id="".join(_MESSAGE_ID.findall(_header(message, "Message-ID"))[:1]),
        references=tuple(_MESSAGE_ID.findall(_header(message, "References"))),
        text=_text(message),
    )


def full(shown: TerminalMail) -> str:
    """Return a letter as text: the headers that matter, a blank line, the text."""
    headers = (
        ("From", shown.author),
        ("To", shown.recipient),
        ("Subject", shown.subject),
        ("Date", shown.date),
        ("Reply-To", shown.reply_to),
    )
    lines = [f"{name}: {value}" for name, value in headers if value]
    return "\n".join([*lines, "", shown.text.rstrip("\n")])


def reply(original: TerminalMail, text: str, now: datetime, word: str) -> OutgoingMail:
    """Return the reply to `original` that a mail program would send by SMTP.

    `word` makes the Message-ID unique. Raises LetterError if there is nobody to answer.
    """
    author, to = original.recipient, original.reply_to
    if not to or not author:
        raise LetterError(f"Mail {original.number} has no address to reply to.")
    message_id = f"<{word}@{author.rpartition('@')[2]}>"
    message = written(
        author, to, f"Re: {_RE.sub('', original.subject)}", now, message_id,
        f"{text.rstrip()}\n\n{_quoted(original)}",
    )  # fmt: skip
    if original.message_id:  # RFC 5322 section 3.6.4
        chain = (*original.references[-_REFERENCES:], original.message_id)
        message["In-Reply-To"] = original.message_id
        message["References"] = " ".join(chain)
    return OutgoingMail(author, to, message_id, message.as_bytes())


def written(
    author: str, to: str, subject: str, now: datetime, message_id: str, text: str
) -> EmailMessage:
    """Return a mail as a mail program writes it; raise ValueError for a header that it cannot."""
    message = EmailMessage(policy.SMTP)
    message["From"] = author
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id
    message.set_content(text, cte="quoted-printable")
    return message


def _paths(maildir: Path) -> dict[int, Path]:
    """Return the files by number; none if the Maildir does not exist yet."""
    from pbm.server.relay.maildir import filed_mails  # which pbm send need not import

    # The last of its folders to be made: the relay may be at it just now.
    if not (maildir / "cur").is_dir():
        return {}
    return {mail.number: mail.path for mail in filed_mails(maildir)}


def _quoted(original: TerminalMail) -> str:
    lines = (f"> {line}".rstrip() for line in original.text.rstrip("\n").split("\n"))
    return "\n".join([f"On {original.date}, {original.author} wrote:", *lines, ""])


def _delivered_to(content: bytes) -> str:
    found = _DELIVERED_TO.search(content)
    return found[1].decode("ascii", "replace").lower() if found else ""


def _first_address(message: EmailMessage, name: str) -> Address | None:
    header = message[name]
    addresses = header.addresses if isinstance(header, AddressHeader) else ()
    return addresses[0] if addresses and addresses[0].domain else None


def _header(message: EmailMessage, name: str) -> str:
    return " ".join(str(message[name] or "").split())


def _text(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    if body is None:
        return ""
    text = str(body.get_content())
    return unflowed(text) if body.get_param("format") == "flowed" else text
