"""Invitations and seeks: the terms and sides that players ask for, and their standing answers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from pbm.domain.errors import UnknownName
from pbm.domain.player import PlayerId
from pbm.engine import Seat, Setup, fold, frozen, listing, near, quote

INVITATION_LASTS = timedelta(days=14)
"""The time after which an invitation is closed, unless everybody has answered."""

SEEK_LASTS = timedelta(days=30)
"""The time after which a seek is closed, unless it has found all players."""


_SPAN = r"([0-9]{1,5})(d|h)?"

_CLOCK = re.compile(rf"{_SPAN}(?:\+{_SPAN}(?:/{_SPAN})?)?")

_MOST_DAYS = 3650


@frozen
class Increment:
    """A clock that each own move winds: what is in hand at the start, what a move adds, the most.

    All are in hours.
    """

    start: int
    gain: int
    most: int

    def __str__(self) -> str:
        start, gain, most = (
            f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
            for hours in (self.start, self.gain, self.most)
        )
        return f"{start}+{gain}/{most}"


@frozen
class Terms:
    """The terms of a match besides the game's own options. Times are in days.

    With an increment there is no nagtime, forfeittime or totaltime.
    """

    nag_days: int = 7
    forfeit_days: int = 21
    total_days: int | None = None
    rated: bool = True
    draw_seats: bool = False
    increment: Increment | None = None

    @property
    def is_saved_up(self) -> bool:
        """Whether the time of a turn depends on all turns before it."""
        return self.total_days is not None or self.increment is not None

    def read(self, given: Mapping[str, str]) -> "Terms":
        """Return the terms for match options such as {"nagtime": "7", "unrated": ""}.

        What they do not say is as in these terms, the usual ones; but a time is a clock of its own.
        Without a nagtime it is 7 days, or a third of a forfeittime below three weeks.
        Raise UnknownName for an option or a value that does not exist.
        """
        named = {name.lower() for name in given}
        afresh = _TIME in named or (self.increment and named & _DAYS.keys())
        terms = Terms() if afresh else self
        for name, value in given.items():
            terms = _read_term(terms, name.lower(), value)
        if terms.increment:
            _check_alone(given)
            return terms
        fitting = _fitting(terms.forfeit_days)
        if "nagtime" not in named:
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
        """The words of a command that ask for these terms, whatever the usual ones are."""
        time = self.increment or f"{self.forfeit_days}d"
        fits = self.increment or self.nag_days == _fitting(self.forfeit_days)
        nag = () if fits else (f"--nagtime={self.nag_days}",)
        total = (f"--totaltime={self.total_days}",) if self.total_days else ()
        unrated = () if self.rated else ("--unrated",)
        drawn = ("--seat=random",) if self.draw_seats else ()
        return (f"--{_TIME}={time}", *nag, *total, *unrated, *drawn)


def _fitting(forfeit_days: int) -> int:
    """Return the nagtime that suits a forfeittime."""
    return max(1, min(Terms().nag_days, forfeit_days // 3))


_TERMS_HELP = "help challenge"

_TIME, _SEAT, _RATING = "time", "seat", "rating"

_DAYS = {"nagtime": "nag_days", "forfeittime": "forfeit_days", "totaltime": "total_days"}

_WORDS: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "rated": {"": {"rated": True}, "yes": {"rated": True}, "no": {"rated": False}},
    "unrated": {"": {"rated": False}, "yes": {"rated": False}, "no": {"rated": True}},
    _SEAT: {"random": {"draw_seats": True}, "given": {"draw_seats": False}},
}
"""The words that an option takes, and the changes that each makes."""


def _read_time(value: str) -> dict[str, Any]:
    """Return the change that "3d", a forfeittime, or "7d+12h/14d", an increment, makes to terms.

    Without a most in hand that is twice the start.
    """
    found = _CLOCK.fullmatch(value.lower())
    start, gain, most = (
        int(found[at] or 0) * (1 if found[at + 1] == "h" else 24) if found else 0
        for at in (1, 3, 5)
    )
    most = most or max(2 * start, gain)
    if gain and 24 <= start <= most <= 24 * _MOST_DAYS and gain <= most:
        return {"increment": Increment(start, gain, most)}
    if found and found[3] is None and start % 24 == 0 and 0 < start <= 24 * _MOST_DAYS:
        return {"forfeit_days": start // 24}
    raise UnknownName(
        f"--{_TIME} is a time for each move, such as 3d (3 days), or a clock such as 7d+12h/14d: "
        f"7 days at the start, 12 hours more with each move, at most 14 days. All are in days (d) "
        f"or hours (h), and a clock starts with a day or more.",
        _TERMS_HELP,
    )


def _check_alone(given: Mapping[str, str]) -> None:
    other = next((name.lower() for name in given if name.lower() in _DAYS), None)
    if other:
        raise UnknownName(
            f"A --{_TIME} with a + is the whole clock; leave out --{other}.", _TERMS_HELP
        )


def _read_term(terms: Terms, name: str, value: str) -> Terms:
    if name == _TIME:
        return replace(terms, **_read_time(value))
    if name in _DAYS:
        days = whole_number(value, _MOST_DAYS)
        if not days:
            raise UnknownName(f"--{name} is a number of days from 1 to {_MOST_DAYS}.", _TERMS_HELP)
        changed: dict[str, Any] = {_DAYS[name]: days}
        return replace(terms, **changed)
    words = _WORDS.get(name)
    if words is None:
        known = [f"--{option}" for option in (*_DAYS, _TIME, *_WORDS)]
        meant = near(f"--{name}", known) or known
        raise UnknownName(
            f"There is no match option {quote('--' + name)}; "
            f"there is {listing(meant, last='and')}.",
            _TERMS_HELP,
        )
    if value.lower() not in words:
        raise UnknownName(f"--{name} can be {listing(filter(None, words))}.", _TERMS_HELP)
    return replace(terms, **words[value.lower()])


def whole_number(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that `text` says in ASCII digits, or None.

    Leading zeros are allowed. There may be thousands of digits, which int() refuses, and a number
    beyond `most` may be too large for a date or a database.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(most)) else most + 1
    return number if number <= most else None


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")

T = TypeVar("T")


def asked_seat(
    given: Mapping[str, str], sides: Sequence[str]
) -> tuple[Seat | None, Mapping[str, str]]:
    """Return the seat that the match options ask for, and the other options.

    The seat is None if they name no side; `Terms.read` reads whether sides are random. `sides` are
    the names of the seats in order. Raise UnknownName for a side that does not exist.
    """
    wanted = [value for name, value in given.items() if name.lower() == _SEAT]
    if not wanted or fold(wanted[-1]) in _WORDS[_SEAT]:
        return None, given
    seat = _seats(sides).get(fold(wanted[-1]).replace("-", " "))
    if seat is None:
        words = ("random", *_ORDINALS[: len(sides)], *sides)
        raise UnknownName(f"--{_SEAT} can be {listing(words)}.", _TERMS_HELP)
    return seat, {name: value for name, value in given.items() if name.lower() != _SEAT}


def asked_ratings(
    given: Mapping[str, str],
) -> tuple[tuple[int, int] | None, Mapping[str, str]]:
    """Return the lowest and the highest rating that the options of a seek ask for, and the others.

    The ratings are None if the options name none. Raise UnknownName for anything but two numbers,
    the lower one first.
    """
    wanted = [value for name, value in given.items() if name.lower() == _RATING]
    if not wanted:
        return None, given
    found = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", wanted[-1])
    if found is None or int(found[1]) > int(found[2]):
        raise UnknownName(
            f"--{_RATING} takes the lowest and the highest rating of an opponent: "
            f"--{_RATING}=1400-1700.",
            "help seek",
        )
    others = {name: value for name, value in given.items() if name.lower() != _RATING}
    return (int(found[1]), int(found[2])), others


def _seats(sides: Sequence[str]) -> Mapping[str, Seat]:
    """Return the seats by their folded names; the name of a side overrides a number."""
    names: dict[str, Seat] = {}
    for seat, ordinal in enumerate(_ORDINALS[: len(sides)]):
        names |= {str(seat + 1): seat, ordinal: seat}
    return names | {fold(side).replace("-", " "): seat for seat, side in enumerate(sides)}


def moved_to(seat: Seat, who: T, players: Sequence[T]) -> tuple[T, ...]:
    """Return `players` with `who` at `seat`, and the others in their order."""
    others = [player for player in players if player != who]
    return (*others[:seat], who, *others[seat:])


def exchanged(starters: Sequence[T]) -> tuple[T, ...]:
    """Return the seats of a rematch: everybody gets the side of the player before them."""
    return (*starters[-1:], *starters[:-1])


class InvitationState(StrEnum):
    """The state of an invitation."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"

    @property
    def fate(self) -> str:
        """The outcome, in words that follow the number of the invitation in a sentence."""
        return _FATES[self]


