"""A match: its terms, its players by seat, its log, and what was said in it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from itertools import pairwise
from typing import TypeVar

from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind, Log, LogEntry, keep
from pbm.domain.pauses import Pause
from pbm.domain.player import People, PlayerId, fold_userid
from pbm.domain.ratings import RatingChange
from pbm.engine import AnyGame, Seat, Setup, Turn, frozen

FIRST_NUMBER = 101
"""The first board number of a server."""


class Ending(StrEnum):
    """The reason why a match is over."""

    RULES = "rules"
    RESIGNED = "resigned"
    AGREED = "agreed"  # a draw
    FORFEITED = "forfeited"  # somebody's time ran out
    DECLINED = "declined"  # resigned before the player's first move: no result
    ADJUDICATED = "adjudicated"
    CLOSED = "closed"  # by the operator, without a result
    ABANDONED = "abandoned"  # a seat is empty, and the game cannot go on: no result


@frozen
class Outcome:
    """The result of a match. Without winners it is a draw, or no result if declined or closed.

    `reason` is the game's slug if the rules ended it, otherwise "". `places` are by seat, from 1,
    if more is known than who won. `ratings` is what it did to the players' ratings, by seat; () if
    it was not rated.
    """

    ending: Ending
    winners: tuple[Seat, ...] = ()
    reason: str = ""
    scores: tuple[int, ...] | None = None
    ratings: tuple[RatingChange, ...] = ()
    places: tuple[int, ...] | None = None

    @property
    def counts(self) -> bool:
        """True if it is a win or a draw, not a match without a result."""
        return self.ending not in (Ending.DECLINED, Ending.CLOSED, Ending.ABANDONED)

    def order(self, seats: int) -> tuple[int, ...]:
        """Return the place of each of so many seats; if only winners are known, all others tie."""
        first = self.winners or range(seats)
        return self.places or tuple(1 if seat in first else 2 for seat in range(seats))


class Reminder(IntEnum):
    """The last reminder that a player to move has got; the higher includes the lower."""

    NAG = 1
    WARNING = 2


@frozen
class Reminded:
    """The last reminder of a player to move in this turn, and when their notice began."""

    last: Reminder
    at: datetime


@frozen
class SealedChoice:
    """A turn of a seat that nobody else knows until all have chosen, with the words sent with it.

    It was chosen, for the first time, `at` this moment.
    """

    text: str
    at: datetime
    comment: str = ""


@frozen
class Match:
    """One match. `players` sit by seat now, `starters` sat by seat at the start.

    `turn_since` is when the clock of the player to move began to run, and `reminded` the reminders
    since then. `sealed` has by seat what was chosen in secret, until all have chosen. `pauses` are
    those of its players and of the whole server since it began. `look_at` is when to look at its
    clock next (pbm.domain.timekeeping), None once it is over. `version` counts the saves, so that
    two workers cannot both write the same ply.
    """

    number: int
    game: str
    rules_version: int
    setup: Setup
    terms: Terms
    starters: tuple[PlayerId, ...]
    players: tuple[PlayerId, ...]
    started_at: datetime
    turn_since: datetime
    log: Log = field(default_factory=Log)
    outcome: Outcome | None = None
    ended_at: datetime | None = None
    reminded: Mapping[PlayerId, Reminded] = field(default_factory=dict)
    sealed: Mapping[Seat, SealedChoice] = field(default_factory=dict)
    pauses: tuple[Pause, ...] = ()
    look_at: datetime | None = None
    version: int = 0

    @property
    def plies(self) -> tuple[LogEntry, ...]:
        """The moves and swaps that no undo has taken back."""
        return self.log.plies

    @property
    def turns(self) -> Iterator[Turn]:
        """The turns to replay."""
        return (Turn(entry.seat, entry.text) for entry in self.plies if entry.seat is not None)

    def seating(self, ply: int) -> tuple[PlayerId, ...]:
        """Return the players by seat after `ply` plies."""
        return seated(self.starters, self.plies[:ply])

    @property
    def gone(self) -> frozenset[Seat]:
        """The seats that are empty, because their players have left a match of three or more."""
        if len(self.players) == 2:
            return frozenset()
        left = (each.seat for each in self.plies if each.kind is EntryKind.LEAVE)
        return frozenset(seat for seat in left if seat is not None)

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.outcome is not None

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """Return the seats that `player` has now."""
        return tuple([seat for seat, name in enumerate(self.players) if name == player])


def seated(starters: tuple[PlayerId, ...], plies: Sequence[LogEntry]) -> tuple[PlayerId, ...]:
    """Return the players by seat after `plies`; the pie rule exchanges the last two movers."""
    players = list(starters)
    for before, entry in pairwise(plies):
        if entry.kind is EntryKind.SWAP and entry.seat is not None and before.seat is not None:
            own, other = entry.seat, before.seat
            players[own], players[other] = players[other], players[own]
    return tuple(players)


M = TypeVar("M", bound=Match)

MOST_BLOCKED = 200
"""The most players that one player can block."""


@frozen
class Said:
    """Words that `by`, a userid, wrote on board `number`."""

    by: str
    number: int
    at: datetime
    text: str


def words_of(match: Match, people: People) -> tuple[Said, ...]:
    """Return all that was said at the board, oldest first; `people` has all who had a seat."""
    return tuple(
        Said(_userid(entry, player, people), match.number, entry.at, entry.comment)
        for entry, player in _authors(match)
        if entry.comment
    )


def comments_of(match: Match, player: PlayerId) -> dict[int, LogEntry]:
    """Return the entries of the log, by position, in which `player` says something."""
    authors = enumerate(_authors(match))
    return {at: entry for at, (entry, author) in authors if entry.comment and author == player}


def without_words_of(match: M, people: People, silent: Collection[str]) -> M:
    """Return the match without the words of the userids `silent`, but with what they did."""
    folded = set(map(fold_userid, silent))
    log = Log(
        replace(entry, comment="")
        if fold_userid(_userid(entry, player, people)) in folded
        else entry
        for entry, player in _authors(match)
    )
    return replace(match, log=log)


def _userid(entry: LogEntry, player: PlayerId | None, people: People) -> str:
    """Return the userid of the author of an entry, or "" for the operator."""
    if player is not None:
        return people[player].userid
    return entry.text if entry.kind is EntryKind.CHAT else ""


def _authors(match: Match) -> Iterator[tuple[LogEntry, PlayerId | None]]:
    """Yield each entry of the log with its player, or None for a follower or the operator.

    The seat of an entry is not enough, because the pie rule exchanges seats: a swap is made from
    the seat that its player had before it.
    """
    kept: list[LogEntry] = []
    players = match.starters
    for entry in match.log:
        yield entry, None if entry.seat is None else players[entry.seat]
        keep(kept, entry)
        if entry.kind in (EntryKind.SWAP, EntryKind.UNDO):
            players = seated(match.starters, kept)


def new_match(
    number: int,
    game: AnyGame,
    setup: Setup,
    terms: Terms,
    players: tuple[PlayerId, ...],
    now: datetime,
) -> Match:
    """Return a match of `game` that `players`, in the order of seats, begin now."""
    key, rules = game.info.key, game.info.rules_version
    return Match(number, key, rules, setup, terms, players, players, now, now)
