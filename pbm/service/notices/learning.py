"""Who is told what to play, and how a match went."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.play import LiveMatch
from pbm.domain.player import People, PlayerId
from pbm.engine import Seat
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Tried:
    """A turn, and what it is worth to whoever plays it, from 0 to 1; `proven`: for certain."""

    text: str
    worth: float
    proven: bool


@dataclass(frozen=True, slots=True)
class Hinted(ToPlayer):
    """What a robot would play in the reader's place, and its second choice if it has one.

    `only`: there is no other turn. `even`: it is meant to be worth alike to both sides, because the
    opponent may trade places.
    """

    idle = True

    board: LiveMatch
    people: People
    now: datetime
    best: Tried
    second: Tried | None = None
    only: bool = False
    even: bool = False

    @property
    def thread(self) -> int:
        return self.board.match.number


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The turn of `player`, the `ply`-th of the match.

    `worth` is what the position after it was worth to the side that the curve is of.
    """

    ply: int
    seat: Seat
    player: PlayerId
    text: str
    worth: float


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake of `player`: what their turn was worth to them, and what `better` would have been.

    Both are from 0 to 1, and certain if they are 0 or 1.
    """

    ply: int
    player: PlayerId
    text: str
    better: str
    worth: float
    missed: float


@dataclass(frozen=True, slots=True)
class Analysed(ToPlayer):
    """How a finished match went, as a curve of the side that sits at `seat`, and its mistakes.

    `start` is what it was worth to that side before the first of the `turns`, of which there is at
    least one. `playouts` is how many games were tried for each position.
    """

    idle = True

    board: LiveMatch
    people: People
    seat: Seat
    start: float
    turns: tuple[LookedAt, ...]
    mistakes: tuple[Mistake, ...]
    playouts: int

    @property
    def thread(self) -> int:
        return self.board.match.number
