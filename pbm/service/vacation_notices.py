"""Who is told what of vacations."""

from dataclasses import dataclass
from datetime import date, datetime

from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.domain.vacation import YearLeft
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class VacationShown:
    """How things stand: on vacation `until` then, None if not.

    `left` is what is left of the `allowance`, in days, of each year that it touches. `last_day` is
    one until which he can be away from now on, for an example; None if he cannot.
    """

    to: Player
    until: datetime | None
    left: tuple[YearLeft, ...]
    allowance: int
    last_day: date | None
    reply: Token


@dataclass(frozen=True, slots=True)
class VacationBegun:
    """The reader's clocks stand `until` then; `changed`: he was on vacation already.

    `left` and `last_day` as above.
    """

    to: Player
    until: datetime
    left: tuple[YearLeft, ...]
    changed: bool
    last_day: date | None
    reply: Token


@dataclass(frozen=True, slots=True)
class VacationOver:
    """The reader's vacation is over, by its date or by his word.

    `boards` wait for his move, the most urgent first.
    """

    to: Player
    left: tuple[YearLeft, ...]
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
