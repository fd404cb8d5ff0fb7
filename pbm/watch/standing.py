"""How things stand in the database, for all processes alike."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.ports import Pulse, Queues, ThoughtCounts


@dataclass(frozen=True, slots=True)
class Standing:
    """What waits at `now`, mails and thoughts, and the signs of life."""

    now: datetime
    queues: Queues
    pulses: tuple[Pulse, ...]
    thoughts: ThoughtCounts
