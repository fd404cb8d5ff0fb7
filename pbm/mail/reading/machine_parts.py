"""Parts of a mail that only machines write: receipts, and answers to calendar invitations."""

import re
from collections.abc import Iterator

from pbm.mail.reading.decoding import decode_transfer
from pbm.mail.reading.headers import Headers
from pbm.mail.reading.mime import Part

_ANSWERS = frozenset({"reply", "counter", "declinecounter", "refresh"})
"""Methods of a calendar part by which a calendar answers for its owner (RFC 5546, 1.4)."""

_METHOD = re.compile(rb"^METHOD:([A-Za-z]+)", re.MULTILINE | re.IGNORECASE)

_BEGINNING = 8 << 10
"""Encoded bytes in which the method of a calendar stands, or the class of an Exchange mail."""

# The class of a mail in its envelope of Exchange: reports, rules of absence, answers to meetings
# (MS-OXTNEF 2.1.3.3.5; the names with spaces are those of the old Microsoft Mail).
_EXCHANGE_CLASS = re.compile(
    rb"REPORT\.IPM\.|IPM\.Microsoft Mail\.(?:Read Receipt|Non-Delivery)|"
    rb"IPM\.(?:Note\.Rules\.(?:Oof|Reply)|Schedule\.Meeting\.Resp|Microsoft Schedule\.MtgResp)",
    re.IGNORECASE,
)

_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})

_RECEIPTS = frozenset({"message/disposition-notification", "message/delivery-status"})

_CALENDAR = "text/calendar"

MACHINE_KINDS = frozenset({"multipart/report", _CALENDAR}) | _RECEIPTS | _TNEF
"""The types of which one is in every mail that is a machine's because of its parts."""


def is_receipt(mail: Part | None) -> bool:
    """Return whether a mail reports that one was read or has arrived, or is Exchange's own."""
    return any(
        part.type in _RECEIPTS or (part.type in _TNEF and _EXCHANGE_CLASS.search(_beginning(part)))
        for part in _leaves(mail)
    )


def answers_an_invitation(headers: Headers, mail: Part | None) -> bool:
    """Return whether a calendar answers an invitation; a person's own text may go with it."""
    if headers.first("Content-Class").lower() == "urn:content-classes:calendarmessage":
        return True
    return any(part.type == _CALENDAR and _method(part) in _ANSWERS for part in _leaves(mail))


def names_a_host(mail: Part | None, hosts: tuple[str, ...]) -> bool:
    """Return whether a text of the mail names one of `hosts`, if only in a link of its HTML."""
    names = [host.encode() for host in hosts]
    texts = (part for part in _leaves(mail) if part.type.startswith("text/"))
    sources = (_decoded(part, part.content).lower() for part in texts)
    return any(name in source for source in sources for name in names)


def _method(part: Part) -> str:
    named = part.parameters.get("method", "")
    found = None if named else _METHOD.search(_beginning(part))
    return (found[1].decode() if found else named).lower()


def _beginning(part: Part) -> bytes:
    return _decoded(part, part.content[:_BEGINNING])


def _decoded(part: Part, content: bytes) -> bytes:
    return decode_transfer(content, part.headers.first("Content-Transfer-Encoding"))


def _leaves(part: Part | None) -> Iterator[Part]:
    if part is None:
        return
    if not part.parts:
        yield part
    for inner in part.parts:
        yield from _leaves(inner)
