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
        """Give a pause another end, which must be told again.

        A caller that makes the end earlier, or known, also calls `Matches.look_soon`.
        """

    def of(self, player: PlayerId | None) -> tuple[Pause, ...]:
        """Return the pauses of a player, or those of everybody, in the order of their beginning."""

    def ended(self, kind: PauseKind, now: datetime) -> tuple[Pause, ...]:
        """Return the pauses whose end has come by `now` and is untold, the earliest first."""

    def told(self, pause: int) -> None:
        """Remember that the end has been told."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: the next one comes by `good_until`, or there is an outage.

    `failing`: no sign is given, because the part does not work just now.
    """

    name: str
    at: datetime
    good_until: datetime
    failing: bool = False


class Pulses(Protocol):
    """Signs of life of the parts of the server, by name."""

    def all(self) -> tuple[Pulse, ...]: ...

    def held(self) -> tuple[Pulse, ...]:
        """Return all of them; nobody else can change one until the unit of work ends."""

    def beat(self, name: str, at: datetime, good_for: timedelta) -> None:
        """Store a sign of life, in place of an earlier one."""

    def set_failing(self, name: str, at: datetime, *, failing: bool) -> None:
        """Store whether a part is failing; one that was never seen is stored as of `at`."""


class News(StrEnum):
    """What all players are told: a text of the operator, or that all clocks stand or stood."""

    WRITTEN = "written"
    OUTAGE = "outage"
    STOPPED = "stopped"  # the operator has stopped all clocks
    RESUMED = "resumed"
    CORRECTED = "corrected"  # the clock of the server was wrong, and so were deadlines


@dataclass(frozen=True, slots=True)
class Announcement:
    """News on its way to all players; those up to `told_up_to` have been told.

    What is WRITTEN has a `subject` and a `text`, all else a `pause`.
    """

    id: int
    news: News
    pause: Pause | None
    told_up_to: PlayerId
    subject: str = ""
    text: str = ""


class Announcements(Protocol):
    """News for everybody, told in parts, in the order in which they were made."""

    def add(
        self, news: News, pause: int | None, now: datetime, *, subject: str = "", text: str = ""
    ) -> None:
        """Announce `news`; of a pause, in place of news of it that is still on its way."""

    def next(self) -> Announcement | None:
        """Return the oldest one that has not been told to everybody."""

    def progress(self, announcement: int, told_up_to: PlayerId) -> None: ...

    def done(self, announcement: int) -> None: ...

    def audience(self, after: PlayerId, limit: int) -> Sequence[PlayerId]:
        """Return active players with open boards whose id is above `after`, in order."""
