"""The check of the mailbox: that its login works, and that its mails are fetched."""

from contextlib import closing
from datetime import date, datetime, timedelta

from pbm.engine import counted
from pbm.operator.doctor.verdict import Verdict, fail, ok, warn
from pbm.server.mailbox.account import Account
from pbm.server.mailbox.connection import MailboxError, Waiting, open_mailbox

_ALL = date(1970, 1, 2)

LATE = timedelta(minutes=10)
"""The age of a mail at which it should have been fetched."""


def mailbox(account: Account | None, address: str, now: datetime) -> Verdict:
    """Check that the mailbox can be read, and that nothing for us has waited there for long."""
    if account is None:
        return ok("none is set, so mails come in by SMTP, LMTP or pbm inject")
    try:
        with closing(open_mailbox(account)) as connection:
            connection.open(account.folder)
            found = [*connection.list(_ALL).values()]
    except MailboxError as error:
        return fail(f"{account.host}: {error}")
    if "+" in address:
        return ok(f"{account.host} takes the login; mail to {address} alone is looked at")
    return _filled(found, account, now)


def _filled(found: list[Waiting], account: Account, now: datetime) -> Verdict:
    waiting = [mail.arrived_at for mail in found if mail.arrived_at >= account.since]
    told = f"{account.host} takes the login; {counted(len(waiting), 'mail')} there to be fetched"
    if earlier := len(found) - len(waiting):
        told += f", and {counted(earlier, 'mail')} from before mailbox_since"
    oldest = min(waiting, default=now)
    if now - oldest < LATE:
        return ok(told)
    since = f"{oldest.astimezone(now.tzinfo):%Y-%m-%d %H:%M} UTC"
    return warn(
        f"{told}, the oldest since {since}: is pbm serve running? Its log names mails that cannot "
        "be fetched"
    )
