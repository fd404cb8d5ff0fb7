"""Players who write to a host by its port 25, and the world that its Postfix writes to."""

import smtplib
from collections.abc import Collection
from dataclasses import dataclass, field

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.e2e.people import letter
from tests.host.scratch import STRANGER, Scratch
from tests.processes import PATIENCE
from tests.sink import Arrived, Sink

PORT = 25


@dataclass
class World(Sink):
    """All other hosts, which take mails for all but the `unknown` addresses."""

    unknown: set[str] = field(default_factory=set)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 5.1.1 There is nobody of that name here"
        envelope.rcpt_tos.append(address)
        return "250 OK"


def connected(host: Scratch) -> smtplib.SMTP:
    """Return a connection to port 25 of `host` from an address that it does not know."""
    with host.network():
        return smtplib.SMTP(
            "192.0.2.1", PORT, "elsewhere.example", PATIENCE, source_address=(STRANGER, 0)
        )


def answers(host: Scratch, sender: str, recipients: Collection[str], size: int = 0) -> list[int]:
    """Return the codes with which `host` answers to these recipients of a mail."""
    with connected(host) as client:
        client.ehlo()
        code, _ = client.mail(sender, [f"SIZE={size}"] if size else [])
        return [client.rcpt(each)[0] if code == 250 else code for each in recipients]


@dataclass
class Writer:
    """A player at their mail program, somewhere in the world."""

    name: str
    host: Scratch
    world: World
    server: str
    read: int = 0

    @property
    def address(self) -> str:
        return f"{self.name}@example.com"

    def write(self, subject: str, text: str = "", to: str = "") -> None:
        to = to or self.server
        content = letter(self.address, subject, text, to=to)
        with connected(self.host) as client:
            client.sendmail(self.address, [to], content)

    def answer(self, mail: Arrived, text: str) -> None:
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        body = f"{text}\n\nOn Monday, {mail.headline} wrote:\n{quoted}"
        self.write(f"Re: {mail.subject}", body, mail.reply_to)

    def mails(self) -> list[Arrived]:
        return [mail for mail in self.world.mails if mail.recipient == self.address]

    def next(self, phrase: str) -> Arrived:
        """Return the next mail, in which `phrase` is where a reader looks."""
        missing = f"a mail for {self.name}: {phrase}"
        self.world.wait(lambda _: len(self.mails()) > self.read, missing)
        mail = self.mails()[self.read]
        self.read += 1
        told = f"{mail.headline}: {mail.subject}\n{mail.prose}"
        assert phrase.casefold() in told.casefold(), mail.text
        return mail
