"""Knowing a mail again that comes a second time.

A client that hangs up before it has read our "250" sends the mail once more, and another
host on its way may add to its headers. It is the same mail, and does nothing again.
"""

import hashlib

from pbm.domain.mail import ReceivedMail
from pbm.mail import limits
from pbm.mail.headers import read_headers

_SENDERS_OWN = ("From", "Date", "Message-ID", "Subject", "To", "Cc")
"""The fields that hosts on the way leave alone. All others may be traces of the way."""


def content_key(mail: ReceivedMail) -> str | None:
    """Return the key that a mail shares with its repeats alone: 64 hex digits of SHA-256.

    None if it has no Message-ID: of two like mails nobody can tell then whether they are one.
    None too if its headers are beyond the limits. The envelope does not count.
    """
    try:
        headers, body_at = read_headers(mail.content)
    except limits.BeyondLimits:
        return None
    if not any(headers.raw("Message-ID")):
        return None
    # Lists of bytes print unambiguously, so that no field can pass for the end of another.
    fields = repr([[value.split() for value in headers.raw(name)] for name in _SENDERS_OWN])
    digest = hashlib.sha256(fields.encode("ascii"))
    digest.update(memoryview(mail.content)[body_at:])
    return digest.hexdigest()
