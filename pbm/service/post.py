"""From notices to the outbox, in the same unit of work as the events that they report."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from pbm.domain.mail import IncomingMail
from pbm.service.context import Services
from pbm.service.holding import to_send
from pbm.service.notices import Notice
from pbm.service.notices.play import BoardNotice, merged
from pbm.service.ports import UnitOfWork
from pbm.service.seals import sealed


def post(
    services: Services,
    work: UnitOfWork,
    notices: Iterable[Notice],
    now: datetime,
    mail: IncomingMail | None = None,
    number: int | None = None,
) -> None:
    """Compose each notice that is wanted and can reach its recipient, and put it into the outbox.

    A notice to the author of `mail` joins the thread of that mail, and `number` is that of the
    mail in the inbox that led to them all.
    """
    composed, compose = [], services.composer.compose
    for notice in _wanted(work, merged(notices), now):
        to = notice.recipient
        if to is not None:
            answers = mail.message_id if mail and to == mail.author else None
            uid, returns = services.chance.new_id(), services.chance.new_id()
            composed.append(sealed(services.mint, compose(notice, uid, returns, now, answers)))
    work.outbox.add(composed, now, number)


def _wanted(work: UnitOfWork, notices: Iterable[Notice], now: datetime) -> Iterator[Notice]:
    """Yield the notices that go out now: not those that wait for a digest, or are echoes."""
    for notice in notices:
        if not isinstance(notice, BoardNotice) or notice.recipient is None:
            yield notice
        elif whole := to_send(work, notice, now):
            yield whole
