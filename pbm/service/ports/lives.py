"""What is remembered of the way of each mail, as long as its row is kept."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class IncomingLife:
    """A mail that came in: state is waiting, done or shunted; `outcome` says what became of it.

    A mail from before this was remembered has no listener and no outcome.
    """

    id: int
    state: str
    received_at: datetime
    listener: str
    octets: int
    played_at: datetime | None
    outcome: str
    shunted_at: datetime | None


@dataclass(frozen=True, slots=True)
class OutgoingLife:
    """A mail that went out: state is waiting, sent or dead.

    `answers` is the mail that led to it. `words` are the relay's, when it took the mail, and
    `error` is why the last try failed, or that the mail came back though it was sent. `held` says
    that a process is delivering it now.
    """

    id: int
    answers: int | None
    recipient: str
    state: str
    created_at: datetime
    tries: int
    next_try_at: datetime
    held: bool
    sent_at: datetime | None
    words: str
    error: str


@dataclass(frozen=True, slots=True)
class Queues:
    """What waits: mails in the inbox and their octets, the `oldest` of them, mails in the outbox.

    `due` is when the first of those is, or was. `shunted` met a bug, `dead` were given up.
    """

    waiting: int
    octets: int
    oldest: datetime | None
    shunted: int
    outgoing: int
    due: datetime | None
    dead: int


class Lives(Protocol):
    """Finds mails by what an operator has: a number, or a Message-ID."""

    def incoming(self, mail: int) -> IncomingLife | None:
        """Return the mail of that number in the inbox."""

    def outgoing(self, mail: int) -> OutgoingLife | None:
        """Return the mail of that number in the outbox."""

    def led_to(self, mail: int) -> tuple[OutgoingLife, ...]:
        """Return the mails that this one of the inbox led to. Reads the whole outbox."""

    def queues(self) -> Queues:
        """Return what waits, found by indexes only, however much is done."""

    def known_as(self, key: int) -> tuple[tuple[IncomingLife, ...], tuple[OutgoingLife, ...]]:
        """Return those whose Message-ID has this key. Reads the whole inbox and outbox."""
