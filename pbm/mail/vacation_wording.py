"""What is said of vacations: subject and context of each notice."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from pbm.domain.dates import written
from pbm.domain.vacation import YearLeft
from pbm.engine import counted, listing
from pbm.mail import vacation_contexts as contexts
from pbm.mail.local_time import local_time
from pbm.mail.waiting_lines import boards_named, waiting_lines
from pbm.mail.wording import Wording
from pbm.service.vacation_notices import (
    OpponentAway,
    OpponentBack,
    VacationBegun,
    VacationOver,
    VacationShown,
)


def _shown(notice: VacationShown, _address: str) -> Wording:
    context = contexts.VacationShownMail(
        reader=notice.to.userid,
        until=local_time(notice.until, notice.to) if notice.until else "",
        left=_left(notice.left),
        allowance=counted(notice.allowance, "day"),
        new_year=_new_year(notice),
        example=_example(notice.last_day),
    )
    return Wording("Your vacation", context)


def _begun(notice: VacationBegun, _address: str) -> Wording:
    context = contexts.VacationBegunMail(
        reader=notice.to.userid,
        until=local_time(notice.until, notice.to),
        left=_left(notice.left),
        changed=notice.changed,
        example=_example(notice.last_day),
    )
    return Wording("Your vacation has changed" if notice.changed else "Your vacation", context)


def _over(notice: VacationOver, _address: str) -> Wording:
    context = contexts.VacationOverMail(
        reader=notice.to.userid,
        left=_left(notice.left),
        boards=waiting_lines(notice.boards, notice.people, notice.to),
    )
    return Wording("Your vacation is over", context, answer=False)


def _away(notice: OpponentAway, _address: str) -> Wording:
    context = contexts.OpponentAwayMail(
        reader=notice.to.userid,
        userid=notice.userid,
        until=local_time(notice.until, notice.to),
        boards=boards_named(notice.boards),
        changed=notice.changed,
    )
    return Wording(f"{notice.userid} is on vacation", context, answer=False)


def _back(notice: OpponentBack, _address: str) -> Wording:
    boards = boards_named(notice.boards)
    context = contexts.OpponentBackMail(notice.to.userid, notice.userid, boards)
    return Wording(f"{notice.userid} is back from vacation", context, answer=False)


def _left(years: tuple[YearLeft, ...]) -> str:
    """Return "12 days of vacation left in 2026 and 25 days in 2027"."""
    first, *others = years
    told = f"{counted(first.days, 'day')} of vacation left in {first.year}"
    return listing((told, *(f"{counted(y.days, 'day')} in {y.year}" for y in others)), last="and")


def _new_year(notice: VacationShown) -> str:
    """Return the year that brings new days to who has none, as far as he is told; "" if none."""
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
"""What is said for each kind of notice of this subject."""
