"""The ports of mail: how intake stores mails, what wakes a stage, and who observes their way."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from pbm.domain.mail import Outcome, OutgoingMail, ReceivedMail
from pbm.domain.player import PlayerId
from pbm.domain.robots import ThoughtKind

NO_WORDS: Mapping[int, str] = MappingProxyType({})


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


class Notes(Protocol):
    """Notes of mails that the relay of this process has just taken, before they are recorded."""

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
    """The moments up to which rows are forgotten.

    Mails are forgotten that were played and sent before `done`, silenced before `silenced`, shunted
    or given up before `dead`.
    Signups, requests and questions made before `asked` are forgotten, and counts from before
    `counted`. The newest request and signup are kept.
    """

    done: datetime
    silenced: datetime
    dead: datetime
    asked: datetime
    counted: datetime


@dataclass(frozen=True, slots=True)
class IncomingLife:
    """A mail that came in: state is waiting, done, silenced or shunted.

    `outcome` says what became of it. A mail from before this was remembered has no listener and no
    outcome.
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
    """The lengths of the queues.

    In the inbox: mails, their octets, and the `oldest` of them; in the outbox: mails. `due` is when
    the first of those is, or was. `shunted` met a bug, `dead` were given up.
    """

    waiting: int
    octets: int
    oldest: datetime | None
    shunted: int
    outgoing: int
    due: datetime | None
    dead: int


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """A pause without an end because mail is not taken, and the mails to its player.

    The newest one that was `taken`, and the oldest one that `waits`. Of those that were given up:
    when the newest `lost` one was made, and when one was last `tried`.
    """

    pause: int
    player: PlayerId
    began_at: datetime
    taken: datetime | None
    waits: datetime | None
    lost: datetime | None
    tried: datetime | None


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


@dataclass(frozen=True, slots=True)
class Taken:
    """A mail is in the inbox under `number`, or was there before, if it is a `repeat`.

    `message_id` is whatever its Message-ID field holds, b"" if it has none.
    """

    number: int
    mail: ReceivedMail
    message_id: bytes
    repeat: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """Mail `number` of the inbox is done, or in the shunt; `seconds` is how long that took."""

    number: int
    outcome: Outcome
    message_id: str | None
    seconds: float


class Handover(StrEnum):
    """The outcome of a try to hand a mail to the relay."""

    SENT = "sent"
    DEFERRED = "deferred"
    RELAY_DOWN = "relay-down"
    """Deferred because of the relay, and not because of the mail."""
    GIVEN_UP = "given-up"


@dataclass(frozen=True, slots=True)
class Handed:
    """Mail `number` of the outbox was offered to the relay, which said `words`.

    `answers` is the mail of the inbox that it came from, None if time or the operator made it.
    `waited` is how many seconds it has existed; `next_try_at` None if there will be no other try.
    """

    number: int
    answers: int | None
    recipient: str
    message_id: str
    fate: Handover
    words: str
    tries: int
    waited: float
    next_try_at: datetime | None


class ThoughtFate(StrEnum):
    """The outcome of a thought."""

    DONE = "done"
    REPLACED = "replaced"
    """It is done, but by our own search, because the program that was asked has failed."""
    OUT_OF_DATE = "out-of-date"
    """The board had moved on; it is thought about anew."""
    FAULT = "fault"
    """It came to nothing, because of a bug or a program that failed; it waits for another try."""
    PUT_OFF = "put-off"
    """It waits: the share of its player's day is used up, or it cannot be thought about now."""


@dataclass(frozen=True, slots=True)
class ThoughtTold:
    """The outcome of a thought of `userid`, a robot or whoever asked, about board `number`.

    `level` is the robot's, 0 for a person. `words` are what it plays, or why not; of a fault, the
    places where it happened. It waited so many seconds and took so many of a core. `due_at` is when
    it is looked at again, None if it is done.
    """

    number: int
    kind: ThoughtKind
    userid: str
    level: int
    fate: ThoughtFate
    words: str
    waited: float
    seconds: float
    tries: int = 0
    due_at: datetime | None = None


class Observer:
    """Is told what becomes of mails; this one does nothing about it."""

    def taken(self, mails: Sequence[Taken]) -> None:
        """Note that these mails are stored."""

    def not_taken(self, mails: int, why: str) -> None:
        """Note that so many mails were not stored, and their senders asked to come again."""

    def turned_away(self, reply: str) -> None:
        """Note that a client got this refusal, one of the few that the listeners know."""

    def played(self, mails: Sequence[Played]) -> None:
        """Note that these mails were played, and all that they led to is stored."""

    def done_by_itself(self, done: Mapping[str, int]) -> None:
        """Note what a round of scheduled jobs has done: each by its name so many times."""

    def handed(self, mails: Sequence[Handed]) -> None:
        """Note that these mails were offered to the relay, and what it said is stored."""

    def thought(self, thought: ThoughtTold) -> None:
        """Note what became of a thought, and is stored."""
