"""What is told to players who may no longer be there."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class StayAsked(ToPlayer):
    """The reader is asked whether they stay: they have lost their last open board by time.

    If nothing comes from them by `until`, their seeks and invitations are closed.
    """

    idle = False

    until: datetime
