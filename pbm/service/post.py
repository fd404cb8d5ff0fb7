"""From notices to the outbox, in the same unit of work as the events that they report."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from pbm.domain.mail import IncomingMail
from pbm.service.board_messages import BoardNotice, merged
from pbm.service.context import Services
from pbm.service.digest_hold import to_send
from pbm.service.letters import Message
from pbm.service.ports import UnitOfWork


def post(
    services: Services,
    work: UnitOfWork,
    notices: Iterable[Message],
    now: datetime,
    mail: IncomingMail | None = None,
    number: int | None = None,
) -> None:
    """Compose each notice that is wanted and can reach its recipient, and put it into the outbox.

    A notice to the author of `mail` joins the thread of that mail, and `number` is that of the
    mail in the inbox that led to them all.
    """
    composed, compose, new_id = [], services.composer.compose, services.chance.new_id
    for notice, to in _wanted(work, merged(notices), now):
        answers = mail.message_id if mail and to == mail.author else None
        uid, returns = new_id(), new_id()
        composed.append(compose(notice, uid, returns, now, answers))
    work.outbox.add(composed, now, number)


def _wanted(
    work: UnitOfWork, notices: Iterable[Message], now: datetime
) -> Iterator[tuple[Message, str]]:
    """Yield the notices that go out now and where to: none waits for a digest, or is an echo."""
    for notice in notices:
        to = notice.recipient
        if to is None:
            continue
        if not isinstance(notice, BoardNotice) or notice.digest:
            yield notice, to
        elif whole := to_send(work, notice, now):
            yield whole, to
