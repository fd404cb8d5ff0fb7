"""What the mails say that carry messages between players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.mailings import Leaving, Mailing
from pbm.mail.writing.wording import Wording
from pbm.service.notices.talk import FollowedEnough, Passed


@dataclass(frozen=True, slots=True)
class PassedMail:
    """What one player wrote to another, or to everybody who wants broadcasts."""

    template: ClassVar[str] = "talk/passed.txt.j2"
    sender: str
    reader: str
    text: str
    broadcast: bool


@dataclass(frozen=True, slots=True)
class FollowedEnoughMail:
    """Boards that one only follows send no more mails within the hour."""

    template: ClassVar[str] = "talk/followed_enough.txt.j2"
    most: int
    number: int
    game: str


def _passed(notice: Passed, _address: str) -> Wording:
    context = PassedMail(notice.sender, notice.to.userid, notice.text, notice.broadcast)
    subject = f"A broadcast from {notice.sender}" if notice.broadcast else "A message"
    return Wording(
        subject, context, f"{notice.sender} by pbm", answer=False,
        leave=Leaving(Mailing.BROADCASTS) if notice.broadcast else None, bulk=notice.broadcast,
    )  # fmt: skip


def _followed_enough(notice: FollowedEnough, _address: str) -> Wording:
    return Wording(
        "No more mails of boards you follow in this hour",
        FollowedEnoughMail(notice.most, notice.number, notice.game),
        answer=False,
        leave=Leaving(Mailing.FOLLOWED, notice.number),
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Passed: _passed,
    FollowedEnough: _followed_enough,
}
"""What is said for each kind of notice of talk."""
