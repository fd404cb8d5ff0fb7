"""Who is told what about the thinking of robots."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.letters import ToAddress, ToPlayer


@dataclass(frozen=True, slots=True)
class ShareUsedUp(ToPlayer):
    """Robots have thought for the reader's `seconds` of the day; they go on at `goes_on_at`."""

    idle = False

    seconds: int
    goes_on_at: datetime


@dataclass(frozen=True, slots=True)
class RobotFailed(ToAddress):
    """To the operator: the program that plays for a robot failed, and `why`; level 1 played."""

    idle = False

    userid: str
    why: str
