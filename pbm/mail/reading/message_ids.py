"""The Message-ID of a mail as it stands there, found without reading the mail."""

from pbm.domain.mail import ReceivedMail

_FIELD = b"\nmessage-id:"

_LONGEST = 1000
"""Octets of a Message-ID that are looked at; a line of a mail has at most 998 (RFC 5322, 2.1.1)."""


def message_id_of(mail: ReceivedMail) -> bytes:
    """Return the value of the first Message-ID field, unfolded and cut; b"" if there is none.

    It may hold anything. This takes a microsecond, where reading all headers takes thirty.
    """
    end = mail.content.find(b"\r\n\r\n")
    head = b"\n" + mail.content[: end if end >= 0 else None]
    begin = head.lower().find(_FIELD)
    if begin < 0:
        return b""
    value = head[begin + len(_FIELD) :][:_LONGEST]
    line, _, following = value.partition(b"\n")
    while following[:1] in (b" ", b"\t"):
        more, _, following = following.partition(b"\n")
        line += more
    return b" ".join(line.split())
