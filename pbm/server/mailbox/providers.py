"""Mail providers that are known, and a trial of one: a mail that the server sends to itself."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from pbm.domain.mail import OutgoingMail, bounce_address
from pbm.server.mailbox.account import Account
from pbm.server.mailbox.connection import Mailbox

LOOKS = 30
LOOK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Provider:
    """The hosts of a mail provider, as HOST[:PORT]; the usual ports are 993 and 587.

    `login` is the password that it wants. `daily` is the most mails that it lets an account send in
    a day, as far as that is known, or 0.
    """

    imap: str
    smtp: str
    login: str = "the password of the account"
    daily: int = 0
    auth: str = "plain"


_APP = "an app password, made in the settings of the account"
_GMAIL = Provider("imap.gmail.com", "smtp.gmail.com", _APP, 500)
_FASTMAIL = Provider("imap.fastmail.com", "smtp.fastmail.com:465", _APP)
_OUTLOOK = Provider(
    "outlook.office365.com", "smtp-mail.outlook.com", "a token of OAuth 2", 300, "xoauth2"
)
_ICLOUD = Provider("imap.mail.me.com", "smtp.mail.me.com", _APP, 1000)
_POSTEO = Provider("posteo.de", "posteo.de:465")

PROVIDERS = {
    "gmail.com": _GMAIL,
    "googlemail.com": _GMAIL,
    "fastmail.com": _FASTMAIL,
    "fastmail.fm": _FASTMAIL,
    "posteo.de": _POSTEO,
    "posteo.net": _POSTEO,
    "mailbox.org": Provider("imap.mailbox.org", "smtp.mailbox.org:465", _APP),
    "icloud.com": _ICLOUD,
    "me.com": _ICLOUD,
    "outlook.com": _OUTLOOK,
    "hotmail.com": _OUTLOOK,
    "migadu.com": Provider("imap.migadu.com", "smtp.migadu.com:465", daily=20),
}
"""Providers by the domains of their addresses; setup asks for the hosts of all others."""


def trial_mail(address: str, uid: str, date: str, *, strict: bool) -> OutgoingMail:
    """Return a mail to ourselves with a tag, and from a tag unless the provider is `strict`."""
    local, _, domain = address.rpartition("@")
    to, message_id = f"{local}+{uid}@{domain}", f"<{uid}@{domain}>"
    head = (
        f"From: <{address}>\r\nTo: <{to}>\r\nSubject: A test of pbm setup\r\nDate: {date}\r\n"
        f"Message-ID: {message_id}\r\nAuto-Submitted: auto-generated\r\n"
    )
    sender = address if strict else bounce_address(uid, address, at_provider=True)
    content = f"{head}\r\nThis mail shows how the provider passes mails on.\r\n"
    return OutgoingMail(sender, to, message_id, content.encode("ascii"))


def find_trial(
    mailbox: Mailbox, account: Account, sent: OutgoingMail, pause: Callable[[float], None]
) -> bytes | None:
    """Wait for the mail that was sent, also in the spam folder; return it as it came, or None."""
    since = account.since - timedelta(seconds=2)
    day = (since - timedelta(days=1)).date()
    for _ in range(LOOKS):
        for folder in filter(None, (account.folder, mailbox.junk())):
            mailbox.open(folder)
            new = [uid for uid, at in mailbox.list(day).items() if at.arrived_at >= since]
            for uid, content in mailbox.fetch(new).items() if new else ():
                if sent.recipient.encode() in content:
                    mailbox.move([uid])
                    return content
        pause(LOOK_SECONDS)
    return None
