"""What the use cases need from outside, as protocols: the store, the post, chance.

Everything here is synchronous; a unit of work belongs to one thread. Times are aware
datetimes in UTC.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self

from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.domain.match import Invitation, Match
from pbm.domain.player import Player, PlayerId, PlayerState, Signup


class Conflict(Exception):  # noqa: N818 - the caller rolls back and tries again
    """Another worker saved the same match first; roll back and play the mail again."""


class StoreUnavailable(Exception):  # noqa: N818 - an outage, not an error of ours
    """The database is down, locked or full: not a bug of the mail that met it; try later."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored position: the state after `ply` plies, as canonical JSON. A cache, not the truth."""

    ply: int
    state: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A line of a table of boards; `ply` is the number of plies played, `to_move` seats."""

    number: int
    game: str
    players: tuple[str, ...]
    ply: int
    to_move: tuple[int, ...]
    turn_since: datetime
    over: bool


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
    """A row of the outbox that has been claimed; `tries` counts the ones before."""

    id: int
    mail: OutgoingMail
    tries: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A line of `pbm outbox list`: state is waiting, sent or dead."""

    id: int
    recipient: str
    state: str
    tries: int
    created_at: datetime
    next_try_at: datetime
    error: str


class Players(Protocol):
    """Players, their addresses and password hashes."""

    def by_userid(self, userid: str) -> Player | None:
        """Return the player of that name in any case."""

    def by_ids(self, ids: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        """Return the players by id, in one query."""

    def by_address(self, address: str) -> tuple[Player, ...]:
        """Return the active players who have confirmed `address` (in any case)."""

    def similar(self, userid: str) -> tuple[str, ...]:
        """Return at most 200 userids with the same first letter, to look for near ones."""

    def listing(self) -> Iterator[Player]:
        """Yield every player in order of userid."""

    def add(
        self, userid: str, password_hash: str, addresses: Sequence[str], now: datetime
    ) -> Player:
        """Store an active player; raise NotAllowed if the userid is taken."""

    def password_hash(self, player: PlayerId) -> str:
        """Return the argon2 hash."""

    def set_password_hash(self, player: PlayerId, password_hash: str) -> None: ...

    def set_addresses(self, player: PlayerId, addresses: Sequence[str]) -> None:
        """Replace the addresses, the first being where mails go."""

    def set_state(self, player: PlayerId, state: PlayerState) -> None: ...


class Signups(Protocol):
    """Requests for accounts."""

    def add(self, userid: str, password_hash: str, address: str, now: datetime) -> Signup: ...

    def get(self, signup: int) -> Signup | None: ...

    def latest(self, address: str) -> Signup | None:
        """Return the last one made for `address`."""

    def confirm(self, signup: int, now: datetime) -> None: ...


class Matches(Protocol):
    """Matches with their logs and snapshots."""

    def get(self, number: int) -> tuple[Match, Snapshot | None] | None:
        """Return the match of that board number with its whole log."""

    def add(self, match: Match, snapshot: Snapshot, to_move: Sequence[int]) -> None: ...

    def save(self, before: Match, after: Match, snapshot: Snapshot, to_move: Sequence[int]) -> None:
        """Write what changed: entries of the log past those of `before`, seats, outcome, clock.

        Raises Conflict unless the stored version is `before.version`; stores one more.
        """

    def set_snapshot(self, number: int, snapshot: Snapshot) -> None:
        """Replace the cache, as `pbm verify --repair` does."""

    def numbers(self) -> Iterator[int]:
        """Yield every board number in order, few at a time."""

    def listing(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
        limit: int = 200,
    ) -> tuple[MatchRow, ...]:
        """Return rows in order of number: of `game`, with any of `players`; `to_move`: at turn."""


class Invitations(Protocol):
    """Matches that wait for agreement."""

    def get(self, number: int) -> Invitation | None: ...

    def add(self, invitation: Invitation) -> None: ...

    def save(self, invitation: Invitation) -> None:
        """Write `agreed` and `state`."""

    def open_for(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that have a seat for `player`, oldest first."""


class Inbox(Protocol):
    """Mails taken and not yet played; intake writes them through `pbm.service.intake.Inbox`."""

    def claim(self, limit: int) -> tuple[WaitingMail, ...]:
        """Return up to `limit` waiting mails, oldest first, that no other worker holds.

        They are held until the unit of work ends; on PostgreSQL by FOR UPDATE SKIP LOCKED.
        """

    def done(self, mail: int) -> None:
        """Mark it played and delete its bytes; its content key stays, so a repeat does nothing."""

    def shunt(self, mail: int, error: str, now: datetime) -> None:
        """Move it to the shunt."""

    def waiting(self) -> int:
        """Return how many wait."""


class Shunt(Protocol):
    """Mails that met a bug, kept until the operator has decided."""

    def listing(self) -> tuple[ShuntedMail, ...]: ...

    def get(self, mail: int) -> ShuntedMail | None: ...

    def retry(self, mail: int) -> None:
        """Move it back to the inbox."""

    def drop(self, mail: int) -> None: ...


class Outbox(Protocol):
    """Mails composed and not yet taken by the relay."""

    def add(self, mails: Sequence[OutgoingMail], now: datetime) -> None: ...

    def claim(
        self, limit: int, owner: str, now: datetime, until: datetime
    ) -> tuple[WaitingDelivery, ...]:
        """Lease up to `limit` mails due at `now`, oldest first, to `owner` until `until`."""

    def release(self, owner: str) -> None:
        """Give up the leases of an owner that is known to be dead."""

    def owners(self) -> tuple[str, ...]:
        """Return who holds leases."""

    def sent(self, deliveries: Sequence[int], now: datetime) -> None:
        """Mark them sent and delete their bytes."""

    def deferred(self, delivery: int, error: str, next_try_at: datetime) -> None: ...

    def dead(self, delivery: int, error: str) -> None:
        """Give one up; it stays listed for the operator."""

    def next_due(self) -> datetime | None:
        """Return when the earliest waiting mail is due."""

    def listing(self, limit: int = 200) -> tuple[OutboxRow, ...]:
        """Return what waits or is dead, oldest first."""

    def retry(self, delivery: int, now: datetime) -> bool:
        """Make one due at once, a dead one alive again; False if there is none."""

    def drop(self, delivery: int) -> bool:
        """Forget one; False if there is none."""


class UnitOfWork(Protocol):
    """One transaction. Leaving the `with` block without `commit` rolls everything back."""

    @property
    def players(self) -> Players: ...
    @property
    def signups(self) -> Signups: ...
    @property
    def matches(self) -> Matches: ...
    @property
    def invitations(self) -> Invitations: ...
    @property
    def inbox(self) -> Inbox: ...
    @property
    def shunt(self) -> Shunt: ...
    @property
    def outbox(self) -> Outbox: ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *details: object) -> None: ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that can fail alone: an exception rolls back to its beginning and goes on up."""

    def next_number(self) -> int:
        """Return the next board number of the server, from 101; each is given once."""

    def tally(self, key: str, window: datetime) -> int:
        """Count one more event under `key` in the `window` that began then; return the count."""

    def tallied(self, key: str, window: datetime) -> int:
        """Return the count under `key` in that window without adding to it."""

    def prune(self, before: datetime) -> int:
        """Forget mails played and sent, and tallies, of before then; return how many rows."""

    def commit(self) -> None: ...


class Passwords(Protocol):
    """Password hashing (argon2id, slow on purpose)."""

    def hash(self, password: str) -> str: ...

    def verify(self, password_hash: str, password: str) -> bool: ...


class Chance(Protocol):
    """The one source of randomness."""

    def new_id(self) -> str:
        """Return a word of 24 small letters and digits that nobody can guess."""

    def shuffled(self, players: Sequence[PlayerId]) -> tuple[PlayerId, ...]: ...

    def seed(self) -> int:
        """Return a seed for a game's setup, 0 to 2**31 - 1."""
