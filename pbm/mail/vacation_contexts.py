"""What the templates of mails about vacations are given. Days are told with their noun."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class VacationShownMail:
    """`until` is "" if the reader is on no vacation.

    `left` is "12 days of vacation left in 2026"; `new_year` is when there are new ones, "" if it
    need not be said. `example` is a day until which he can be away, "" if there is none.
    """

    template: ClassVar[str] = "vacations/shown.txt.j2"
    reader: str
    until: str
    left: str
    allowance: str
    new_year: str
    example: str


@dataclass(frozen=True, slots=True)
class VacationBegunMail:
    """`changed`: the reader was on vacation already, and it has another end now.

    `left` and `example` as above.
    """

    template: ClassVar[str] = "vacations/begun.txt.j2"
    reader: str
    until: str
    left: str
    changed: bool
    example: str


@dataclass(frozen=True, slots=True)
class VacationOverMail:
    """`left` as above; `boards` are the lines of those that wait for the reader's move."""

    template: ClassVar[str] = "vacations/over.txt.j2"
    reader: str
    left: str
    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpponentAwayMail:
    """`boards` is "board 104" or "boards 104 and 105"."""

    template: ClassVar[str] = "vacations/away.txt.j2"
    reader: str
    userid: str
    until: str
    boards: str
    changed: bool


@dataclass(frozen=True, slots=True)
class OpponentBackMail:
    """`boards` as above."""

    template: ClassVar[str] = "vacations/back.txt.j2"
    reader: str
    userid: str
    boards: str


TEMPLATES = (
    VacationShownMail,
    VacationBegunMail,
    VacationOverMail,
    OpponentAwayMail,
    OpponentBackMail,
)
"""Every context of this subject."""
