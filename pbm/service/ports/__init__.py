"""What the use cases need from outside, as protocols: the store, the post, chance.

Everything here is synchronous; a unit of work belongs to one thread. Times are aware
datetimes in UTC.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self

from pbm.domain.player import PlayerId
from pbm.service.ports.boards import (
    Announcement,
    Announcements,
    FollowUp,
    FollowUpKind,
    FollowUps,
    GameCounts,
    HistoryRow,
    Invitations,
    Matches,
    MatchRow,
    News,
    Pauses,
    Plans,
    Pulse,
    Pulses,
    RatedRow,
    Snapshot,
)
from pbm.service.ports.mail import (
    Cutoffs,
    Inbox,
    IncomingLife,
    Lifeline,
    Lives,
    Notes,
    Outbox,
    OutboxRow,
    OutgoingLife,
    Queues,
    Shunt,
    ShuntedMail,
    WaitingDelivery,
    WaitingMail,
)
from pbm.service.ports.operator import (
    Audit,
    AuditRow,
    BanRow,
    Bans,
    BoardCounts,
    Facts,
    LookCounts,
    MailCounts,
    Personal,
    Statistics,
    TokenKeys,
    Traces,
)
from pbm.service.ports.people import (
    Blocks,
    Confirmations,
    Followers,
    LeftAlone,
    Players,
    Ratings,
    Robots,
    Signups,
    StandingRow,
    ThoughtCounts,
    Thoughts,
    Wishes,
)

__all__ = [
    "Announcement",
    "Announcements",
    "Audit",
    "AuditRow",
    "BanRow",
    "Bans",
    "Batch",
    "Blocks",
    "BoardCounts",
    "Chance",
    "Confirmations",
    "Conflict",
    "Cutoffs",
    "Facts",
    "FollowUp",
    "FollowUpKind",
    "FollowUps",
    "Followers",
    "Foreseen",
    "GameCounts",
    "HistoryRow",
    "Inbox",
    "IncomingLife",
    "Intentions",
    "Invitations",
    "LeftAlone",
    "Lifeline",
    "Lives",
    "LookCounts",
    "MailCounts",
    "MatchRow",
    "Matches",
    "NeedsTransaction",
    "News",
    "Notes",
    "OpenBatch",
    "OpenUnit",
    "Outbox",
    "OutboxRow",
    "OutgoingLife",
    "Passwords",
    "Pauses",
    "Personal",
    "Players",
    "Pulse",
    "Pulses",
    "Queues",
    "RatedRow",
    "Ratings",
    "Robots",
    "Shunt",
    "ShuntedMail",
    "Signups",
    "Snapshot",
    "StandingRow",
    "Statistics",
    "StoreUnavailable",
    "ThoughtCounts",
    "Thoughts",
    "TokenKeys",
    "Traces",
    "UnitOfWork",
    "WaitingDelivery",
    "WaitingMail",
    "Wishes",
]


class Conflict(Exception):  # noqa: N818 - the caller rolls back and tries again
    """Another worker saved the same match first; roll back and play the mail again."""


class StoreUnavailable(Exception):  # noqa: N818 - an outage, not an error of ours
    """The database is down, locked or full: not a bug of the mail that met it; try later."""


class NeedsTransaction(Exception):  # noqa: N818 - the caller plays the mail again
    """A mail asks for something that a batch does not do in memory; see `Batch.transaction`."""


class UnitOfWork(Protocol):
    """One transaction. Leaving the `with` block without `commit` rolls everything back."""

    @property
    def players(self) -> Players: ...
    @property
    def signups(self) -> Signups: ...
    @property
    def left_alone(self) -> LeftAlone: ...
    @property
    def matches(self) -> Matches: ...
    @property
    def invitations(self) -> Invitations: ...
    @property
    def plans(self) -> Plans: ...
    @property
    def confirmations(self) -> Confirmations: ...
    @property
    def ratings(self) -> Ratings: ...
    @property
    def wishes(self) -> Wishes: ...
    @property
    def followers(self) -> Followers: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def inbox(self) -> Inbox: ...
    @property
    def shunt(self) -> Shunt: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def lives(self) -> Lives: ...
    @property
    def pauses(self) -> Pauses: ...
    @property
    def pulses(self) -> Pulses: ...
    @property
    def announcements(self) -> Announcements: ...
    @property
    def statistics(self) -> Statistics: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def bans(self) -> Bans: ...
    @property
    def personal(self) -> Personal: ...
    @property
    def follow_ups(self) -> FollowUps: ...
    @property
    def token_keys(self) -> TokenKeys: ...
    @property
    def robots(self) -> Robots: ...
    @property
    def thoughts(self) -> Thoughts: ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *details: object) -> None: ...

    def savepoint(self) -> AbstractContextManager[None]:
        """Open a part that can fail alone: an exception rolls back to its start and propagates.

        After a Conflict or StoreUnavailable the whole unit of work is lost; leave it.
        """

    def next_number(self) -> int:
        """Return the next board number of the server, from 101; each is given once."""

    def tally(self, key: str, window: datetime, amount: int = 1) -> int:
        """Count `amount` more under `key`, in the window from `window` on; return the count."""

    def add_to_tally(self, key: str, window: datetime, amount: int) -> None:
        """Count `amount` more, without asking what the count is then."""

    def tallied(self, key: str, window: datetime) -> int:
        """Return the count under `key` in that window without adding to it."""

    def be_only_scheduler(self) -> None:
        """Wait until nobody else is reminding; nobody else can until this unit of work ends."""

    def prune(self, before: Cutoffs, limit: int) -> int:
        """Forget up to `limit` rows of each kind; return how many in all, 0 once all are gone.

        It never forgets what was played: matches with their logs, and ratings.
        """

    def commit(self) -> None: ...


OpenUnit = Callable[[], UnitOfWork]
"""Returns a new unit of work, which its caller enters."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What mails are likely to ask for."""

    boards: frozenset[int] = frozenset()
    players: frozenset[PlayerId] = frozenset()
    addresses: frozenset[str] = frozenset()


