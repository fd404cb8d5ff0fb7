"""Who is told what of vacations."""

from dataclasses import dataclass
from datetime import date, datetime

from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.domain.vacations import YearLeft
from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class VacationShown(ToPlayer):
    """How things stand: on vacation `until` then, None if not.

    `left` is what is left of the `allowance`, in days, of each year that it touches. `last_day` is
    one until which he can be away from now on, for an example; None if he cannot.
    """

    idle = True

    until: datetime | None
    left: tuple[YearLeft, ...]
    allowance: int
    last_day: date | None


@dataclass(frozen=True, slots=True)
class VacationBegun(ToPlayer):
    """The reader's clocks stand `until` then; `changed`: he was on vacation already.

    `left` and `last_day` as above.
    """

    idle = False

    until: datetime
    left: tuple[YearLeft, ...]
    changed: bool
    last_day: date | None


@dataclass(frozen=True, slots=True)
class VacationOver(ToPlayer):
    """The reader's vacation is over, by its date or by his word.

    `boards` wait for his move, the most urgent first.
    """

    idle = False

    left: tuple[YearLeft, ...]
    boards: tuple[LiveMatch, ...]
    people: People


@dataclass(frozen=True, slots=True)
class OpponentAway(ToPlayer):
    """Somebody with whom the reader plays on `boards` is on vacation `until` then."""

    idle = False

    userid: str
    until: datetime
    numbers: tuple[int, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class OpponentBack(ToPlayer):
    """He is back, earlier than the reader was told."""

    idle = False

    userid: str
    numbers: tuple[int, ...]
