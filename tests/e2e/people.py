"""Players at their mail programs, and a server for two of them."""

import itertools
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from tests.e2e.server import Server
from tests.processes import PATIENCE
from tests.sink import Arrived, Sink

PASSWORD = "correct-horse"
SERVER = "pbm@localhost"
ALICE, BOB = "alice@example.com", "bob@example.com"

_numbers = itertools.count(1)


def letter(
    author: str, subject: str, text: str = "", *, to: str = SERVER, message_id: str = ""
) -> bytes:
    """Return a mail, with a new Message-ID unless one is given."""
    message = EmailMessage()
    message["From"] = author
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = message_id or f"<{next(_numbers)}@people.example>"
    message.set_content(text)
    return message.as_bytes(policy=message.policy.clone(linesep="\r\n"))


def hand_in(server: Server, author: str, content: bytes, to: str = SERVER) -> None:
    """Send a mail; return once it is answered with 250."""
    with smtplib.SMTP(server.host, server.port, timeout=PATIENCE) as connection:
        connection.sendmail(author, [to], content)


@dataclass
class Person:
    """A player, who writes from `address` to `host` and reads what the sink has for it."""

    name: str
    host: Any
    sink: Sink
    read: int = field(default=0)
    server: str = SERVER

    @property
    def address(self) -> str:
        return f"{self.name}@example.com"

    def mails(self) -> list[Arrived]:
        return [mail for mail in self.sink.mails if mail.recipient == self.address]

    def hand_in(self, content: bytes, to: str = "") -> None:
        """Send a mail to the host."""
        hand_in(self.host, self.address, content, to or self.server)

    def write(self, subject: str, text: str = "", to: str = "") -> bytes:
        """Write a mail; return the bytes that were sent."""
        to = to or self.server
        content = letter(self.address, subject, text, to=to)
        self.hand_in(content, to)
        return content

    def answer(self, mail: Arrived, text: str) -> bytes:
        """Reply as a mail program does; return the bytes that were sent."""
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        body = f"{text}\n\nOn Monday, {mail.headline} wrote:\n{quoted}"
        return self.write(f"Re: {mail.subject}", body, mail.reply_to)

    def next(self, phrase: str = "") -> Arrived:
        """Return the next mail not yet seen; check that `phrase` is where a reader looks."""
        self.sink.wait(lambda _: len(self.mails()) > self.read, f"a mail for {self.name}: {phrase}")
        mail = self.mails()[self.read]
        self.read += 1
        assert mail.says(phrase), mail.text
        return mail

    def opens_account(self, password: str) -> None:
        self.write(f"signup {self.name}")
        self.answer(self.next("Open your account"), f"yes\npassword {password}")
        self.next("Your account is open")


def begin_match(
    first: Person, second: Person, password: str, game: str = "gonnect", options: str = "-size=5"
) -> tuple[Arrived, Arrived]:
    """Challenge and accept; return the two mails with the first position."""
    first.write(f"{game} challenge {first.name} {password} {second.name} {options}".strip())
    first.next("waiting for an answer")
    second.answer(second.next("an invitation"), "accept")
    return first.next("your move"), second.next(f"{first.name} to move")


def take_turn(mover: Person, other: Person, mail: Arrived, text: str) -> Arrived:
    """Answer `mail` with a turn that leaves `other` to move; return what they get."""
    mover.answer(mail, text)
    mover.next(f"{other.name} to move")
    return other.next("your move")


@dataclass
class Table:
    """A server, and alice and bob, who have accounts with PASSWORD."""

    server: Server
    sink: Sink
    alice: Person
    bob: Person

    def begin(self, game: str = "gonnect", options: str = "-size=5") -> tuple[Arrived, Arrived]:
        """Let alice challenge bob; return the mails with the first position."""
        return begin_match(self.alice, self.bob, PASSWORD, game, options)


ACCOUNTS = (("alice", PASSWORD), ("bob", PASSWORD))


@contextmanager
def open_table(home: Path, *options: str, sink_port: int = 0, **more: Any) -> Iterator[Table]:
    """Run a server in `home` for alice and bob; afterwards check that no bug was met.

    Its sink listens on `sink_port`; `more` is for the server.
    """
    with (
        Sink(port=sink_port) as sink,
        Server(home, "--relay", sink.relay, *options, **{"accounts": ACCOUNTS, **more}) as server,
    ):
        yield Table(server, sink, Person("alice", server, sink), Person("bob", server, sink))
        assert "Traceback" not in server.log
