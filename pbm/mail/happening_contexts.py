"""What the sentence of each thing that happens on a board is given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Started:
    """The match is on its board."""

    template: ClassVar[str] = "happenings/started.txt.j2"
    players: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player has closed his account."""

    template: ClassVar[str] = "happenings/left.txt.j2"
    actor: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was played; `actor` is "You" for the one who played it."""

    template: ClassVar[str] = "happenings/moved.txt.j2"
    actor: str
    move: str
    queued: bool


@dataclass(frozen=True, slots=True)
class Swapped:
    """The pie rule was used; `sides` says who is who now."""

    template: ClassVar[str] = "happenings/swapped.txt.j2"
    actor: str
    sides: str


@dataclass(frozen=True, slots=True)
class Ended:
    """`move` is the last one if a move ended it; `winner` is "" for a draw or no result."""

    template: ClassVar[str] = "happenings/ended.txt.j2"
    actor: str
    move: str
    queued: bool
    resigned: bool
    agreed: bool
    declined: bool
    decided: bool
    closed: bool
    winner: str
    draw: bool
    reason: str
    scores: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves were taken back; `actor` agreed to it, "" if the operator did it."""

    template: ClassVar[str] = "happenings/taken_back.txt.j2"
    actor: str
    moves: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A draw or an undo was offered."""

    template: ClassVar[str] = "happenings/offered.txt.j2"
    actor: str
    draw: bool


@dataclass(frozen=True, slots=True)
class Queued:
    """What the reader keeps for his turns; "" for nothing."""

    template: ClassVar[str] = "happenings/queued.txt.j2"
    moves: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A queued move of the reader's has become illegal."""

    template: ClassVar[str] = "happenings/dropped.txt.j2"
    move: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An offer was turned down."""

    template: ClassVar[str] = "happenings/rejected.txt.j2"
    actor: str
    draw: bool


TEMPLATES = (
    Started,
    Left,
    Moved,
    Swapped,
    Ended,
    TakenBack,
    Offered,
    Queued,
    Dropped,
    Rejected,
)
