"""`pbm setup --mailbox`: a server at a mail provider, tried and written to pbm.toml."""

import json
import time
from collections.abc import Mapping
from datetime import date, timedelta
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import quote

import click

from pbm.cli.printing import echo
from pbm.config import ConfigError, Settings
from pbm.core.relaying import Failed, Sent
from pbm.domain.mail import OutgoingMail
from pbm.engine import counted
from pbm.server.mailbox.account import Account, read_account
from pbm.server.mailbox.connection import MailboxError, open_mailbox
from pbm.server.mailbox.providers import PROVIDERS, Provider, find_trial, trial_mail
from pbm.server.mailbox.reading import received
from pbm.server.relay import open_relay
from pbm.system import SystemChance, utc_now, write_durably

FILE, PASSWORD = Path("pbm.toml"), Path("var/mailbox-password")

_NOT_OURS = (
    "The account must be for pbm alone: all mail that comes to it from now on is played or "
    "answered. What is there already stays unread."
)


def set_up(address: str, operator: str | None, command: str | None) -> None:
    """Try a mailbox, and write the settings of a server that uses it."""
    if FILE.exists():
        raise ConfigError(f"There is a {FILE} here already: remove it, or work in another folder.")
    keys = {"address": address, **({"operator": operator} if operator else {})}
    Settings(address, "", "", Path(), operator)  # which checks both
    echo(_NOT_OURS)
    provider = PROVIDERS.get(address.rpartition("@")[2].lower()) or _asked(address)
    keys |= _keys(address, provider, command)
    account = read_account(
        keys["mailbox"], password_command=keys["mailbox_password_command"], auth=provider.auth,
        since=keys["mailbox_since"],
    )  # fmt: skip
    try:
        strict = _try(address, account, keys["relay"])
    except MailboxError as error:
        raise ConfigError(f"{account.host}: {error}") from None
    numbers = {"mailbox_daily": provider.daily * 4 // 5} if provider.daily else {}
    FILE.write_text(_toml({**keys, **numbers, **({"mailbox_strict": True} if strict else {})}))
    echo(f"{FILE} is written. Now type:\n\n  pbm db upgrade\n  pbm serve\n")
    echo("and, in another terminal, pbm doctor. deploy/mailbox.md says more.")


def _asked(address: str) -> Provider:
    domain = address.rpartition("@")[2]
    imap = click.prompt("Its IMAP server, HOST[:PORT]", f"imap.{domain}")
    return Provider(imap, click.prompt("Its SMTP server, HOST[:PORT]", f"smtp.{domain}"))


def _keys(address: str, provider: Provider, command: str | None) -> dict[str, str]:
    """Return the settings of a server at `provider`; store the password if no command prints it."""
    if provider.auth == "xoauth2" and not command:
        raise ConfigError(
            "This provider takes tokens of OAuth 2 alone: --password-command is to print one, for "
            "example by oama or mailctl."
        )
    if not command:
        PASSWORD.parent.mkdir(exist_ok=True)
        asked: str = click.prompt(f"Password ({provider.login})", hide_input=True)
        write_durably(PASSWORD, f"{asked}\n".encode(), new=False)
    host, _, port = provider.smtp.partition(":")
    scheme = "smtps" if port == "465" else "smtp+starttls"
    return {
        "smtp": "",
        "mailbox": f"imaps://{address}@{provider.imap}",
        "mailbox_password_command": command or f"cat {PASSWORD}",
        "mailbox_auth": provider.auth,
        # The provider knows seconds only, and what is there now must be before it.
        "mailbox_since": (utc_now() + timedelta(seconds=1)).isoformat(timespec="seconds"),
        "relay": f"{scheme}://{quote(address)}@{host}:{port or '587'}",
    }


def _try(address: str, account: Account, relay: str) -> bool:
    """Send a mail to ourselves and find it; return whether no tagged sender may be used."""
    mailbox = open_mailbox(account)
    try:
        mailbox.open(account.folder)
        earlier = len(mailbox.list(date(1970, 1, 2)))
        if earlier:
            echo(f"{counted(earlier, 'mail')} there already; pbm leaves them alone.")
        sent, strict = _sent(address, account, relay)
        echo(f"A test mail is on its way to {sent.recipient}; this takes up to a minute.")
        content = find_trial(mailbox, account, sent, time.sleep)
    finally:
        mailbox.close()
    if content is None:
        raise ConfigError(
            f"The test mail to {sent.recipient} has not come. pbm needs addresses with a plus "
            "sign, such as Fastmail, Gmail, Posteo, mailbox.org and Migadu have."
        )
    _report(content, sent)
    return strict


def _sent(address: str, account: Account, relay: str) -> tuple[OutgoingMail, bool]:
    """Return the test mail as it was sent, and whether only from the bare address."""
    uid, date_said = SystemChance().new_id(), format_datetime(utc_now())
    error = ""
    for strict in (False, True):
        mail = trial_mail(address, uid, date_said, strict=strict)
        connection = open_relay(relay, address.rpartition("@")[2], account.secret)
        ((_, verdict),) = connection.deliver([mail])
        connection.close()
        if isinstance(verdict, Sent):
            return mail, strict
        error = verdict.error
        if not isinstance(verdict, Failed):
            break
    raise ConfigError(f"The provider does not take a mail. {error}")


def _report(content: bytes, sent: OutgoingMail) -> None:
    """Say what of the test mail has survived."""
    echo("The test mail has come.")
    came = received(content, "", sent.recipient, utc_now(), "")
    if came.sender != sent.sender:
        echo("The provider changes the sender; mails that come back are known by their Message-ID.")
    if sent.message_id.encode() not in content:
        echo("The provider changes the Message-ID; mails that come back may not be recognised.")


def _toml(keys: Mapping[str, object]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in keys.items())
