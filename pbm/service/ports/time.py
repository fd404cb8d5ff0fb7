"""The store's part for time: pauses, signs of life, news for everybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import PlayerId


class Pauses(Protocol):
    """The spans in which clocks stand, of a player or of everybody."""

    def add(
        self,
        kind: PauseKind,
        began_at: datetime,
        until: datetime | None,
        player: PlayerId | None = None,
    ) -> Pause: ...

    def end(self, pause: int, until: datetime) -> None:
        """Give a pause another end, which is to be told anew.

        Whoever makes it earlier, or known, calls `Matches.look_soon` as well.
        """

    def of(self, player: PlayerId | None) -> tuple[Pause, ...]:
        """Return the pauses of a player, or those of everybody, in the order of their beginning."""

    def ended(self, kind: PauseKind, now: datetime) -> tuple[Pause, ...]:
        """Return those whose end has come by `now` and has not been told, the earliest first."""

    def told(self, pause: int) -> None:
        """Remember that the end has been told."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: by `good_until` the next one comes, or else it was an outage.

    `failing`: no sign is given, because what it stands for does not work just now.
    """

    name: str
    at: datetime
    good_until: datetime
    failing: bool = False


class Pulses(Protocol):
    """Signs of life of the parts of the server, by name."""

    def all(self) -> tuple[Pulse, ...]: ...

    def held(self) -> tuple[Pulse, ...]:
        """Return all; nobody else changes one of them until the unit of work ends."""

    def beat(self, name: str, at: datetime, good_for: timedelta) -> None:
        """Store a sign of life, in place of an earlier one."""

    def set_failing(self, name: str, at: datetime, *, failing: bool) -> None:
        """Say whether signs are to be given; one that was never seen is stored as of `at`."""


class News(StrEnum):
    """What is told to everybody who plays."""

    OUTAGE = "outage"
    STOPPED = "stopped"  # the operator has stopped all clocks
    RESUMED = "resumed"
    CORRECTED = "corrected"  # the clock of the server was wrong, and so were deadlines


@dataclass(frozen=True, slots=True)
class Announcement:
    """News on their way to all players; those up to `told_up_to` have been told."""

    id: int
    news: News
    pause: Pause
    told_up_to: PlayerId


class Announcements(Protocol):
    """News for everybody, told in parts, in the order in which they were made."""

    def add(self, news: News, pause: int, now: datetime) -> None:
        """Have `news` of a pause told, in place of news of it that are still on their way."""

    def next(self) -> Announcement | None:
        """Return the oldest that has not been told to all."""

    def progress(self, announcement: int, told_up_to: PlayerId) -> None: ...

    def done(self, announcement: int) -> None: ...

    def audience(self, after: PlayerId, limit: int) -> Sequence[PlayerId]:
        """Return active players with open boards whose id is above `after`, in order."""
