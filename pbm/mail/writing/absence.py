"""What the mail to players who may have gone says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.mail.writing.wording import Wording, local_time
from pbm.service.notices.absence import StayAsked


@dataclass(frozen=True, slots=True)
class StayMail:
    """The reader is asked whether they want to stay; the server waits until `until`."""

    template: ClassVar[str] = "absence/stay.txt.j2"
    reader: str
    until: str


def _stay(notice: StayAsked, _address: str) -> Wording:
    context = StayMail(notice.to.userid, local_time(notice.until, notice.to))
    return Wording("Do you want to stay?", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    StayAsked: _stay,
}
"""What is said for each kind of notice of absence."""
