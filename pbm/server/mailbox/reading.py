"""The envelope of a fetched mail, read from the headers that the provider adds."""

import re
from datetime import datetime
from functools import lru_cache

from pbm.domain.mail import ReceivedMail, words_at
from pbm.mail.reading import limits
from pbm.mail.reading.mime import Headers, media_type, read_headers
from pbm.mail.reading.sender import sole_address

_RECIPIENTS = ("Delivered-To", "X-Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")

_MOST_RECIPIENTS = 10


def received(content: bytes, name: str, address: str, now: datetime, listener: str) -> ReceivedMail:
    """Return a fetched mail as intake stores it, for the server at `address`.

    `name` is what the mailbox calls it: it becomes the Message-ID of a mail that has none, because
    a mail that is fetched twice must be recognised. Every mail there is for us, unless the address
    has a plus-tag: then a mail that does not name it has no recipients.
    """
    usual = () if "+" in address else (address,)
    try:
        headers, _ = read_headers(content)
    except limits.BeyondLimits:
        return ReceivedMail("", usual, content, now, listener=listener)
    if not any(headers.raw("Message-ID")):
        content = f"Message-ID: <{name}@mailbox.invalid>\r\n".encode("ascii") + content
    recipients = _recipients(headers, address) or usual
    return ReceivedMail(_sender(headers), recipients, content, now, listener=listener)


def _recipients(headers: Headers, address: str) -> tuple[str, ...]:
    """Return our addresses that the mail names, those that the provider has noted first."""
    ours = _ours(address.lower())
    values = (value.lower() for field in _RECIPIENTS for value in headers.all(field))
    found = dict.fromkeys(each for value in values for each in ours.findall(value))
    return tuple(found)[:_MOST_RECIPIENTS]


@lru_cache(maxsize=8)
def _ours(address: str) -> re.Pattern[str]:
    plain, worded = re.escape(address), words_at(address, r"[\w-]{1,80}")
    return re.compile(rf"(?<![\w.!#$%&'*+/=?^`{{|}}~-])(?:{plain}|{worded})(?!\.?[\w-])")


def _sender(headers: Headers) -> str:
    """Return the envelope sender; the author if the provider does not note it, "" for a report."""
    if "Return-Path" in headers:
        return headers.first("Return-Path").strip("<> ")
    if media_type(headers) == "multipart/report":
        return ""
    return sole_address(headers.first("From")) or ""
