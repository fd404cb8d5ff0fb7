"""Bounces: the reasons that hosts give, and the failures after which an address counts as dead.

One bounce proves little. Hosts have bad days on which they know nobody, and each address has
worked once, because its owner has answered from it. So failures are counted by days (in UTC), and
an address is switched off only after several. If a host objects to our mail, for example as spam,
that counts on one day a week: it mostly passes, but an address may refuse us for ever.

Many hosts give the reason as a status code (RFC 3463), many only in words, and some as a code that
says nothing ("5.0.0"). The words below are those of the common hosts, in lower case. The first row
that fits counts, so reasons about our mail come first: it is worse to take an address for dead than
to write to it once more.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from pbm.domain.pauses import Pause, PauseKind, running_time
from pbm.engine import frozen


@frozen
class QueuedMail:
    """A mail to `recipient` in the queue of this host's MTA, and why it is still there."""

    sender: str
    recipient: str
    arrived_at: datetime
    reason: str


@frozen
class Returns:
    """Of `sent` mails to addresses of a provider, so many `returned`, the last for a `reason`."""

    provider: str
    returned: int
    sent: int
    reason: str

    @property
    def are_most(self) -> bool:
        """True if at least half came back."""
        return self.returned * 2 >= self.sent

    def __str__(self) -> str:
        """Return "outlook.com: 14 of 14: blocked (5.7.1)"."""
        status = status_in(self.reason)
        words = "blocked" if is_ours(status) else "no such address" if status in _GONE else "failed"
        told = f"{words} ({status})" if status else words
        return f"{self.provider}: {self.returned} of {self.sent}: {told}"


DAYS_TO_GO = 2
"""Days with failures that switch off an address which, according to its host, does not exist."""

DAYS_TO_FAIL = 3
"""Days with failures that switch off any address. Three days outlast a host's one bad day."""

YEAR = timedelta(days=365)

UNREACHABLE_LASTS = timedelta(days=30)
"""The time in a year for which clocks are stopped for a player whose mails bounce."""

AGAIN = timedelta(days=1)
"""The time from a mail that does not arrive to the next try."""

_BOUNDED = (PauseKind.UNREACHABLE, PauseKind.RETURNED)

_GONE = frozenset(
    {"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.1.351", "5.2.1", "5.4.4", "5.4.310", "5.7.17"}
)
"""There is no such host or mailbox, or its owner has changed; three numbers are Exchange's own."""

# The sender is refused, the mail is too big, its protocol or content is wrong, or a rule forbids it
# (RFC 3463). Two of the rules are about the mailbox: it is disabled, or its owner has changed.
_OURS = re.compile(r"5\.1\.(?:[78]|90)|5\.2\.3|5\.3\.4|5\.[56]\.\d+|5\.7\.(?!1[37]\Z)\d+")

_DAY_FOR_OURS = 0
"""The day of the week on which a reason about our mail counts: Monday."""


def is_ours(status: str) -> bool:
    """Return whether a failure of this status is about our mail, not about its address."""
    return _OURS.fullmatch(status) is not None


def counts(status: str, now: datetime) -> bool:
    """Return whether a failure of this status counts against its address on the day of `now`."""
    return not is_ours(status) or now.weekday() == _DAY_FOR_OURS


def is_dead(days: int, status: str) -> bool:
    """Return whether an address is switched off on its `days`th day with a failure."""
    return days >= (DAYS_TO_GO if status in _GONE else DAYS_TO_FAIL)


def are_ours(failed: int, written_to: int, *, taken: bool) -> bool:
    """Return whether the fault is ours, because most of the addresses `written_to` have failed.

    If there are only two, a failure of one counts against it only while the other works. It is
    ours as well if the relay has not `taken` any mail.
    """
    return not taken or (failed > 1 and failed * 2 > written_to)


def stopped_for(pauses: Iterable[Pause], now: datetime) -> timedelta:
    """Return the time to stop the clocks of a player who cannot be reached from `now` on.

    Together with the player's earlier `pauses` that is at most UNREACHABLE_LASTS in a year, so
    players who let their own mails bounce gain no more time than that.
    """
    earlier = [pause for pause in pauses if pause.kind in _BOUNDED]
    stopped = YEAR - running_time(now - YEAR, now, earlier)
    return max(UNREACHABLE_LASTS - stopped, timedelta(0))


def held_until(pauses: Iterable[Pause], began: datetime, until: datetime) -> datetime:
    """Return the end of a stop of the clocks from `began` to `until`, or earlier at the bound.

    `pauses` are the player's others. A stop that ends before it begins is none.
    """
    return min(until, began + stopped_for(pauses, began))


_CODE = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")

_VAGUE = re.compile(r"[45]\.(?:\d\.0|4\.1|5\.\d{1,3})")
"""Codes that many hosts give for everything; their words are clearer."""

_HOST = re.compile(r"[a-z0-9-]\.[a-z]")

_MOST = 8000
"""Characters of a text that are searched: the reason is near its beginning."""

_OPENINGS = (
    "hi. this is the qmail-send program",
    "hi! this is the mailer-daemon, please do not reply",
    "hi. this is the james mail server",
    "this message was created automatically by mail delivery software",
    "this is the mail system at host",
    "this is the postfix program at host",
    "a message that you sent could not be delivered",
    "delivery to the following recipient",
    "delivery has failed to these recipients",
    "your message did not reach some or all of the intended recipients",
    "** address not found **",
    "** message blocked **",
    "the original message was received at",
)
"""The beginnings of reports for people from the usual hosts, in lower case."""

_OPENING = 400
"""Characters of a text that are compared with them."""

STILL_TRYING = (
    *("has not yet been delivered", "not been able to deliver your message yet"),
    *("delivery is delayed", "delivery to the following recipient has been delayed"),
    *("delivery has been delayed", "delivery incomplete", "this is a warning message only"),
    *("a message is delayed for more than", "this is only a warning"),
    *("will be retried", "will retry", "will continue to try", "will keep trying"),
    *("still being retried", "you do not need to resend", "no action is required on your part"),
)
"""Words of a notice that a mail is late."""

GIVEN_UP = (
    *("not going to try again", "queue too long", "giving up", "gave up"),
    *("retry timeout exceeded", "delivery time expired", "message expired"),
    "retry time not reached for any host after a long failure period",
    *("an error has occurred while attempting to deliver", "envelope expired"),
    *("failed permanently", "permanent error", "permanent fatal error", "permanent failure"),
)
"""Words that make a failure of a temporary kind one for good."""

MEANINGS = {
    # Reasons about our mail: the content, the sender, the size.
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


def opens_as_a_report(text: str) -> bool:
    """Return whether `text` begins as the reports of the usual hosts do."""
    return " ".join(text[:_OPENING].lower().split()).startswith(_OPENINGS)


def status_in(text: str) -> str:
    """Return the first enhanced status code of a failure in `text`, such as "5.1.1"; "" if none."""
    return next(_codes(text), "")


def _codes(text: str) -> Iterator[str]:
    return (found[0] for found in _CODE.finditer(text))


def status_said(text: str) -> str:
    """Return the status of a failure by the code or the words in `text`, or "" without either."""
    telling = (code for code in _codes(text) if not _VAGUE.fullmatch(code))
    return next(telling, "") or _in_words(text) or status_in(text)


def status_of_notice(text: str) -> str | None:
    """Return the status of the failure that a host reports to people, or None if it still tries."""
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

    An address such as bob@antispam.example is no reason.
    """
    words = text[:_MOST].lower().replace("\u2019", "'").split()
    return " ".join(word for word in words if "@" not in word and not _HOST.search(word))
