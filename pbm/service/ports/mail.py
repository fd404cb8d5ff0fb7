"""What is stored of mails on their way in and out, and what wakes who waits for them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from pbm.domain.mail import OutgoingMail, ReceivedMail

NO_WORDS: Mapping[int, str] = MappingProxyType({})


class IntakeUnavailable(Exception):  # noqa: N818 - a state of the house, answered with 451
    """Nothing can be stored now; the sender is asked to try again.

    `str()` is a sentence for the operator's log, without contents or addresses of a mail.
    """


Put = Callable[[Sequence[ReceivedMail]], frozenset[int]]
"""Stores mails in one transaction; returns the places of those that are not stored.

They may be played from now on, and outlast the end of this machine.

A mail is not stored while its source has a full share waiting: it must come again later, and the
others need not. Otherwise all are stored, or none. A mail that is stored already (the same content
key, played or not) is left as it is, so a sender who missed our "250" may repeat. Raises
IntakeUnavailable when the database is down, the disk is full, or more mails or octets wait than the
high-water mark allows.
"""


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """A row of the inbox that has been claimed."""

    id: int
    mail: ReceivedMail


@dataclass(frozen=True, slots=True)
class ShuntedMail:
    """A mail that met a bug: the raw bytes, and the traceback with its secrets masked."""

    id: int
    mail: ReceivedMail
    error: str
    shunted_at: datetime


@dataclass(frozen=True, slots=True)
class WaitingDelivery:
    """A row of the outbox that has been claimed; `tries` counts the earlier tries."""

    id: int
    mail: OutgoingMail
    tries: int
    created_at: datetime
    answers: int | None = None
    """The mail of the inbox that it came from; None if time or the operator made it."""


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A line of `pbm outbox list`: state is waiting, sent or dead.

    `owner` is the process that leases it, "host:pid:word"; None if none does.
    """

    id: int
    recipient: str
    state: str
    tries: int
    created_at: datetime
    next_try_at: datetime
    error: str
    owner: str | None = None


class Inbox(Protocol):
    """Mails taken and not yet played; intake has `Put` them there."""

    def claim(self, limit: int) -> tuple[WaitingMail, ...]:
        """Return up to `limit` waiting mails that no other worker holds.

        Sources take turns, so the single mail of one comes before the second of another; within
        a source the oldest is first, and so it is across sources that had the same. They are held
        until the unit of work ends; on PostgreSQL by FOR UPDATE SKIP LOCKED.
        """

    def peek(self, limit: int) -> tuple[WaitingMail, ...]:
        """Return up to `limit` waiting mails, oldest first, whoever holds them; hold none."""

    def done(self, mail: int, outcome: str = "", now: datetime | None = None) -> None:
        """Mark it played, with this outcome, and delete its bytes.

        Its content key stays, so a repeat does nothing.
        """

    def shunt(self, mail: int, error: str, now: datetime) -> None:
        """Move it to the shunt."""

    def waiting(self) -> int:
        """Return how many wait."""

    def waiting_octets(self) -> int:
        """Return how long the waiting mails are together."""

    def oldest(self) -> datetime | None:
        """Return when the longest-waiting mail was received; None if none waits."""


class Shunt(Protocol):
    """Mails that met a bug, kept until the operator has decided."""

    def listing(self) -> tuple[ShuntedMail, ...]: ...

    def get(self, mail: int) -> ShuntedMail | None: ...

    def retry(self, mail: int) -> None:
        """Move it back to the inbox."""

    def drop(self, mail: int) -> None: ...


