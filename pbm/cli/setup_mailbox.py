"""`pbm setup --mailbox`: a server at a mail provider, tried and written to pbm.toml."""

import json
import re
import time
from contextlib import closing
from datetime import date, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from pbm.cli.printing import echo
from pbm.config import ConfigError, Settings
from pbm.core.relaying import Failed, Sent
from pbm.domain.mail import OutgoingMail, bounce_address, with_word
from pbm.engine import counted
from pbm.mail.reading.mime import read_headers
from pbm.server.mailbox.account import Account, read_account
from pbm.server.mailbox.connection import Mailbox, MailboxError, open_mailbox
from pbm.server.mailbox.providers import PROVIDERS, Provider
from pbm.server.relay import open_relay
from pbm.system import SystemChance, utc_now, write_durably

FILE, PASSWORD = Path("pbm.toml"), Path("var/mailbox-password")

_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?=[\s;])")

LOOKS = 30
LOOK_SECONDS = 2.0

_ASKED = """\
If the account is for pbm alone, all mail that comes to it from now on is played or answered.
If not, pbm takes mail to {} alone, and opens no other.
Is it for pbm alone?"""


def set_up(address: str, operator: str | None, command: str | None) -> None:
    """Try a mailbox, and write the settings of a server that uses it."""
    if FILE.exists():
        raise ConfigError(f"There is a {FILE} here already: remove it, or work in another folder.")
    provider = PROVIDERS.get(address.rpartition("@")[2].lower()) or _asked(address)
    if provider.auth == "xoauth2" and not command:
        raise ConfigError(
            "This provider takes tokens of OAuth 2 alone: --password-command is to print one, for "
            "example by oama or mailctl."
        )
    own = address if "+" in address else with_word(address, "pbm")
    if own != address and not click.confirm(_ASKED.format(own), default=True):
        address = own
    settings = _settings(address, provider, command or f"cat {PASSWORD}")
    settings |= {"operator": operator} if operator else {}
    account = _account(settings)
    Settings(address, "", "", Path(), operator, mailbox=account)  # which checks the addresses
    if not command:
        PASSWORD.parent.mkdir(exist_ok=True)
        asked: str = click.prompt(f"Password ({provider.login})", hide_input=True)
        write_durably(PASSWORD, f"{asked}\n".encode(), new=False)
    try:
        settings |= _tried(address, account, settings["relay"])
    except MailboxError as error:
        raise ConfigError(f"{account.host}: {error}") from None
    FILE.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))
    echo(f"{FILE} is written. Now type:\n\n  pbm db upgrade\n  pbm serve\n")
    echo("and, in another terminal, pbm doctor. deploy/mailbox.md says more.")


def _asked(address: str) -> Provider:
    domain = address.rpartition("@")[2]
    imap = click.prompt("Its IMAP server, HOST[:PORT]", f"imap.{domain}")
    return Provider(imap, click.prompt("Its SMTP server, HOST[:PORT]", f"smtp.{domain}"))


def _settings(address: str, provider: Provider, command: str) -> dict[str, Any]:
    """Return the settings of a server at `provider`; the login is without the tag."""
    user = re.sub(r"\+.*@", "@", address)
    host, _, port = provider.smtp.partition(":")
    scheme = "smtps" if port == "465" else "smtp+starttls"
    return {
        "address": address,
        "smtp": "",
        "mailbox": f"imaps://{user}@{provider.imap}",
        "mailbox_password_command": command,
        "mailbox_auth": provider.auth,
        # The provider knows seconds only, and what is there now must be before it.
        "mailbox_since": (utc_now() + timedelta(seconds=1)).isoformat(timespec="seconds"),
        **({"mailbox_daily": provider.daily * 4 // 5} if provider.daily else {}),
        "relay": f"{scheme}://{quote(user)}@{host}:{port or '587'}",
    }


def _account(settings: dict[str, Any]) -> Account:
    found = {name.partition("mailbox_")[2]: value for name, value in settings.items()}
    return read_account(settings["mailbox"], **{n: value for n, value in found.items() if n})


def _tried(address: str, account: Account, relay: str) -> dict[str, Any]:
    """Send a mail to ourselves and find it; return the settings that it shows to be needed."""
    with closing(open_mailbox(account)) as mailbox:
        mailbox.open(account.folder)
        if earlier := len(mailbox.list(date(1970, 1, 2))):
            echo(f"{counted(earlier, 'mail')} there already; pbm leaves them alone.")
        sent = _sent(address, account, relay)
        echo(f"A test mail is on its way to {sent.recipient}; this takes up to a minute.")
        head = _arrived(mailbox, account, sent)
    if head is None:
        raise ConfigError(
            f"The test mail to {sent.recipient} has not come. pbm needs addresses with a plus "
            "sign, such as Fastmail, Gmail, Posteo, mailbox.org and Migadu have."
        )
    echo("The test mail has come.")
    headers, _ = read_headers(head)
    if headers.first("Return-Path").strip("<> ") != sent.sender:
        echo("The provider changes the sender; mails that come back are known by their Message-ID.")
    if headers.first("Message-ID") != sent.message_id:
        echo("The provider changes the Message-ID; mails that come back may not be recognised.")
    vouches = _HOST.match(headers.first("Authentication-Results"))
    return {
        **({"authserv_id": vouches[0]} if vouches else {}),
        **({"mailbox_strict": True} if sent.sender == address else {}),
    }


def _sent(address: str, account: Account, relay: str) -> OutgoingMail:
    """Return the test mail that the provider took: from a tag, or else from the bare address."""
    uid, domain = SystemChance().new_id(), address.rpartition("@")[2]
    to, message_id = with_word(address, uid), f"<{uid}@{domain}>"
    content = (
        f"From: <{address}>\r\nTo: <{to}>\r\nSubject: A test of pbm setup\r\n"
        f"Date: {format_datetime(utc_now())}\r\nMessage-ID: {message_id}\r\n"
        "Auto-Submitted: auto-generated\r\n\r\n"
        "This mail shows how the provider passes mails on.\r\n"
    )
    error = ""
    with closing(open_relay(relay, domain, account.secret)) as connection:
        for sender in (bounce_address(uid, address, at_provider=True), address):
            mail = OutgoingMail(sender, to, message_id, content.encode("ascii"))
            ((_, verdict),) = connection.deliver([mail])
            if isinstance(verdict, Sent):
                return mail
            error = verdict.error
            if not isinstance(verdict, Failed):
                break
    raise ConfigError(f"The provider does not take a mail. {error}")


def _arrived(mailbox: Mailbox, account: Account, sent: OutgoingMail) -> bytes | None:
    """Wait for the mail that was sent, also in the spam folder; return its head, or None."""
    since = account.since - timedelta(seconds=2)
    for _ in range(LOOKS):
        for folder in filter(None, (account.folder, mailbox.junk())):
            mailbox.open(folder)
            found = mailbox.list((since - timedelta(days=1)).date())
            new = [uid for uid, each in found.items() if each.arrived_at >= since]
            for uid, head in mailbox.fetch(new, head=True).items():
                if sent.recipient.encode() in head:
                    mailbox.move([uid])
                    return head
        time.sleep(LOOK_SECONDS)
    return None
