"""Mail providers that are known, by the domains of their addresses."""

from pbm.engine import frozen


@frozen
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

_OUTLOOK = Provider(
    "outlook.office365.com", "smtp-mail.outlook.com", "a token of OAuth 2", 300, "xoauth2"
)

_TABLE = {
    "gmail.com googlemail.com": Provider("imap.gmail.com", "smtp.gmail.com", _APP, 500),
    "fastmail.com fastmail.fm": Provider("imap.fastmail.com", "smtp.fastmail.com:465", _APP),
    "posteo.de posteo.net": Provider("posteo.de", "posteo.de:465"),
    "mailbox.org": Provider("imap.mailbox.org", "smtp.mailbox.org:465", _APP),
    "icloud.com me.com": Provider("imap.mail.me.com", "smtp.mail.me.com", _APP, 1000),
    "outlook.com hotmail.com": _OUTLOOK,
    "migadu.com": Provider("imap.migadu.com", "smtp.migadu.com:465", daily=20),
}

PROVIDERS = {domain: found for domains, found in _TABLE.items() for domain in domains.split()}
"""Providers by the domains of their addresses; setup asks for the hosts of all others."""
