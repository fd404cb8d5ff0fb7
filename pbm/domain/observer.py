"""The observer: what becomes of mails and thoughts, for logs and metrics."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from pbm.domain.mail import MailOutcome, ReceivedMail
from pbm.domain.robots import ThoughtKind
from pbm.engine import frozen


@frozen
class Taken:
    """A mail is in the inbox under `number`, or was there before, if it is a `repeat`.

    `message_id` is whatever its Message-ID field holds, b"" if it has none.
    """

    number: int
    mail: ReceivedMail
    message_id: bytes
    repeat: bool = False


@frozen
class Played:
    """Mail `number` of the inbox is done, or in the shunt; `seconds` is how long that took."""

    number: int
    outcome: MailOutcome
    message_id: str | None
    seconds: float


class Handover(StrEnum):
    """The outcome of a try to hand a mail to the relay."""

    SENT = "sent"
    DEFERRED = "deferred"
    RELAY_DOWN = "relay-down"
    """Deferred because of the relay, and not because of the mail."""
    GIVEN_UP = "given-up"


@frozen
class Handed:
    """Mail `number` of the outbox was offered to the relay, which said `words`.

    `answers` is the mail of the inbox that it came from, None if time or the operator made it.
    `waited` is how many seconds it has existed, of which the try that began at `tried_at` took
    `took`; `next_try_at` None if there will be no other try.
    """

    number: int
    answers: int | None
    recipient: str
    message_id: str
    fate: Handover
    words: str
    tries: int
    waited: float
    tried_at: datetime
    took: float
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


@frozen
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
