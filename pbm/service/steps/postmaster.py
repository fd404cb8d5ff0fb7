"""Mails to the postmaster: the operator reads them, if they are not too many."""

import logging
from collections.abc import Iterator

from pbm.domain.mail import IncomingMail
from pbm.service.context import Context, hour_of
from pbm.service.letters import Message
from pbm.service.notices.people import WrittenToPostmaster

log = logging.getLogger("pbm.play")

MAILS_AN_HOUR = 20
"""Mails to the postmaster that are passed on in an hour, whoever writes them."""

MOST_OCTETS = 64 * 1024
"""Of a mail to the postmaster, so much goes to the operator: its headers and more than a text."""


def pass_on(context: Context, mail: IncomingMail) -> Iterator[Message]:
    """Yield what tells the operator of `mail`, as it came; nothing beyond the bound of an hour.

    Anybody can write to the postmaster as often as they like, and what we send to one address must
    not depend on that.
    """
    operator, whole = context.services.operator, mail.for_operator
    if operator is None or whole is None:
        return
    count = context.work.tally("postmaster", hour_of(context.now))
    if count <= MAILS_AN_HOUR:
        yield WrittenToPostmaster(operator, mail.author or "", mail.subject, whole[:MOST_OCTETS])
    elif count == MAILS_AN_HOUR + 1:
        log.warning("the postmaster gets no more mails in this hour: there were %d", MAILS_AN_HOUR)
