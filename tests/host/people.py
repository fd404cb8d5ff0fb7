"""Players who write to a host by its port 25, from an address that it does not know."""

import smtplib
from collections.abc import Collection
from dataclasses import dataclass

from tests.e2e.people import Person
from tests.host.scratch import STRANGER, Scratch
from tests.processes import PATIENCE

PORT = 25


def connected(host: Scratch) -> smtplib.SMTP:
    """Return a connection to port 25 of `host`."""
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
class Writer(Person):
    """A player at their mail program, somewhere in the world."""

    def hand_in(self, content: bytes, to: str = "") -> None:
        """Send a mail to the host, which is a Scratch."""
        with connected(self.host) as client:
            client.sendmail(self.address, [to or self.server], content)
