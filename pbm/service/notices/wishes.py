"""What is told about seeks."""

from dataclasses import dataclass

from pbm.domain.wishes import Seek
from pbm.engine import AnyGame
from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class SeekClosed(ToPlayer):
    """The reader's seek has found nobody in time, or fewer matches than they wanted."""

    idle = False

    seek: Seek
    game: AnyGame
