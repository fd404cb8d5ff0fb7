"""What is stored of boards, of what follows on them, and of time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from pbm.domain.invitations import Invitation
from pbm.domain.match import Match, Outcome
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.plans import QueuedMove
from pbm.domain.player import PlayerId


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored position: the state after `ply` plies, as canonical JSON. A cache, not the truth."""

    ply: int
    state: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A line of a table of boards; `ply` is the number of plies played, `to_move` are seats.

    `robots` are those of the `players` who are robots.
    """

    number: int
    game: str
    players: tuple[str, ...]
    ply: int
    to_move: tuple[int, ...]
    turn_since: datetime
    over: bool
    robots: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The players as lists show them."""
        return _marked(self.players, self.robots)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A finished match in a table; `players` by seat, `ply` the number of plies played.

    `robots` are those of the `players` who are robots.
    """

    number: int
    game: str
    players: tuple[str, ...]
    ply: int
    outcome: Outcome
    ended_at: datetime
    robots: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The players as lists show them."""
        return _marked(self.players, self.robots)


def _marked(players: tuple[str, ...], robots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{each} (robot)" if each in robots else each for each in players)


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A finished match that was rated; `players` by seat."""

    number: int
    players: tuple[PlayerId, ...]
    outcome: Outcome
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class GameCounts:
    """What is played of a game: boards open and over, and players on the open ones."""

    open: int
    over: int
    players: int


class Matches(Protocol):
    """Matches with their logs and snapshots."""

    def get(self, number: int) -> tuple[Match, Snapshot | None] | None:
        """Return the match of that board number with its whole log."""

    def add(self, match: Match, snapshot: Snapshot, to_move: Sequence[int]) -> None: ...

    def save(
        self, before: Match, after: Match, snapshot: Snapshot, to_move: Sequence[int]
    ) -> Match:
        """Write what changed: entries of the log past those of `before`, seats, outcome, clock.

        Pauses are read with a match and never written with it.

        Raises Conflict unless the stored version is `before.version`; stores one more, and returns
        `after` with that.
        """

    def mend(self, number: int, snapshot: Snapshot) -> None:
        """Replace what only saves time by what the log says, as `pbm verify --repair` does.

        That are the snapshot, and the counts of what comes before the end of the log.
        """

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

    def count(
        self,
        game: str | None = None,
        players: Sequence[PlayerId] = (),
        *,
        over: bool | None = None,
        to_move: bool = False,
    ) -> int:
        """Return how many rows `listing` would have without a limit."""

    def history(
        self, game: str | None, players: Sequence[PlayerId], *, limit: int
    ) -> tuple[HistoryRow, ...]:
        """Return finished matches, of `game`, with any of `players`, the newest first."""

    def rated_after(self, game: str, at: datetime, number: int) -> Iterator[RatedRow]:
        """Yield the rated matches of a game that ended after match `number`, which did at `at`.

        They come in the order in which they ended.
        """

    def set_outcome(self, number: int, outcome: Outcome) -> None:
        """Replace how a match ended; who has read it before cannot save it any more."""

    def clocks(self, numbers: Sequence[int]) -> Mapping[int, Match]:
        """Return these matches with what their clocks need, by number; not for anything else.

        A log holds no words, and without a totaltime no plies.
        """

    def look_due(self, now: datetime, limit: int) -> tuple[int, ...]:
        """Return the boards whose clocks are due for a look by `now`, the most urgent first."""

    def look_due_of(self, player: PlayerId, until: datetime) -> tuple[int, ...]:
        """Return the boards due for a look by `until` where `player` is to move."""

    def set_look(self, match: Match, at: datetime | None) -> None:
        """Store when to look at the clock of a match next, unless it has been saved since."""

    def skip_look(self, number: int, at: datetime) -> None:
        """Store when to look next at a board that cannot be loaded."""

    def look_soon(self, player: PlayerId | None, now: datetime) -> None:
        """Make the clocks of all open boards of `player`, or everybody, due for a look at `now`."""

    def census(self) -> Mapping[str, GameCounts]:
        """Return what is played of each game; games never played are left out."""


class Invitations(Protocol):
    """Matches that wait for agreement."""

    def get(self, number: int) -> Invitation | None: ...

    def add(self, invitation: Invitation) -> None: ...

    def save(self, invitation: Invitation) -> None:
        """Write `agreed` and `state`; raise Conflict unless it is stored as an open one."""

    def open_for(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that have a seat for `player`, oldest first."""

    def open_by(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that `player` has made, oldest first."""

    def open_since(self, until: datetime, limit: int) -> tuple[Invitation, ...]:
        """Return open invitations that were made by `until`, oldest first."""


class Plans(Protocol):
    """What a player keeps for a board: queued moves, and a move submitted to be confirmed."""

    def queued(self, number: int, player: PlayerId) -> tuple[QueuedMove, ...]:
        """Return the moves in the order in which they were given."""

    def set_queued(self, number: int, player: PlayerId, moves: Sequence[QueuedMove]) -> None:
        """Replace them all."""

    def queuers(self, number: int) -> frozenset[PlayerId]:
        """Return the players who have moves queued on the board."""

    def submitted(self, number: int, player: PlayerId) -> tuple[int, str] | None:
        """Return (the ply it was meant for, the move), or None."""

    def set_submitted(self, number: int, player: PlayerId, move: tuple[int, str] | None) -> None:
        """Keep one move, or none."""


class FollowUpKind(StrEnum):
    """The kinds of work that go on after the mail that began it."""

    BOARD = "board"
    BROADCAST = "broadcast"
    LEAVING = "leaving"
    SEEK = "seek"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Work that a mail began: whatever it is about, all up to `done_up_to` is done.

    `player` is who began it, None for the operator and for time; `number` is the board that it is
    about, if any. `facts` are plain values, whose names each kind knows.
    """

    id: int
    kind: FollowUpKind
    player: PlayerId | None
    number: int | None
    facts: Mapping[str, Any]
    done_up_to: int = 0


class FollowUps(Protocol):
    """The follow-up jobs, the oldest first."""

    def add(
        self,
        kind: FollowUpKind,
        player: PlayerId | None,
        now: datetime,
        *,
        number: int | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None: ...

    def not_begun(self, kind: FollowUpKind, number: int) -> FollowUp | None:
        """Return the newest one of this kind and board if nothing of it is done, and none does it.

        It is ours until the transaction ends.
        """

    def change(self, follow_up: int, facts: Mapping[str, Any]) -> None: ...

    def wait(self) -> bool:
        """Return whether there is one, without claiming it."""

    def claim(self) -> FollowUp | None:
        """Return the oldest one that no other worker has; it is ours until the transaction ends."""

    def progress(self, follow_up: int, done_up_to: int) -> None: ...

    def done(self, follow_up: int) -> None: ...


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
