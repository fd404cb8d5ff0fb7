"""What is told about seeks."""

from dataclasses import dataclass

from pbm.domain.invitations import Seek
from pbm.engine import AnyGame
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class SeekNoted(ToPlayer):
    """What the reader seeks now; `seek` with count 0 is none.

    `asked` is how many matches they asked for. `withdrawn` is the number of a seek of another
    kind that this takes the place of, 0 if there was none. `told`: others get mails of it. `robot`
    is the line that begins a match with a robot at once; "" if there is none.
    """

    idle = False

    seek: Seek
    game: AnyGame
    asked: int
    withdrawn: int = 0
    told: bool = True
    robot: str = ""

    @property
    def thread(self) -> int | None:
        return self.seek.number if self.seek.count else None


@dataclass(frozen=True, slots=True)
class SeekTold(ToPlayer):
    """`seeker` looks for an opponent, and the reader wants to know that."""

    idle = False

    seek: Seek
    game: AnyGame
    seeker: str

    @property
    def thread(self) -> int:
        return self.seek.number


@dataclass(frozen=True, slots=True)
class SeekClosed(ToPlayer):
    """The reader's seek has found nobody in time, or fewer matches than they wanted.

    `robot` is as for SeekNoted.
    """

    idle = False

    seek: Seek
    game: AnyGame
    robot: str = ""