_FATES = {
    InvitationState.OPEN: "waits for an answer",
    InvitationState.STARTED: "was accepted",
    InvitationState.DECLINED: "was declined",
    InvitationState.EXPIRED: "was not answered in time",
    InvitationState.WITHDRAWN: "was taken back",
}


@frozen
class Invitation:
    """A match that not every player has agreed to yet; `number` will be its board number.

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


class StandingAnswer(StrEnum):
    """The standing answer to invitations to a game."""

    ASK = "ask"
    ACCEPT = "accept"
    REJECT = "reject"


@frozen
class StandingOffer:
    """A player's standing answer for one game; `limit` bounds their open boards of it."""

    answer: StandingAnswer = StandingAnswer.ASK
    limit: int | None = None


@frozen
class Seek:
    """A player's wish for `count` more matches of one kind against anybody.

    `number` becomes the board number of the last of its matches. `seat` is the one that the
    player wants, or None if sides are chosen at random. `ratings` are the lowest and the highest
    rating of an opponent, or None for all.
    """

    number: int
    player: PlayerId
    game: str
    setup: Setup
    terms: Terms
    count: int
    made_at: datetime
    seat: Seat | None = None
    ratings: tuple[int, int] | None = None

    @property
    def offer(self) -> tuple[str, Mapping[str, str], Terms]:
        """The game, the options and the terms, without the seats."""
        return self.game, self.setup.options, self.terms

    def is_like(self, other: "Seek") -> bool:
        """Return whether both ask for the same; the players may differ."""
        mine, theirs = (self.seat, self.ratings), (other.seat, other.ratings)
        return self.offer == other.offer and mine == theirs

    def fits(self, other: "Seek") -> bool:
        """Return whether a match can be what both ask for."""
        seats = {self.seat, other.seat}
        return self.offer == other.offer and (None in seats or len(seats) == 2)


SEEKS_TOLD = 3
"""Times a day that others get mails about the seeks of one player."""

SEEKS_HEARD = 5
"""Mails about seeks that one player gets in a day."""

SEEKS = "seeks"
"""The prefix of the settings by which players ask for mails about seeks."""


def wants_seeks(game: str) -> str:
    """Return the setting that is yes for players who want mails about the seeks of `game`."""
    return f"{SEEKS}.{game}"
