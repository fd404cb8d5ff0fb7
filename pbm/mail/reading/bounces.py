"""Reports on mails of ours that were not delivered (RFC 3464, and older ways).

Our mails go out from bounce+WORD, or PBM+bounce-WORD, and reports on them come back there: that
address shows which mail is meant. A smart host may have put our own address in its place. Then the
Message-ID in the copy of our mail shows it, or the one that the report answers. Only the server's
key makes WORD of it. Reading never raises: what cannot be read is None.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from pbm.domain.bounces import opens_as_a_report, status_in, status_of_notice, status_said
from pbm.domain.mail import LOOP_HEADER, ReceivedMail, Report, bounce_address
from pbm.mail.reading import limits, mime
from pbm.mail.reading.automatic_mail import is_auto_reply
from pbm.mail.reading.mime import Headers, MimePart, read_headers, text_of

MOST_RECIPIENTS = 20
"""Recipients of one report that are read. A mail of ours goes to one, or to their aliases."""

MOST_NAMES = 4
"""Mails of ours that one report may name: the one that came back, and others quoted in it."""

_AS_FIELDS = re.IGNORECASE | re.MULTILINE

_STATUS_TYPES = frozenset({"message/delivery-status", "message/global-delivery-status"})

_ARRIVED = frozenset({"delivered", "relayed", "expanded", "delayed"})

_FAILED = frozenset({"failed", "failure", "expired", "error"})
"""The action of a failure, and what some hosts write instead."""

_MACHINES = frozenset({"mailer-daemon", "postmaster"})

# The beginning of the copy of our own mail, which may say anything.
_COPY = re.compile(
    r"^[ =-]*+(?:Below this line|(?:This|Below) is a copy|Original message|Returned message|"
    r"The header of)|^(?:Return-Path|Reporting-MTA|Received):",
    re.IGNORECASE | re.MULTILINE,
)


def read_report(
    mail: ReceivedMail, headers: Headers, part: MimePart | None, author: str | None, address: str
) -> Report | None:
    """Return the failure that `mail` reports to the server at `address`, or None.

    `part` is the mail as a tree, or None if it is beyond the limits. The sender knows the word, so
    the envelope sender does not matter: hosts differ in it, and gateways change it. A report
    without a machine-readable part, such as qmail's, must come from a machine and must not be the
    automatic reply of somebody who is on vacation.
    """
    word = _word(mail, address)
    names = () if word else _names(mail, headers, address)
    if not (word or names):
        return None
    recipients = None if part is None else _recipients(part)
    status = _status_in_words(headers, part, author)
    if recipients is not None:
        status = _status(recipients, status)
    return None if status is None else Report(word or "", status, names)


def _word(mail: ReceivedMail, address: str) -> str | None:
    """Return the word of the first of our bounce addresses that `mail` was sent to, or None."""
    ours = (bounce_address("WORD", address.lower(), at_provider=each) for each in (False, True))
    either = "|".join(map(re.escape, ours)).replace("WORD", "([a-z0-9]{1,64})")
    found = (re.fullmatch(either, to.strip("<> ").lower()) for to in mail.recipients)
    return next((each[1] or each[2] for each in found if each), None)


def _names(mail: ReceivedMail, headers: Headers, address: str) -> tuple[str, ...]:
    """Return the first few names of mails of ours, from the copy of one or from what it answers."""
    whole, domain = map(re.escape, (address, address.rpartition("@")[2]))
    name, text = rf"<([a-z0-9]{{1,64}})@{domain}>", mail.content.decode("latin-1")
    if re.search(rf"^{LOOP_HEADER}: {whole}\s", text, _AS_FIELDS):
        found = re.compile(rf"^Message-ID:\s{{1,4}}{name}", _AS_FIELDS).finditer(text)
    else:
        answered = f"{headers.first('In-Reply-To')} {headers.first('References')}"
        found = re.finditer(name, answered, re.IGNORECASE)
    return tuple(islice(dict.fromkeys(each[1] for each in found), MOST_NAMES))


def _recipients(mail: MimePart) -> list[Headers] | None:
    """Return the fields about each recipient, or None if no part is machine-readable."""
    part = next(mail.leaves(_STATUS_TYPES), None)
    try:
        # The first group of fields is about the mail as a whole (RFC 3464, 2.1.1).
        return list(_groups(part))[1:] or None if part else None
    except limits.BeyondLimits:
        return None


def _groups(part: MimePart) -> Iterator[Headers]:
    """Yield the groups of fields, which blank lines separate; may raise BeyondLimits."""
    rest = part.decoded()
    for _ in range(MOST_RECIPIENTS + 1):
        rest = rest.lstrip(b"\r\n")
        group, end = read_headers(rest)
        if not group.fields:
            return
        yield group
        rest = rest[end:]


def _status(recipients: list[Headers], in_words: str | None) -> str | None:
    """Return why the mail failed for good, which may be "", or None if it did not fail.

    It has failed if it failed for one recipient and neither has reached nor may still reach any
    other. A host that gives up after days of trying reports a failure with a temporary status.
    What the fields do not say, such as the action, is taken from the text: `in_words`.
    """
    actions = [group.first("Action").lower().partition(" ")[0] for group in recipients]
    if not _ARRIVED.isdisjoint(actions):
        return None
    at = next((n for n, action in enumerate(actions) if action in _FAILED), None)
    failed = recipients[at or 0]
    said = failed.first("Status")
    code = status_in(said)
    status = status_said(f"{code} {failed.first('Diagnostic-Code')[: limits.SUBJECT]}")
    if status.startswith("5") or (status and at is not None):
        return status
    if said.startswith("2"):
        return None
    return in_words or (None if at is None else "")


def _status_in_words(headers: Headers, mail: MimePart | None, author: str | None) -> str | None:
    """Return why the mail failed, from a report for people, or None if it reports no failure."""
    text = "" if mail is None else text_of(mail)
    copy = _COPY.search(text)
    said = text[: copy.start()] if copy else text
    if not (_is_from_a_host(headers, author) or opens_as_a_report(said)):
        return None
    return status_of_notice(said)


def _is_from_a_host(headers: Headers, author: str | None) -> bool:
    """Return whether a mail without a machine-readable report still comes from a mail host."""
    if "X-Failed-Recipients" in headers:
        return True
    kind: Mapping[str, str] = mime.parameters(headers.first("Content-Type"))
    if kind.get("report-type", "delivery-status").lower() != "delivery-status":
        return False
    local = (author or "").rpartition("@")[0]
    return not is_auto_reply(headers) and (author is None or local in _MACHINES)
