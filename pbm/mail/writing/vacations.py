"""What the mails about vacations say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from pbm.domain.dates import written
from pbm.domain.vacations import YearLeft
from pbm.engine import counted, listing
from pbm.mail.writing.wording import Wording, boards_named, local_time, waiting_lines
from pbm.service.notices.vacations import (
    OpponentAway,
    OpponentBack,
    VacationBegun,
    VacationOver,
    VacationShown,
)


@dataclass(frozen=True, slots=True)
class VacationShownMail:
    """`until` is "" if the reader is not on vacation.

    `left` is "12 days of vacation left in 2026"; `new_year` is the year that brings new ones, ""
    if it need not be said. `example` is a day until which they can be away, "" if there is none.
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
    """`changed`: the reader was already on vacation, and its end has changed.

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


def _shown(notice: VacationShown, _address: str) -> Wording:
    context = VacationShownMail(
        reader=notice.to.userid,
        until=local_time(notice.until, notice.to) if notice.until else "",
        left=_left(notice.left),
        allowance=counted(notice.allowance, "day"),
        new_year=_new_year(notice),
        example=_example(notice.last_day),
    )
    return Wording("Your vacation", context)


def _begun(notice: VacationBegun, _address: str) -> Wording:
    context = VacationBegunMail(
        reader=notice.to.userid,
        until=local_time(notice.until, notice.to),
        left=_left(notice.left),
        changed=notice.changed,
        example=_example(notice.last_day),
    )
    return Wording("Your vacation has changed" if notice.changed else "Your vacation", context)


def _over(notice: VacationOver, _address: str) -> Wording:
    context = VacationOverMail(
        reader=notice.to.userid,
        left=_left(notice.left),
        boards=waiting_lines(notice.boards, notice.people, notice.to, notice.more),
    )
    return Wording("Your vacation is over", context, answer=False)


def _away(notice: OpponentAway, _address: str) -> Wording:
    context = OpponentAwayMail(
        reader=notice.to.userid,
        userid=notice.userid,
        until=local_time(notice.until, notice.to),
        boards=boards_named(notice.numbers),
        changed=notice.changed,
    )
    return Wording(f"{notice.userid} is on vacation", context, answer=False)


def _back(notice: OpponentBack, _address: str) -> Wording:
    boards = boards_named(notice.numbers)
    context = OpponentBackMail(notice.to.userid, notice.userid, boards)
    return Wording(f"{notice.userid} is back from vacation", context, answer=False)


def _left(years: tuple[YearLeft, ...]) -> str:
    """Return "12 days and 5 hours of vacation left in 2026 and 25 days in 2027"."""
    first, *others = years
    told = f"{_time(first)} of vacation left in {first.year}"
    return listing((told, *(f"{_time(year)} in {year.year}" for year in others)), last="and")


def _time(year: YearLeft) -> str:
    # The hours are told because an hour of vacation costs an hour, and not the whole day.
    days = [counted(year.days, "day")] if year.days or not year.hours else []
    hours = [counted(year.hours, "hour")] if year.hours else []
    return " and ".join([*days, *hours])


def _new_year(notice: VacationShown) -> str:
    """Return the year that brings new days if the last year told has none left, else ""."""
    last = notice.left[-1]
    return str(last.year + 1) if notice.allowance and not last.days else ""


def _example(day: date | None) -> str:
    return written(day) if day else ""


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    VacationShown: _shown,
    VacationBegun: _begun,
    VacationOver: _over,
    OpponentAway: _away,
    OpponentBack: _back,
}
"""What is said for each kind of notice of vacations."""
