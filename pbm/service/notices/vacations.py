"""Who is told what about vacations."""

from dataclasses import dataclass
from datetime import date, datetime

from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.domain.vacations import YearLeft
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class VacationShown(ToPlayer):
    """How things stand: the reader is on vacation until `until`; None if they are not.

    `left` is what is left of the `allowance`, in days, of each year that it touches. `last_day` is
    an example of a day until which they can be away from now on; None if they cannot.
    """

    idle = True

    until: datetime | None
    left: tuple[YearLeft, ...]
    allowance: int
    last_day: date | None


@dataclass(frozen=True, slots=True)
class VacationBegun(ToPlayer):
    """The reader's clocks stand until `until`; `changed`: they were on vacation already.

    `left` and `last_day` are as in VacationShown.
    """

    idle = False

    until: datetime
    left: tuple[YearLeft, ...]
    changed: bool
    last_day: date | None


@dataclass(frozen=True, slots=True)
class VacationOver(ToPlayer):
    """The reader's vacation is over, by its date or because they ended it.

    `boards` wait for their move, the most urgent first, and `more` than these.
    """

    idle = False

    left: tuple[YearLeft, ...]
    boards: tuple[LiveMatch, ...]
    people: People
    more: int = 0


@dataclass(frozen=True, slots=True)
class OpponentAway(ToPlayer):
    """`userid`, an opponent on the boards `numbers`, is on vacation until `until`."""

    idle = False

    userid: str
    until: datetime
    numbers: tuple[int, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class OpponentBack(ToPlayer):
    """The opponent is back, earlier than the reader was told."""

    idle = False

    userid: str
    numbers: tuple[int, ...]
