"""The values and errors that the core shares with the store, and the ports of chance and passwords.

Times are aware datetimes in UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from pbm.domain.match import Outcome
from pbm.domain.pages import board_path
from pbm.domain.pauses import Pause
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import from_json, from_plain, frozen


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The rows that mails are likely to ask for."""

    boards: frozenset[int] = frozenset()
    players: frozenset[PlayerId] = frozenset()
    addresses: frozenset[str] = frozenset()


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


@frozen
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


class BoardRow(NamedTuple):
    """A match as web pages list it; `players` by seat, `stored_outcome` is JSON or None."""

    number: int
    game: str
    rules_version: int
    version: int
    ply: int
    started_at: datetime
    turn_since: datetime
    ended_at: datetime | None
    stored_outcome: str | None
    players: tuple[PlayerId, ...]
    to_move: tuple[int, ...]

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.stored_outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result."""
        return _outcome(self.stored_outcome) if self.stored_outcome else None

    @property
    def started_on(self) -> date:
        """The day of its beginning."""
        return self.started_at.date()

    @property
    def moved_on(self) -> date:
        """The day of the last move, or of the end."""
        return (self.ended_at or self.turn_since).date()

    @property
    def path(self) -> str:
        """The address of its page below the root of the site."""
        return board_path(self.number)


# A list of results is made again when one is added.
@lru_cache(20_000)
def _outcome(text: str) -> Outcome:
    outcome: Outcome = from_plain(Outcome, from_json(text))
    return outcome


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
    """Counts of a game: boards open and over, and players on the open ones."""

    open: int
    over: int
    players: int


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


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: the next one comes by `good_until`, or there is an outage.

    `failing`: no sign is given, because the part does not work just now.
    """

    name: str
    at: datetime
    good_until: datetime
    failing: bool = False


class News(StrEnum):
    """The news for all players: a text of the operator, or that all clocks stop or run again."""

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


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of a rating list of people; `active` counts open boards of the game."""

    player: PlayerId
    userid: str
    rating: Rating
    active: int
    limit: int | None
    seeking: int


Subject = int | str
"""A subject to follow: the board of that number, or all boards of the game of that key."""


@dataclass(frozen=True, slots=True)
class ThoughtCounts:
    """Thoughts that are due and wait, those being thought, and since when the oldest waits."""

    waiting: int
    held: int
    oldest: datetime | None


NEWCOMERS, NEWCOMER_FOR = "newcomers", timedelta(days=7)
"""All whose account is younger than that come next as if they were one person: it costs little."""


def tally_of(payer: PlayerId | str) -> str:
    """Return the key of the tally of milliseconds that were thought for `payer`, by day."""
    return f"{TALLY}{payer}"


TALLY = "thinking:"
"""The beginning of the keys of these tallies."""


Facts = Mapping[str, Any]
"""Facts about something, before or after, as plain values without secrets."""


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


@dataclass(frozen=True, slots=True)
class BanRow:
    """A pattern of addresses that are kept out."""

    pattern: str
    made_at: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Traces:
    """The names of a person: userid, all known addresses, and the name to put in their place."""

    player: Player
    addresses: tuple[str, ...]
    anonymous: str


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """Boards of a game: open and over now, and those `started` and `ended` recently."""

    open: int
    over: int
    started: int
    ended: int


@dataclass(frozen=True, slots=True)
class MailCounts:
    """Mails in the shunt and given up, and those `taken` in and `sent` recently."""

    shunted: int
    taken: int
    waiting: int
    dead: int
    sent: int


@dataclass(frozen=True, slots=True)
class LookCounts:
    """The number of boards due for a look by now, and when the `next` one is, or was, due."""

    due: int
    next: datetime | None
