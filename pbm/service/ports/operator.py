"""What the operator does and sees: the audit, bans, figures, what became of mails."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from pbm.domain.mail import Outcome, ReceivedMail
from pbm.domain.pauses import PauseKind
from pbm.domain.player import Player, PlayerState
from pbm.domain.robots import ThoughtKind

Facts = Mapping[str, Any]
"""What something was or became, as plain values without secrets."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One act of an operator: who did what to whom, what it was before and after, and why."""

    at: datetime
    operator: str
    act: str
    subject: str
    before: Facts
    after: Facts
    why: str


class Audit(Protocol):
    """What operators have done."""

    def add(self, row: AuditRow) -> None: ...

    def listing(
        self, subject: str | None = None, act: str | None = None, limit: int = 200
    ) -> tuple[AuditRow, ...]:
        """Return the newest rows about `subject`, in any case, and of `act`; the newest last."""


@dataclass(frozen=True, slots=True)
class BanRow:
    """A pattern of addresses that are kept out."""

    pattern: str
    made_at: datetime
    why: str


class Bans(Protocol):
    """Addresses and domains that are kept out (pbm.domain.addresses)."""

    def add(self, row: BanRow) -> bool:
        """Store it; return False if the pattern is banned already."""

    def remove(self, pattern: str) -> bool:
        """Take it away; return False if it was not there."""

    def listing(self) -> tuple[BanRow, ...]:
        """Return all in order of their patterns."""

    def any_of(self, patterns: Sequence[str]) -> bool:
        """Return whether one of these is banned."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What names a person: their userid, every address known of them, and the name to put there."""

    player: Player
    addresses: tuple[str, ...]
    anonymous: str


class TokenKeys(Protocol):
    """The keys of reply tokens that have signed, by their fingerprints."""

    def all(self) -> tuple[str, ...]:
        """Return them in the order in which they began to sign."""

    def add(self, fingerprint: str, now: datetime) -> None:
        """Remember one; it may be there already."""


class Personal(Protocol):
    """Everything that is stored of one person, to be handed out or erased."""

    def stored(self, player: Player) -> Mapping[str, Any]:
        """Return every row that belongs to the player, without secrets, by the name of its table.

        Mails to and from their addresses are counted.
        """

    def last_move(self, player: Player) -> datetime | None:
        """Return when the player last did anything on a board; None if they never did."""

    def rename(self, player: Player, userid: str) -> None:
        """Give the player another userid, which must be free."""

    def chats(self, userid: str) -> Mapping[int, Mapping[int, str]]:
        """Return what `userid` said as a follower, by board and by position in its log.

        Earlier versions let followers chat.
        """

    def silence(self, number: int, entries: Collection[int]) -> None:
        """Blank the comments of these entries of a log."""

    def reword(self, number: int, traces: Traces) -> None:
        """Put the anonymous name in what others wrote, and where a follower is named, in a log."""

    def addresses_of(self, mailboxes: Collection[str]) -> frozenset[str]:
        """Return every stored address of one of these mailboxes, in small letters.

        Those are meant that wrote or were written to, whether or not they belong to an account.
        """

    def erase(self, traces: Traces) -> None:
        """Delete what belongs to the player alone, and put the anonymous name in all else."""


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """Boards of a game: open and over now, and those `started` and `ended` recently."""

    open: int
    over: int
    started: int
    ended: int


@dataclass(frozen=True, slots=True)
class MailCounts:
    """Mails in the shunt and given up, and those `taken` in and `sent` recently.

    `put_off` are those that wait after many tries.
    """

    shunted: int
    taken: int
    waiting: int
    dead: int
    sent: int
    put_off: int


@dataclass(frozen=True, slots=True)
class LookCounts:
    """How many boards are due for a look by now, and when the `next` one is, or was, due."""

    due: int
    next: datetime | None


class Statistics(Protocol):
    """Numbers, each found with one statement, however much is stored."""

    def boards(self, since: datetime) -> Mapping[str, BoardCounts]:
        """Return the boards by game; recently means after `since`."""

    def players(self) -> Mapping[PlayerState, int]:
        """Return how many people are in each state; states with none are left out."""

    def playing(self) -> int:
        """Return how many people have an open board."""

    def away(self, now: datetime) -> Mapping[PauseKind, int]:
        """Return how many active players' own clocks stand at `now`, by the reason."""

    def wanted(self) -> tuple[int, int]:
        """Return how many invitations wait for an answer, and how many seeks of active players."""

    def mails(self, since: datetime, tries: int) -> MailCounts:
        """Return the mails of inbox and outbox; recent ones already pruned are not counted.

        So many `tries` and more are many.
        """

    def looks(self, now: datetime) -> LookCounts:
        """Return how many clocks are due for a look, and when the next one is."""


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
    """What became of a try to hand a mail to the relay."""

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
    """What became of a thought."""

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
    """What became of a thought of `userid`, a robot or whoever asked, about board `number`.

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