class Batch(UnitOfWork, Protocol):
    """The unit of work of many mails, which reads ahead and writes behind.

    Reading shows one moment. What is saved stays in memory until the commit, which raises Conflict
    if somebody else has changed what it was made from. So nobody waits for this unit of work, and
    a savepoint costs nothing. It saves what moves on boards change, and reads what is found in a
    few rows. For the rest a method raises NeedsTransaction, and the mail is played again in a
    `transaction`.
    """

    def claim(self, limit: int, besides: Collection[int] = ()) -> tuple[WaitingMail, ...]:
        """Begin to read, and return up to `limit` waiting mails that no other worker holds.

        They come in the order of `Inbox.claim`, without those in `besides`. There are fewer if
        they are very long.
        """

    def read_ahead(self, foreseen: Foreseen) -> None:
        """Read this in few statements. What was not foreseen is read when it is asked for."""

    def transaction(self) -> AbstractContextManager[UnitOfWork]:
        """Write what was saved so far, and open the rest of the unit of work to everything.

        From now on others wait until the commit. Raises Conflict as the commit does.
        """


OpenBatch = Callable[[], Batch]
"""Returns a new batch, which its caller enters."""


class Passwords(Protocol):
    """Password hashing (argon2id, slow on purpose)."""

    def hash(self, password: str) -> str: ...

    def verify(self, password_hash: str, password: str) -> bool: ...

    def well_known(self, password: str) -> bool:
        """Return whether it is among the first that anybody would try."""


class Chance(Protocol):
    """The one source of randomness."""

    def new_id(self) -> str:
        """Return a word of 24 small letters and digits that nobody can guess."""

    def shuffled(self, players: Sequence[PlayerId]) -> tuple[PlayerId, ...]: ...

    def seed(self) -> int:
        """Return a seed for a game's setup, 0 to 2**31 - 1."""
