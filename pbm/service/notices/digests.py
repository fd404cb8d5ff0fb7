"""Who gets the moves of a day in one mail."""

from dataclasses import dataclass
from datetime import datetime

from pbm.service.board_messages import BoardNotice
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Digest(ToPlayer):
    """Boards that wait for the reader, the most urgent first, each with what happened there."""

    idle = False

    boards: tuple[BoardNotice, ...]
    now: datetime

    @property
    def thread(self) -> int | None:
        return self.boards[0].thread if len(self.boards) == 1 else None
