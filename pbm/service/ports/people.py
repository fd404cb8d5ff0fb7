"""What is stored of players: accounts, addresses, ratings, preferences, robots."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.confirmations import ConfirmationKind, ConfirmationRequest, Declined, Signup
from pbm.domain.invitations import Seek, Stance
from pbm.domain.player import Player, PlayerId, PlayerKind, PlayerState
from pbm.domain.ratings import Rating
from pbm.domain.robots import Brain, Thought, ThoughtKind


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of a rating list of people; `active` counts open boards of the game."""

    player: PlayerId
    userid: str
    rating: Rating
    active: int
    limit: int | None
    seeking: int


class Players(Protocol):
    """Players, their addresses and password hashes."""

    def by_userid(self, userid: str) -> Player | None:
        """Return the player of that name in any case."""

    def by_ids(self, ids: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        """Return the players by id, in one query."""

    def by_address(self, address: str) -> tuple[Player, ...]:
        """Return the active players who have confirmed `address` (in any case)."""

    def owners(self, address: str) -> tuple[Player, ...]:
        """Return the players in any state who have confirmed `address` (in any case)."""

    def has_mailbox(self, address: str, state: PlayerState) -> bool:
        """Return whether a player in `state` has an address of the same mailbox as `address`."""

    def similar(self, userid: str) -> tuple[str, ...]:
        """Return at most 200 userids with the same first letter, to look for near ones.

        Players who have left are not among them.
        """

    def lookalike(self, userid: str) -> str | None:
        """Return a userid that looks like this one, or is it; None if there is none.

        The userids of those who have left stay on their matches, and count.
        """

    def listing(self) -> Iterator[Player]:
        """Yield every player in order of userid."""

    def add(
        self,
        userid: str,
        password_hash: str,
        addresses: Sequence[str],
        now: datetime,
        kind: PlayerKind = PlayerKind.PERSON,
    ) -> Player:
        """Store an active player; raise NotAllowed if the userid is taken."""

    def password_hash(self, player: PlayerId) -> str:
        """Return the argon2 hash."""

    def set_password_hash(self, player: PlayerId, password_hash: str) -> None: ...

    def void_tokens(self, player: PlayerId, now: datetime) -> None:
        """Make all reply tokens worthless that were made for `player` until now."""

    def set_addresses(self, player: PlayerId, addresses: Sequence[str]) -> None:
        """Replace the addresses; mails go to the first. Kept addresses keep their failures."""

    def count_failure(self, address: str) -> Mapping[PlayerId, int]:
        """Count one more day on which mails to `address` (in any case) came back.

        Returns the days by account; an account where it is already off is left out.
        """

    def switch_off(self, player: PlayerId, address: str, now: datetime) -> None:
        """Send no more mails to `player` at this address."""

    def switch_on(self, player: PlayerId, address: str) -> None:
        """Send mails there again, and count its failures from zero."""

    def set_state(self, player: PlayerId, state: PlayerState) -> None: ...

    def set_setting(self, player: PlayerId, name: str, value: str | None) -> None:
        """Store one setting; None takes it back."""

    def all_active(self, *, after: PlayerId, limit: int) -> tuple[Player, ...]:
        """Return the first `limit` active players whose id is above `after`, in order."""

    def with_setting(
        self, name: str, value: str, *, after: PlayerId, limit: int
    ) -> tuple[Player, ...]:
        """Return active players with this setting, such as those who want broadcasts.

        They are the first `limit` whose id is above `after`, in order.
        """

    def with_any_setting(
        self, beginning: str, *, after: PlayerId, limit: int
    ) -> tuple[Player, ...]:
        """Return active players with a setting whose name begins so.

        They are the first `limit` whose id is above `after`, in order.
        """

    def count_with_setting(self, name: str, value: str) -> int:
        """Return how many active players have this setting."""


class Signups(Protocol):
    """Requests for accounts."""

    def add(
        self,
        userid: str,
        password_hash: str,
        address: str,
        now: datetime,
        further: Sequence[str] = (),
    ) -> Signup: ...

    def get(self, signup: int) -> Signup | None: ...

    def latest(self, address: str) -> Signup | None:
        """Return the last one made for `address`."""

    def confirm(self, signup: Signup, now: datetime) -> None:
        """Mark it as confirmed, and with it all others made for its address: they open nothing."""

    def forget(self, address: str) -> None:
        """Drop every request made for `address`."""


class LeftAlone(Protocol):
    """Mailboxes, as digests, whose owners want no mail from us."""

    def add(self, mailbox: str, now: datetime, *, proven: bool) -> None:
        """Leave that mailbox alone from `now` on; what was proven once stays so.

        It gets no more mails, even if a signup came from there lately.
        """

    def find(self, mailbox: str) -> Declined | None:
        """Return how that mailbox is left alone; None if it is not."""

    def save(self, mailbox: str, declined: Declined) -> None:
        """Store what has become of a mailbox that is left alone."""

    def remove(self, mailbox: str) -> None: ...


class Confirmations(Protocol):
    """What waits for a reply from an account's address."""

    def add(
        self, kind: ConfirmationKind, player: PlayerId, address: str, now: datetime
    ) -> ConfirmationRequest: ...

    def get(self, request: int) -> ConfirmationRequest | None: ...

    def of(self, player: PlayerId) -> tuple[ConfirmationRequest, ...]:
        """Return the last 100 confirmation requests of a player, done or not, the newest first."""

    def latest(self, address: str) -> ConfirmationRequest | None:
        """Return the last one that `address` (in small letters) was asked to confirm."""

    def done(self, request: int, now: datetime) -> None: ...

    def forget(self, player: PlayerId) -> None:
        """Drop a player's confirmation requests, and the addresses in them."""


class Ratings(Protocol):
    """Ratings by game."""

    def of(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Rating]:
        """Return the stored ratings; players without one are left out."""

    def all_of(self, player: PlayerId) -> dict[str, Rating]:
        """Return a player's ratings by game."""

    def save(self, game: str, player: PlayerId, before: Rating | None, after: Rating) -> None:
        """Store `after`; raise Conflict unless `before` is stored, or nothing if that is None."""

    def standings(self, game: str, limit: int = 200) -> tuple[StandingRow, ...]:
        """Return the rated active players, the highest first, with all that the list shows."""


class Wishes(Protocol):
    """Standing answers and seeks."""

    def stances(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Stance]:
        """Return what has been set; players who have set nothing are left out."""

    def set_stance(self, game: str, player: PlayerId, stance: Stance) -> None: ...

    def active_boards(self, game: str, player: PlayerId) -> int:
        """Return how many open boards of the game the player has."""

    def seeks(self, game: str | None = None) -> tuple[Seek, ...]:
        """Return the open seeks of active players, oldest first."""

    def seeks_of(self, player: PlayerId) -> tuple[Seek, ...]:
        """Return the seeks of a player in order of game."""

    def seeks_since(self, until: datetime, limit: int) -> tuple[Seek, ...]:
        """Return seeks made by `until`, the oldest first, even of players who cannot play."""

    def seek(self, number: int) -> Seek | None:
        """Return the open seek of that number, of an active player."""

    def take_seek(self, seek: Seek) -> None:
        """Count one match less; the seek is over with the last of them.

        Raises Conflict unless it is stored with the count that it has here.
        """

    def set_seek(self, seek: Seek) -> None:
        """Store a player's seek for its game in place of an earlier one; count 0 removes it."""


Subject = int | str
"""A subject to follow: the board of that number, or all boards of the game of that key."""


class Followers(Protocol):
    """Who follows boards, or all boards of a game, without playing there."""

    def of(self, number: int, game: str | None) -> dict[PlayerId, bool]:
        """Return the followers of a board, and of its game; True for those who want only its end.

        None for the game: only those of the board itself. Who follows the board or its game wants
        all of it, whatever else they have asked for.
        """

    def choice(self, player: PlayerId, subject: Subject) -> bool | None:
        """Return whether the player wants only the end of it; None if they do not follow it."""

    def follow(self, player: PlayerId, subject: Subject, *, only_end: bool = False) -> None:
        """Follow a board, or all of a game; if repeated, the last `only_end` counts."""

    def unfollow(self, player: PlayerId, subject: Subject) -> bool:
        """Stop following it; return False if the player did not follow it."""

    def followed_by(self, player: PlayerId) -> tuple[str, ...]:
        """Return what a player follows: board numbers and keys of games, as text."""


class Blocks(Protocol):
    """The players whose words other players do not want."""

    def block(self, player: PlayerId, blocked: PlayerId) -> bool:
        """Let no word of `blocked` reach `player`; return False if it is so already."""

    def unblock(self, player: PlayerId, blocked: PlayerId) -> bool:
        """End that; return False if there was no block."""

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """Return whom `player` blocks."""

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """Return those who block `player`."""

    def forget(self, player: PlayerId) -> None:
        """Drop a player's blocks, and those of others against them."""


@dataclass(frozen=True, slots=True)
class ThoughtCounts:
    """Thoughts that are due and wait, those being thought, and since when the oldest waits."""

    waiting: int
    held: int
    oldest: datetime | None


class Robots(Protocol):
    """The brains of the players who are robots."""

    def all(self) -> Mapping[PlayerId, Brain]:
        """Return them all; a server has few."""

    def get(self, player: PlayerId) -> Brain | None: ...

    def boards_with(self, player: PlayerId) -> int:
        """Return on how many boards that are not over `player` sits with a robot."""

    def save(self, player: PlayerId, brain: Brain) -> None:
        """Add the brain of a new robot, or replace one."""


def tally_of(payer: PlayerId) -> str:
    """Return the key of the tally of milliseconds that were thought for `payer`, by day."""
    return f"{TALLY}{payer}"


TALLY = "thinking:"
"""How the keys of these tallies begin."""


class Thoughts(Protocol):
    """What there is to think about. The same waits once, however often it is asked."""

    def add(
        self,
        kind: ThoughtKind,
        number: int,
        player: PlayerId,
        now: datetime,
        payer: PlayerId | None = None,
    ) -> None:
        """Ask. It is thought in the share of `payer`, who is `player` if nobody is named.

        What is asked already is thought about anew if it is being thought about now, because what
        was found may be out of date.
        """

    def claim(self, owner: str, now: datetime, day: datetime) -> Thought | None:
        """Return what comes next of what is due, which is `owner`'s from the commit on.

        First come those for whom least was thought since `day`, and of these what has waited
        longest.
        """

    def done(self, thought: Thought) -> bool:
        """Forget a claimed thought that is carried out; return False if it was taken away.

        If it was asked again since it was claimed, it waits again, and is due now.
        """

    def put_off(self, thought: Thought, due_at: datetime, tries: int = 0) -> bool:
        """Give a claimed thought back, to be looked at again from `due_at` on, after `tries`.

        Return False if it was taken away.
        """

    def owners(self) -> tuple[str, ...]:
        """Return who thinks about anything now."""

    def release(self, owner: str) -> None:
        """Give back all that `owner` thinks about."""

    def counts(self, now: datetime) -> ThoughtCounts: ...
