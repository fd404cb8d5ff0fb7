"""What is said of vacations: subject and context of each notice."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.engine import counted, listing
from pbm.mail import vacation_contexts as contexts
from pbm.mail.local_time import local_time
from pbm.mail.waiting_lines import waiting_lines
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
        days=counted(notice.days, "day"),
        allowance=counted(notice.allowance, "day"),
        year=notice.year,
        may_begin=notice.days > 0,
    )
    return Wording("Your vacation", context)


def _begun(notice: VacationBegun, _address: str) -> Wording:
    context = contexts.VacationBegunMail(
        reader=notice.to.userid,
        until=local_time(notice.until, notice.to),
        days=counted(notice.days, "day"),
        year=notice.year,
        changed=notice.changed,
    )
    return Wording("Your vacation has changed" if notice.changed else "Your vacation", context)


def _over(notice: VacationOver, _address: str) -> Wording:
    context = contexts.VacationOverMail(
        reader=notice.to.userid,
        days=counted(notice.days, "day"),
        year=notice.year,
        boards=waiting_lines(notice.boards, notice.people, notice.to),
    )
    return Wording("Your vacation is over", context, answer=False)


def _away(notice: OpponentAway, _address: str) -> Wording:
    context = contexts.OpponentAwayMail(
        reader=notice.to.userid,
        userid=notice.userid,
        until=local_time(notice.until, notice.to),
        boards=_boards(notice.boards),
        changed=notice.changed,
    )
    return Wording(f"{notice.userid} is on vacation", context, answer=False)


def _back(notice: OpponentBack, _address: str) -> Wording:
    boards = _boards(notice.boards)
    context = contexts.OpponentBackMail(notice.to.userid, notice.userid, boards)
    return Wording(f"{notice.userid} is back from vacation", context, answer=False)


def _boards(numbers: tuple[int, ...]) -> str:
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listing(map(str, numbers), last='and')}"


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    VacationShown: _shown,
    VacationBegun: _begun,
    VacationOver: _over,
    OpponentAway: _away,
    OpponentBack: _back,
}
"""What is said for each kind of notice of this subject."""
