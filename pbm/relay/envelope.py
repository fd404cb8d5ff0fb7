"""What every relay checks before it lets a mail near the wire or the disk."""

import re
from io import IncrementalNewlineDecoder

from pbm.domain.mail import OutgoingMail

# Printable ASCII without space and angle brackets (RFC 5321 section 4.1.2, except the quoted
# local parts that nobody has): nothing that could end the command it is written into.
_PATH = re.compile(r"[!-;=?-~]{1,254}")


def envelope_error(mail: OutgoingMail) -> str | None:
    """Return a sentence that says why no relay can take `mail`; None if one can.

    Guards against commands and headers smuggled in by an address, and against mails smuggled in
    by line endings other than CRLF, which some servers take for the end of a line.
    """
    if not _PATH.fullmatch(mail.recipient) or not (
        mail.sender == "" or _PATH.fullmatch(mail.sender)
    ):
        return "An address of the envelope cannot be written in SMTP."
    if not _has_only_crlf(mail.content):
        return "The mail has line endings other than CRLF."
    return None


def _has_only_crlf(content: bytes) -> bool:
    """Return whether no line of `content` ends otherwise.

    Python's reader of text files notes the ends that it meets. It goes through a mail once, in a
    third of the time that it takes to count them, which is felt where there are pictures.
    """
    reader = IncrementalNewlineDecoder(None, translate=False)
    reader.decode(content.decode("latin-1"), final=True)
    return reader.newlines in {None, "\r\n"}
