"""Players at their mail programs."""

import itertools
import smtplib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from tests.e2e.server import Server
from tests.processes import PATIENCE
from tests.sink import Arrived, Sink

_numbers = itertools.count(1)


def letter(
    author: str, subject: str, text: str = "", *, to: str = "pbm@localhost", message_id: str = ""
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


def hand_in(server: Server, author: str, content: bytes, to: str = "pbm@localhost") -> None:
    """Send a mail; return once it is answered with 250."""
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as connection:
        connection.sendmail(author, [to], content)


@dataclass
class Person:
    """One player, who writes from `address` and reads what the sink has for it."""

    name: str
    server: Server
    sink: Sink
    read: int = field(default=0)

    @property
    def address(self) -> str:
        return f"{self.name}@example.com"

    def mails(self) -> list[Arrived]:
        return [mail for mail in self.sink.mails if mail.recipient == self.address]

    def write(self, subject: str, text: str = "") -> None:
        hand_in(self.server, self.address, letter(self.address, subject, text))

    def answer(self, mail: Arrived, text: str) -> bytes:
        """Reply as a mail program does; return the bytes that were sent."""
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        body = f"{text}\n\nOn Monday, {mail.headline} wrote:\n{quoted}"
        content = letter(self.address, f"Re: {mail.subject}", body, to=mail.reply_to)
        hand_in(self.server, self.address, content, mail.reply_to)
        return content

    def next(self, phrase: str = "") -> Arrived:
        """Return the next mail not yet seen; check that `phrase` is where a reader looks."""
        self.sink.wait(lambda _: len(self.mails()) > self.read, f"a mail for {self.name}: {phrase}")
        mail = self.mails()[self.read]
        self.read += 1
        told = f"{mail.headline}: {mail.subject}\n{mail.prose}"
        assert phrase.casefold() in told.casefold(), mail.text
        return mail

    def opens_account(self, password: str) -> None:
        self.write(f"signup {self.name} {password}")
        self.answer(self.next("Open your account"), "yes")
        self.next("Your account is open")


def begin_match(
    first: Person, second: Person, password: str, game: str, options: str = ""
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
