"""What is told about a position that is only looked at."""

from dataclasses import dataclass

from pbm.domain.play import LiveMatch
from pbm.domain.player import People
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Previewed(ToPlayer):
    """A position that is stored nowhere, after `moves`; a board numbered 0 is a new one.

    `submitted`: the one move is the reader's own and is played once they confirm it.
    """

    idle = True

    board: LiveMatch
    moves: tuple[str, ...]
    people: People
    submitted: bool = False

    @property
    def thread(self) -> int | None:
        return self.board.match.number or None
