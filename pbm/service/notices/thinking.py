"""Who is told what about the thinking of robots."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class ShareUsedUp(ToPlayer):
    """Robots have thought for the reader's `seconds` of the day; they go on at `goes_on_at`."""

    idle = False

    seconds: int
    goes_on_at: datetime
