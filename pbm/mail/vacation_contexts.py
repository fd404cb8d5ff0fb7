"""What the templates of mails about vacations are given. Days are told with their noun."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class VacationShownMail:
    """`until` is "" if the reader is on no vacation; `may_begin`: he has days left for one."""

    template: ClassVar[str] = "vacations/shown.txt.j2"
    reader: str
    until: str
    days: str
    allowance: str
    year: int
    may_begin: bool


@dataclass(frozen=True, slots=True)
class VacationBegunMail:
    """`changed`: the reader was on vacation already, and it has another end now."""

    template: ClassVar[str] = "vacations/begun.txt.j2"
    reader: str
    until: str
    days: str
    year: int
    changed: bool


@dataclass(frozen=True, slots=True)
class VacationOverMail:
    """`boards` are the lines of those that wait for the reader's move."""

    template: ClassVar[str] = "vacations/over.txt.j2"
    reader: str
    days: str
    year: int
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
