"""The door of unsubscribe buttons: a mail to the address in List-Unsubscribe, whoever sends it."""

from datetime import datetime

from pbm.domain.mail import Fate, IncomingMail, Outcome
from pbm.domain.mailings import Mailing
from pbm.service.context import Services, context_without_mail
from pbm.service.grammar import confirming
from pbm.service.outbox import post
from pbm.service.ports import UnitOfWork
from pbm.service.strangers import is_banned
from pbm.service.tokens import Token, TokenKind


def unsubscribe(
    services: Services,
    work: UnitOfWork,
    button: Token,
    mail: IncomingMail,
    now: datetime,
    number: int | None,
) -> Outcome:
    """Do what the button asks for, whether a person or a machine has pressed it.

    `number` is that of the mail in the inbox. Returns what became of it.
    """
    if mail.author is not None and is_banned(work, mail.author):
        return Outcome(Fate.SILENCED, "banned")
    context = context_without_mail(services, work, now)
    command = confirming(TokenKind.LEAVE)
    notices = list(command.run(
        context, mailing=Mailing(button.ply), player=button.player, number=button.number,
        subject=mail.subject,
    ))  # fmt: skip
    post(services, work, notices, now, number=number)
    context.proceedings.did(command.name, None)
    return context.proceedings.outcome(answered=bool(notices))
