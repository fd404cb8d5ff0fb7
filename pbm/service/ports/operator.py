"""The store's part for the operator: what was done by hand, who is kept out, who is forgotten."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from pbm.domain.player import Player

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
