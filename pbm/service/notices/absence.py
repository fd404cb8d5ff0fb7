"""What is told to players of whom nobody knows whether they are there."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class StayAsked(ToPlayer):
    """Whether the reader stays is asked: he has lost his last open board by time.

    If nothing comes from him `until` then, his seeks and invitations are closed.
    """

    idle = False

    until: datetime
