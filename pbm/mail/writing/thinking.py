"""What the mails say about the thinking of robots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.engine import counted
from pbm.mail.writing.wording import Wording, local_time
from pbm.service.notices.thinking import RobotFailed, ShareUsedUp

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class ShareUsedUpMail:
    """`share` is "30 minutes"; `goes_on` is when the robots think again."""

    template: ClassVar[str] = "thinking/share_used_up.txt.j2"
    reader: str
    share: str
    goes_on: str


@dataclass(frozen=True, slots=True)
class RobotFailedMail:
    """To the operator. `why` are sentences that call the program so."""

    template: ClassVar[str] = "thinking/robot_failed.txt.j2"
    robot: str
    why: str


def _share_used_up(notice: ShareUsedUp, _address: str) -> Wording:
    minutes, seconds = divmod(notice.seconds, _MINUTE)
    share = counted(minutes, "minute") if minutes else counted(seconds, "second")
    goes_on = local_time(notice.goes_on_at, notice.to)
    context = ShareUsedUpMail(notice.to.userid, share, goes_on)
    return Wording("Your robots go on tomorrow", context, answer=False)


def _robot_failed(notice: RobotFailed, _address: str) -> Wording:
    context = RobotFailedMail(notice.userid, notice.why)
    return Wording(f"The program of {notice.userid} has failed", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    ShareUsedUp: _share_used_up,
    RobotFailed: _robot_failed,
}
"""What is said for each kind of notice of thinking."""
