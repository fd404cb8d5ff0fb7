"""Check of the front MTA: asks it, without sending a mail, what it would take for pbm."""

import smtplib
from collections.abc import Iterator
from contextlib import suppress

from pbm.diagnosis.listeners import Listeners
from pbm.diagnosis.verdict import Verdict, fail, ok
from pbm.domain.mail import bounce_address
from pbm.engine import listing
from pbm.relay.connection import (
    ConnectionLost,
    RelayUrlError,
    SmtpTarget,
    is_loopback,
    open_connection,
    smtp_target,
)

PAGE = "see deploy/README.md, step 5"

_WORD = "doctor"
"""Stands where tokens stand, and is none."""


def front(url: str, address: str, listeners: Listeners) -> Verdict:
    """Check that the MTA of this host takes mails for the server, and for nobody else.

    It is the one that the server hands its own mails to, and that hands mails over by LMTP.
    """
    target = local_relay(url)
    if not listeners.lmtp or target is None:
        return ok("there is none on this host that could be asked")
    try:
        connection = open_connection(target, address.rpartition("@")[2])
    except ConnectionLost as error:
        return fail(str(error))
    where = f"{target.host}:{target.port}"
    try:
        wrong = list(_wrong(connection, address))
    except (smtplib.SMTPException, OSError):
        return fail(f"{where} hung up when it was asked what it takes")
    finally:
        with suppress(smtplib.SMTPException, OSError):
            connection.quit()
    if wrong:
        return fail(f"{where} {listing(wrong, last='and')}: {PAGE}")
    return ok(f"{where} takes mails to {address}, to its replies and bounces, and to nobody else")


def local_relay(url: str) -> SmtpTarget | None:
    """Return where the relay listens, if it speaks SMTP on this host; else None."""
    try:
        target = smtp_target(url)
    except (RelayUrlError, KeyError):
        return None
    return target if target.port and is_loopback(target.host) else None


def _wrong(connection: smtplib.SMTP, address: str) -> Iterator[str]:
    """Yield what the MTA says to recipients that is not as it must be."""
    local, _, domain = address.rpartition("@")
    connection.mail("")
    for recipient in (
        address,
        f"{local}+{_WORD}@{domain}",
        bounce_address(_WORD, address),
        f"postmaster@{domain}",
    ):
        code, text = connection.rcpt(recipient)
        if code >= 300:
            said = " ".join(text.decode("ascii", "replace").split())
            yield f"refuses {recipient} ({code} {said})"
    nobody = f"no-such-address@{domain}"
    if connection.rcpt(nobody)[0] < 300:
        yield f"takes {nobody}, and would have to send it back to a sender who may be forged"
    connection.rset()
