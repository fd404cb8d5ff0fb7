"""Who is told what of vacations."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class VacationShown:
    """How things stand: on vacation `until` then, None if not.

    `days` are whole ones, left of the `allowance` of `year`.
    """

    to: Player
    until: datetime | None
    days: int
    allowance: int
    year: int
    reply: Token


@dataclass(frozen=True, slots=True)
class VacationBegun:
    """The reader's clocks stand `until` then; `changed`: he was on vacation already."""

    to: Player
    until: datetime
    days: int
    year: int
    changed: bool
    reply: Token


@dataclass(frozen=True, slots=True)
class VacationOver:
    """The reader's vacation is over, by its date or by his word.

    `boards` wait for his move, the most urgent first.
    """

    to: Player
    days: int
    year: int
    boards: tuple[LiveMatch, ...]
    people: People
    reply: Token


@dataclass(frozen=True, slots=True)
class OpponentAway:
    """Somebody with whom the reader plays on `boards` is on vacation `until` then."""

    to: Player
    userid: str
    until: datetime
    boards: tuple[int, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class OpponentBack:
    """He is back, earlier than the reader was told."""

    to: Player
    userid: str
    boards: tuple[int, ...]
