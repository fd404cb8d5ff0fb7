"""A mail from the inbox, read: bytes in, an `IncomingMail` out, whatever the bytes are.

Each step is total: it has an answer for every input, and its time is linear in the length.
That is why nothing is caught here but `BeyondLimits`.
"""

import re

from pbm.domain.mail import IncomingMail, ReceivedMail
from pbm.mail import limits, mime
from pbm.mail.addresses import sole_address
from pbm.mail.body import text_of
from pbm.mail.bounces import read_report
from pbm.mail.headers import Headers, read_headers
from pbm.mail.nuisance import Signs, Silence, reason_for_silence
from pbm.mail.plus_words import plus_words
from pbm.mail.subject import without_prefixes
from pbm.mail.trim import own_lines

_MESSAGE_ID = re.compile(r"(?=.{5,250}\Z)<[!-;=?A-~]++@[!-;=?A-~]++>")


def read(mail: ReceivedMail, address: str) -> IncomingMail:
    """Return what `mail` says to the server that has this `address`; never raises.

    A mail beyond the limits is one with no text; if its headers are, it is silenced, for
    nobody can tell whether the one From that was found is the only one.
    """
    try:
        headers, body_at = read_headers(mail.content)
    except limits.BeyondLimits:
        return IncomingMail(author=None, subject="", lines=(), silence=Silence.HEADERS)
    author = _author(headers)
    silence = reason_for_silence(Signs(headers, mail.sender, author, address))
    return IncomingMail(
        author=author,
        subject=without_prefixes(headers.text("Subject")),
        lines=() if silence else own_lines(_text(headers, mail.content, body_at)),
        plus_words=plus_words(mail, headers, address),
        message_id=_message_id(headers),
        silence=silence,
        report=read_report(mail, headers, body_at, author, address),
    )


def _author(headers: Headers) -> str | None:
    fields = headers.all("From")
    return sole_address(fields[0]) if len(fields) == 1 else None


def _message_id(headers: Headers) -> str | None:
    """Return the mail's id if it can go into a header of ours without changing it."""
    ids = headers.all("Message-ID")
    return ids[0] if len(ids) == 1 and _MESSAGE_ID.fullmatch(ids[0]) else None


def _text(headers: Headers, content: bytes, body_at: int) -> str:
    if len(content) > limits.MAIL:
        return ""
    try:
        return text_of(mime.parse(headers, content[body_at:]))
    except limits.BeyondLimits:
        return ""
