"""The store's part for matches, invitations, and what is kept for a turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbm.domain.invitations import Invitation
from pbm.domain.match import Match, Outcome
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
