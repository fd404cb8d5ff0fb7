"""Mails with which the operator tries the way there and back, and what has come of them."""

from datetime import datetime, timedelta

from pbm.service.context import Services, day_of
from pbm.service.letters import Message
from pbm.service.ports import UnitOfWork

_DAY = timedelta(days=1)


def send_probe(services: Services, work: UnitOfWork, notice: Message, now: datetime) -> str:
    """Put a mail into the outbox, and return its Message-ID."""
    uid, returns = services.chance.new_id(), services.chance.new_id()
    mail = services.composer.compose(notice, uid, returns, now)
    work.outbox.add([mail], now)
    return mail.message_id


def note_reply(work: UnitOfWork, number: int, now: datetime) -> None:
    """Remember that a reply to the probe of this number has come."""
    work.tally(_key(number), day_of(now))


def has_reply(work: UnitOfWork, number: int, now: datetime) -> bool:
    """Return whether a reply to the probe has come, today or yesterday."""
    return any(work.tallied(_key(number), day_of(now) - ago) for ago in (timedelta(0), _DAY))


def _key(number: int) -> str:
    return f"probe:{number}"
