"""What a mail host says about a mail that it could not deliver, as a status code (RFC 3463).

Many say it with a code, many only in words, and some with a code that says nothing ("5.0.0"). The
words are those of the common hosts, in lower case. The first row that fits counts, so reasons that
are ours come first: it is worse to take an address for dead than to write to it once more.
"""

import re
from collections.abc import Iterator

_CODE = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")

_VAGUE = re.compile(r"[45]\.(?:\d\.0|4\.1|5\.\d{1,3})")
"""Codes that many hosts give for everything; words tell more."""

_HOST = re.compile(r"[a-z0-9-]\.[a-z]")

_MOST = 8000
"""Characters of a text that are looked at: the reason is at its beginning, or near it."""

STILL_TRYING = (
    "has not yet been delivered",
    "not been able to deliver your message yet",
    "delivery is delayed",
    "delivery to the following recipient has been delayed",
    "delivery has been delayed",
    "will be retried",
    "will retry",
    "will continue to try",
    "will keep trying",
    "still being retried",
    "this is a warning message only",
    "you do not need to resend",
    "no action is required on your part",
    "delivery incomplete",
)
"""Words of a notice that a mail is late."""

GIVEN_UP = (
    "not going to try again",
    "queue too long",
    "giving up",
    "gave up",
    "retry timeout exceeded",
    "retry time not reached for any host after a long failure period",
    "delivery time expired",
    "message expired",
    "failed permanently",
    "permanent error",
    "permanent fatal error",
    "permanent failure",
)
"""Words that make a failure of a temporary kind one for good."""

MEANINGS = {
    # Reasons of ours: the content, the sender, the size.
    "5.7.1": (
        *("spam", "blacklist", "blocklist", "block list", "blocked using", "listed by"),
        *("policy reasons", "policy violation", "policy restrictions", "content rejected"),
        *("poor reputation", "low reputation", "sender rejected", "virus", "not authorized"),
    ),
    "5.7.26": ("dkim", "dmarc", "spf ", "unauthenticated"),
    "5.3.4": ("too large", "too big", "size limit", "maximum size", "message size exceeds"),
    # Reasons of the address.
    "5.2.2": (
        *("mailbox full", "mailbox is full", "over quota", "overquota", "quota exceeded"),
        *("exceeded storage", "exceeds allotted", "storage space", "out of storage"),
    ),
    "5.2.1": (
        *("account disabled", "account is disabled", "account has been disabled"),
        *("mailbox disabled", "mailbox is inactive", "account is inactive", "inactive user"),
    ),
    "5.1.1": (
        *("user unknown", "unknown user", "no such user", "user not found", "no such address"),
        *("user doesn't exist", "user does not exist", "account that you tried to reach does"),
        *("recipient unknown", "unknown recipient", "no such recipient", "recipient not found"),
        *("no mailbox here", "no mailbox by that name", "no such mailbox", "mailbox not found"),
        *("mailbox does not exist", "address not found", "address does not exist"),
        *("address doesn't exist", "account does not exist", "not a valid mailbox"),
        *("recipient address rejected: access", "invalid recipient", "addressee unknown"),
        *("wasn't found at", "doesn't have a", "not listed in"),
    ),
    "5.1.2": (
        *("host unknown", "unknown host", "host not found", "couldn't find any host"),
        *("unrouteable address", "unroutable address", "no route to host by that name"),
        *("domain not found", "domain name not found", "domain does not exist"),
    ),
    "5.2.0": ("mailbox unavailable",),
}
"""Status codes, and words for them that many hosts use."""

_TEMPORARY = re.compile(r"(?:\A|: )4[2-5]\d[ -]")
"""A reply of SMTP by which a host refuses for the time being (RFC 5321, 4.2.1)."""


def status_in(text: str) -> str:
    """Return the first enhanced status code of a failure in `text`, such as "5.1.1"; "" if none."""
    return next(_codes(text), "")


def _codes(text: str) -> Iterator[str]:
    return (found[0] for found in _CODE.finditer(text))


def status_said(text: str) -> str:
    """Return the status of a failure by the code or the words in `text`; "" if it says none."""
    telling = (code for code in _codes(text) if not _VAGUE.fullmatch(code))
    return next(telling, "") or _in_words(text) or status_in(text)


def status_of_notice(text: str) -> str | None:
    """Return the status of the failure that a host tells people of; None if it is none yet."""
    words = _plain(text)
    status = status_said(text[:_MOST])
    if any(each in words for each in GIVEN_UP):
        return status
    temporary = status.startswith("4") or (not status and _TEMPORARY.search(words))
    return None if temporary or any(each in words for each in STILL_TRYING) else status


def _in_words(text: str) -> str:
    words = _plain(text)
    return next(
        (code for code, said in MEANINGS.items() if any(each in words for each in said)), ""
    )


def _plain(text: str) -> str:
    """Return the beginning of `text` in lower case on one line, without addresses and hosts.

    Nobody's reason is that they are called bob@antispam.example.
    """
    words = text[:_MOST].lower().replace("\u2019", "'").split()
    return " ".join(word for word in words if "@" not in word and not _HOST.search(word))
