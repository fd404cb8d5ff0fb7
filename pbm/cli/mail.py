"""Mail at a terminal: send a mail, read the answers, reply."""

import sys
from pathlib import Path

import click

from pbm.cli.options import json_option, setting, with_settings
from pbm.cli.printing import Noun, echo_facts, echo_rows, fields_of
from pbm.config import ConfigError, Settings, TcpEndpoint, address_file, read_endpoint
from pbm.system import utc_now

server_option = setting(
    "--server", default=None,
    help="HOST:PORT of the server's SMTP listener.  [default: that of the running pbm serve]",
)  # fmt: skip


@click.command()
@setting("--from", "author", required=True, help="Your address.")
@setting("--to", "to", default=None, help="The address to write to.  [default: the server's]")
@server_option
@click.argument("subject")
@click.argument("text", required=False)
@with_settings
def send(
    settings: Settings,
    author: str,
    to: str | None,
    server: str | None,
    subject: str,
    text: str | None,
) -> None:
    """Send a message by SMTP: SUBJECT, and TEXT or standard input."""
    from email.utils import make_msgid

    from pbm.cli.terminal import written

    piped = sys.stdin is not None and not sys.stdin.isatty()
    body = text if text is not None else sys.stdin.read() if piped else ""
    recipient, message_id = to or settings.address, make_msgid(domain="terminal.invalid")
    try:
        message = written(author, recipient, subject, utc_now(), message_id, body)
    except ValueError as error:
        raise ConfigError(f"The mail cannot be written: {error}.") from error
    _send(server or _listening(settings), author, recipient, message.as_bytes())


def _listening(settings: Settings) -> str:
    """Return where the server of these settings listens, as it wrote beside its database."""
    file = address_file(settings)
    return file.read_text("ascii") if file and file.exists() else "127.0.0.1:8025"


def _send(server: str, sender: str, recipient: str, content: bytes) -> None:
    import smtplib

    endpoint = read_endpoint(server)
    if not isinstance(endpoint, TcpEndpoint):
        raise ConfigError("Mails are sent to HOST:PORT.")
    try:
        with smtplib.SMTP(endpoint.host, endpoint.port, timeout=30) as connection:
            connection.sendmail(sender, [recipient], content)
    except smtplib.SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()))
        raise ConfigError(f"The server refused {recipient}: {code} {said.decode()}") from refused
    except ConnectionError as error:
        raise ConfigError(f"No server answers at {server}; start one: pbm serve") from error


@click.group(cls=Noun)
def mail() -> None:
    """Read the local Maildir and reply, to play at a terminal."""


def _maildir(settings: Settings) -> Path:
    scheme, _, path = settings.relay.partition(":")
    if scheme != "maildir":
        raise ConfigError("Mails can be read here only if the relay is maildir:PATH.")
    return Path(path)


@mail.command("list")
@setting("--for", "reader", default=None, help="Only messages to this address.")
@json_option
@with_settings
def list_mails(settings: Settings, reader: str | None, as_json: bool) -> None:
    """List the messages, newest last."""
    from pbm.cli import terminal

    echo_rows(
        terminal.letters(_maildir(settings), reader),
        ("number", "to", "from", "subject", "text"),
        lambda m: (m.number, m.recipient, m.author, m.subject, m.first_line),
        as_json=as_json,
    )


@mail.command()
@click.argument("number", type=int)
@json_option
@with_settings
def show(settings: Settings, number: int, as_json: bool) -> None:
    """Show message NUMBER."""
    from pbm.cli import terminal

    letter = terminal.letter(_maildir(settings), number)
    echo_facts(fields_of(letter), [terminal.full(letter)], as_json=as_json)


@mail.command()
@server_option
@click.argument("number", type=int)
@click.argument("text", nargs=-1, required=True)
@with_settings
def reply(settings: Settings, server: str | None, number: int, text: tuple[str, ...]) -> None:
    """Reply to message NUMBER with TEXT, as a mail client would."""
    from pbm.cli import terminal
    from pbm.system import SystemChance

    original = terminal.letter(_maildir(settings), number)
    answer = terminal.reply(original, " ".join(text), utc_now(), SystemChance().new_id())
    _send(server or _listening(settings), answer.sender, answer.recipient, answer.content)
