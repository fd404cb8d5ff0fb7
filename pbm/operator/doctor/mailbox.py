"""The check of the mailbox: that its login works, and that its mails are fetched."""

from datetime import date, datetime, timedelta

from pbm.engine import counted
from pbm.operator.doctor.verdict import Verdict, fail, ok, warn
from pbm.server.mailbox.account import Account
from pbm.server.mailbox.connection import Mailbox, MailboxError, open_mailbox

_ALL = date(1970, 1, 2)

LATE = timedelta(minutes=10)
"""The age of a mail at which it should have been fetched."""


def mailbox(account: Account | None, now: datetime) -> Verdict:
    """Check that the mailbox can be read, and that nothing has waited there for long."""
    if account is None:
        return ok("none is set, so mails come in by SMTP, LMTP or pbm inject")
    try:
        connection = open_mailbox(account)
        try:
            return _filled(connection, account, now)
        finally:
            connection.close()
    except MailboxError as error:
        return fail(f"{account.host}: {error}")


def _filled(connection: Mailbox, account: Account, now: datetime) -> Verdict:
    connection.open(account.folder)
    found = connection.list(_ALL).values()
    waiting = [mail.arrived_at for mail in found if mail.arrived_at >= account.since]
    told = f"{account.host} takes the login; {_told(len(waiting), len(found))}"
    oldest = min(waiting, default=now)
    if now - oldest < LATE:
        return ok(told)
    since = f"{oldest.astimezone(now.tzinfo):%Y-%m-%d %H:%M} UTC"
    return warn(
        f"{told}, the oldest since {since}: is pbm serve running? Its log names mails that cannot "
        "be fetched"
    )


def _told(waiting: int, all_there: int) -> str:
    earlier = all_there - waiting
    rest = f", and {counted(earlier, 'mail')} from before mailbox_since" if earlier else ""
    return f"{counted(waiting, 'mail')} there to be fetched{rest}"
