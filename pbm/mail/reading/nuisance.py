"""Mails that are neither executed nor answered: those from machines (RFC 3834).

A machine may answer our answer, without end. The table is read from the top and the first
sign found counts; a new sign is a new row.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from pbm.domain.mail import LOOP_HEADER
from pbm.mail.reading.headers import Headers
from pbm.mail.reading.mime import media_type

_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})

_AUTO_REPLY = ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Autoresponder")

_NO_REPLY = re.compile(
    r"(?:^|[-_.+])(?:no|do[-_.]?not|dont|never)[-_.]?(?:reply|respond|response)(?:$|[-_.+\d])"
)


class Silence(StrEnum):
    """Why a mail is neither executed nor answered."""

    HEADERS = "headers-too-long"
    REPORT = "report"
    """A bounce or another report on a mail of ours, which pbm.mail.reading.reports reads."""
    BOUNCE_ADDRESS = "to-bounce-address"
    """To the envelope sender of a mail of ours, where only machines write."""
    NULL_SENDER = "null-sender"
    LOOP = "loop"
    OURSELVES = "from-ourselves"
    AUTO_SUBMITTED = "auto-submitted"
    AUTO_REPLY = "auto-reply"
    PRECEDENCE = "precedence"
    LIST = "list"
    MAILER_DAEMON = "mailer-daemon"
    POSTMASTER = "postmaster"
    NO_REPLY = "no-reply"
    NO_AUTHOR = "no-author"
    FORGED = "dmarc-fail"


@dataclass(frozen=True, slots=True)
class Signs:
    """What the table looks at: `author` of From, our own `address`, and the envelope.

    The envelope is its `sender` and its `recipients`, which are addresses of ours.
    """

    headers: Headers
    sender: str
    author: str | None
    address: str
    recipients: tuple[str, ...]

    def local_parts(self) -> tuple[str, ...]:
        """Return the local parts of the sender's and the author's address."""
        addresses = (self.sender.strip("<> ").lower(), self.author or "")
        return tuple(address.rpartition("@")[0] or address for address in addresses)


def _keyword(value: str) -> str:
    """Return the first word of a field such as "auto-replied; owner=x" or "no (a person)"."""
    return re.split(r"[;(\s]", value, maxsplit=1)[0].lower()


def _is_report(signs: Signs) -> bool:
    return media_type(signs.headers) == "multipart/report"


def _has_null_sender(signs: Signs) -> bool:
    return not signs.sender.strip("<> ")


def _is_to_a_bounce_address(signs: Signs) -> bool:
    # At any domain that points here, as intake takes such a mail.
    return any(each.strip("<> ").lower().startswith("bounce+") for each in signs.recipients)


def _is_from_ourselves(signs: Signs) -> bool:
    address = signs.address.lower()
    # The envelope sender of our own mails is bounce+WORD at the same domain.
    ours = {address, f"bounce@{address.rpartition('@')[2]}"}
    return not ours.isdisjoint(
        re.sub(r"\+[^@]*(?=@)", "", writer)
        for writer in (signs.sender.strip("<> ").lower(), signs.author or "")
    )


def _is_auto_submitted(signs: Signs) -> bool:
    return any(_keyword(value) != "no" for value in signs.headers.all("Auto-Submitted"))


def is_auto_reply(headers: Headers) -> bool:
    """Return whether a machine answers for a person, such as somebody on vacation."""
    said = any(_keyword(value) == "auto-replied" for value in headers.all("Auto-Submitted"))
    return said or any(name in headers for name in _AUTO_REPLY)


def _is_bulk(signs: Signs) -> bool:
    return any(_keyword(value) in _BULK for value in signs.headers.all("Precedence"))


def _bears(*names: str) -> Callable[[Signs], bool]:
    return lambda signs: any(name in signs.headers for name in names)


def _is_called(name: str) -> Callable[[Signs], bool]:
    return lambda signs: any(local.partition("+")[0] == name for local in signs.local_parts())


def _wants_no_reply(signs: Signs) -> bool:
    return any(_NO_REPLY.search(local) for local in signs.local_parts())


_TABLE: tuple[tuple[Silence, Callable[[Signs], bool]], ...] = (
    (Silence.REPORT, _is_report),
    (Silence.BOUNCE_ADDRESS, _is_to_a_bounce_address),
    (Silence.NULL_SENDER, _has_null_sender),
    (Silence.LOOP, _bears(LOOP_HEADER)),
    (Silence.OURSELVES, _is_from_ourselves),
    (Silence.AUTO_SUBMITTED, _is_auto_submitted),
    (Silence.AUTO_REPLY, _bears(*_AUTO_REPLY)),
    (Silence.PRECEDENCE, _is_bulk),
    (Silence.LIST, _bears("List-Id")),
    (Silence.MAILER_DAEMON, _is_called("mailer-daemon")),
    (Silence.POSTMASTER, _is_called("postmaster")),
    (Silence.NO_REPLY, _wants_no_reply),
    (Silence.NO_AUTHOR, lambda signs: signs.author is None),
)


def reason_for_silence(signs: Signs) -> Silence | None:
    """Return why the mail must be neither executed nor answered; None if it may be."""
    return next((reason for reason, holds in _TABLE if holds(signs)), None)
