"""The ports of mail: how intake stores mails, what wakes a stage, and who observes their way."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.player import PlayerId


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