class Outbox(Protocol):
    """Mails composed and not yet taken by the relay."""

    def add(self, mails: Sequence[OutgoingMail], now: datetime, answers: int | None = None) -> None:
        """Add mails; `answers` is the number of the mail in the inbox that they came from."""

    def claim(
        self, limit: int, owner: str, now: datetime, until: datetime
    ) -> Callable[[], tuple[WaitingDelivery, ...]]:
        """Lease up to `limit` mails due at `now`, oldest first, to `owner` until `until`.

        Returns what gives these mails, also after the commit: a database that is asked for both
        together is waited for once. A crash of it may forget the lease, with all else that this
        unit of work has written.
        """

    def release(self, owner: str) -> None:
        """Give up the leases of an owner that is known to be dead."""

    def leased(self, owner: str, among: Sequence[int]) -> tuple[int, ...]:
        """Return those of these mails that `owner` leases."""

    def owners(self) -> tuple[str, ...]:
        """Return the owners that hold leases."""

    def sent(
        self, deliveries: Sequence[int], now: datetime, words: Mapping[int, str] = NO_WORDS
    ) -> None:
        """Mark them sent and delete their bytes; `words` is what the relay said to some."""

    def deferred(self, delivery: int, error: str, next_try_at: datetime) -> None: ...

    def dead(self, delivery: int, error: str) -> None:
        """Give one up; it stays listed for the operator."""

    def returned(self, sender: str, error: str, now: datetime) -> str | None:
        """Remember once that the mail with this envelope `sender` came back.

        Returns the mail's recipient, None if there is no such mail.

        A mail not yet marked as sent counts as sent, or it could not have come back.
        """

    def fates(self, since: datetime) -> tuple[int, int]:
        """Return how many players' addresses mails failed at since then, and how many were tried.

        Strangers' addresses do not count: anybody can make the server write to a dead one.
        """

    def hurry(self, now: datetime) -> int:
        """Make all due that were put off and that nobody delivers now; return how many."""

    def next_due(self) -> datetime | None:
        """Return when the earliest waiting mail is due."""

    def not_after(self, now: datetime) -> int:
        """Make mails due that were made after `now`; return how many.

        There are such mails if time was put back, or after a drill.
        """

    def listing(self, limit: int = 200) -> tuple[OutboxRow, ...]:
        """Return what waits or is dead, oldest first."""

    def get(self, delivery: int) -> OutboxRow | None:
        """Return one that waits or is dead."""

    def retry(self, delivery: int, now: datetime) -> bool:
        """Make one due at once that nobody leases; return False if there is none.

        A dead one counts from now, so that it has days again before it is given up.
        """

    def seize(self, delivery: int, owner: str) -> None:
        """Take one from an `owner` that is known to be dead."""

    def drop(self, delivery: int) -> bool:
        """Forget one; return False if there is none."""


class Notes(Protocol):
    """What the relay of this process has just taken, noted before it is recorded."""

    def note_sent(self, words: Mapping[int, str], now: datetime) -> None:
        """Remember that the relay has taken these mails, and in which `words`.

        It outlasts the process; before the next unit of work that writes, perhaps not the machine.
        Raises StoreUnavailable if the database is away.
        """

    def recorded(self) -> Collection[int]:
        """Return the noted mails that the outbox tells of already, as far as that is certain."""


class Lifeline(Notes, Protocol):
    """Says of a delivering process that it lives and reaches the database.

    Belongs to one thread at a time. Every method raises StoreUnavailable if the database is away.
    """

    def hold(self, owner: str) -> None:
        """Say from now on that `owner`, a name of this process, lives; quick if that is so already.

        A process that has lost the database must take another name: others may have its leases.
        """

    def is_held(self, owner: str) -> bool:
        """Return whether that process lives and reaches the database."""

    def noted_by(self, owner: str) -> tuple[int, ...]:
        """Return the mails that the relay of `owner` had taken, as far as the outbox does not tell.

        Some may be recorded all the same, or be others by now: only what it leases is meant.
        """

    def forget_noted(self, owner: str) -> None:
        """Forget that, because it is recorded."""

    def close(self) -> None:
        """Say no more that this process lives."""


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """What is forgotten: mails played and sent before `done`, shunted or given up before `dead`.

    Signups and requests made before `asked` are forgotten, and counts from before `counted`. The
    newest request and signup are kept.
    """

    done: datetime
    dead: datetime
    asked: datetime
    counted: datetime


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


class Wakes(StrEnum):
    """A stage that others make work for; the value is the name of its role."""

    PLAY = "play"
    DELIVER = "deliver"
    THINK = "think"


class Bell(Protocol):
    """Hears when another process has committed work for a stage.

    Every transaction that makes work rings by itself once it is committed. A call may be lost, if
    a process dies or a connection breaks: so each stage looks by itself as well, seldom while the
    bell `hears`, and often while it does not.
    """

    @property
    def hears(self) -> bool:
        """True while the calls of other processes arrive."""

    def listening(
        self, wakes: Mapping[Wakes, Callable[[], None]]
    ) -> AbstractContextManager[object]:
        """While the block runs, call what stands beside a stage soon after work is made for it.

        It is called in another thread, once for many calls that came together, and not for what
        this process has committed itself.
        """
