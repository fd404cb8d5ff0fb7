"""A match: what was agreed, who sits where, and the log that is its truth."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from itertools import pairwise
from typing import Any

from pbm.domain.errors import UnknownName
from pbm.domain.logs import Entry, EntryKind, Log
from pbm.domain.numbers import whole_number
from pbm.domain.pauses import Pause
from pbm.domain.player import PlayerId
from pbm.domain.ratings import RatingChange
from pbm.engine import Seat, Setup, Turn, listing, near, quote

FIRST_NUMBER = 101
"""The first board number of a server."""


class Ending(StrEnum):
    """Why a match is over, by rule or otherwise."""

    RULES = "rules"
    RESIGNED = "resigned"
    AGREED = "agreed"  # a draw
    FORFEITED = "forfeited"  # somebody's time ran out
    DECLINED = "declined"  # resigned before the player's first move: no result
    ADJUDICATED = "adjudicated"
    CLOSED = "closed"  # by the operator, without a result


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. No winners: a draw, or no result at all if declined or closed.

    `reason` is the game's slug if the rules ended it, otherwise "". `ratings` is what it did
    to the players' ratings, by seat; () if it was not rated.
    """

    ending: Ending
    winners: tuple[Seat, ...] = ()
    reason: str = ""
    scores: tuple[int, ...] | None = None
    ratings: tuple[RatingChange, ...] = ()

    @property
    def counts(self) -> bool:
        """True if it is a win or a draw, not a match without a result."""
        return self.ending not in (Ending.DECLINED, Ending.CLOSED)


@dataclass(frozen=True, slots=True)
class Terms:
    """What players agree on besides the game's own options. Times are in days."""

    nag_days: int = 7
    forfeit_days: int = 21
    total_days: int | None = None
    rated: bool = True
    draw_seats: bool = False

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Terms":
        """Return the terms for match options such as {"nagtime": "7", "unrated": ""}.

        A nagtime that is not given is 7 days, or a third of a forfeittime below three weeks.
        Raises UnknownName for an option or a value that does not exist.
        """
        terms = cls()
        for name, value in given.items():
            terms = _read_term(terms, name.lower(), value)
        fitting = max(1, min(cls().nag_days, terms.forfeit_days // 3))
        if not any(name.lower() == "nagtime" for name in given):
            terms = replace(terms, nag_days=fitting)
        if terms.nag_days >= terms.forfeit_days:
            raise UnknownName(
                f"The nagtime, {terms.nag_days} here, must be less than the forfeittime, which is "
                f"{terms.forfeit_days}: --nagtime={fitting} --forfeittime="
                f"{max(2, terms.forfeit_days)} would do.",
                _TERMS_HELP,
            )
        return terms

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a line that ask for these terms, without those for the defaults."""
        usual = Terms()
        days = (
            f"--{name}={getattr(self, field)}"
            for name, field in _DAYS.items()
            if getattr(self, field) != getattr(usual, field)
        )
        unrated = () if self.rated else ("--unrated",)
        drawn = ("--seat=random",) if self.draw_seats else ()
        return (*days, *unrated, *drawn)


_TERMS_HELP = "help challenge"
_DAYS = {"nagtime": "nag_days", "forfeittime": "forfeit_days", "totaltime": "total_days"}
_WORDS: Mapping[str, Mapping[str, dict[str, bool]]] = {
    "rated": {"": {"rated": True}, "yes": {"rated": True}, "no": {"rated": False}},
    "unrated": {"": {"rated": False}, "yes": {"rated": False}, "no": {"rated": True}},
    "seat": {"random": {"draw_seats": True}, "given": {"draw_seats": False}},
}
"""For each option that takes a word: the words, and what each of them changes."""


def _read_term(terms: Terms, name: str, value: str) -> Terms:
    if name in _DAYS:
        days = whole_number(value, 3650)
        if not days:
            raise UnknownName(f"--{name} is a number of days from 1 to 3650.", _TERMS_HELP)
        changed: dict[str, Any] = {_DAYS[name]: days}
        return replace(terms, **changed)
    words = _WORDS.get(name)
    if words is None:
        known = [f"--{option}" for option in (*_DAYS, *_WORDS)]
        meant = near(f"--{name}", known) or known
        raise UnknownName(
            f"There is no match option {quote('--' + name)}; "
            f"there is {listing(meant, last='and')}.",
            _TERMS_HELP,
        )
    if value.lower() not in words:
        raise UnknownName(f"--{name} can be {listing(filter(None, words))}.", _TERMS_HELP)
    return replace(terms, **words[value.lower()])


class Reminder(IntEnum):
    """How far a player to move has been reminded; the higher includes the lower."""

    NAG = 1
    WARNING = 2


@dataclass(frozen=True, slots=True)
class Reminded:
    """What a player to move has been told in this turn, and when their notice began."""

    last: Reminder
    at: datetime


@dataclass(frozen=True, slots=True)
class Match:
    """One match. `players` sit by seat now, `starters` sat by seat at the start.

    `turn_since` is when the clock of the player to move began to run, `reminded` what the players
    to move have been told since. `pauses` are those of its players and of the whole server since
    it began. `look_at` is when to look at its clock next (pbm.domain.timekeeping), None once it
    is over. `version` counts the saves, so that two workers cannot both write the same ply.
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
    pauses: tuple[Pause, ...] = ()
    look_at: datetime | None = None
    version: int = 0

    @property
    def plies(self) -> tuple[Entry, ...]:
        """The entries that stand: moves and swaps that no undo has taken back."""
        return self.log.plies

    @property
    def turns(self) -> Iterator[Turn]:
        """What a replay needs."""
        return (Turn(entry.seat, entry.text) for entry in self.plies if entry.seat is not None)

    def seating(self, ply: int) -> tuple[PlayerId, ...]:
        """Return who sat where after `ply` plies."""
        return seated(self.starters, self.plies[:ply])

    @property
    def undos(self) -> int:
        """How often moves were taken back."""
        return self.log.undos

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.outcome is not None

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """Return the seats that `player` has now."""
        return tuple([seat for seat, name in enumerate(self.players) if name == player])


def seated(starters: tuple[PlayerId, ...], plies: Sequence[Entry]) -> tuple[PlayerId, ...]:
    """Return who sits where after `plies`: by the pie rule the last two movers trade places."""
    players = list(starters)
    for before, entry in pairwise(plies):
        if entry.kind is EntryKind.SWAP and entry.seat is not None and before.seat is not None:
            own, other = entry.seat, before.seat
            players[own], players[other] = players[other], players[own]
    return tuple(players)


class InvitationState(StrEnum):
    """What became of an invitation."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"

    @property
    def fate(self) -> str:
        """What became of it, to follow its number in a sentence."""
        return _FATES[self]


_FATES = {
    InvitationState.OPEN: "waits for an answer",
    InvitationState.STARTED: "was accepted",
    InvitationState.DECLINED: "was declined",
    InvitationState.EXPIRED: "was not answered in time",
    InvitationState.WITHDRAWN: "was taken back",
}


@dataclass(frozen=True, slots=True)
class Invitation:
    """A match that not every player has agreed to yet; `number` will be its board's.

    `players` are by seat. `agreed` are those who have said yes.
    """

    number: int
    game: str
    setup: Setup
    terms: Terms
    players: tuple[PlayerId, ...]
    inviter: PlayerId
    agreed: frozenset[PlayerId]
    made_at: datetime
    state: InvitationState = InvitationState.OPEN

    @property
    def missing(self) -> tuple[PlayerId, ...]:
        """The players who have not agreed yet, by seat."""
        return tuple(p for p in self.players if p not in self.agreed)
