"""The facts of a sentence about what has happened on a board, by the template that tells them."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Chatted:
    """Somebody wrote to the board; their words are among its remarks."""

    template: ClassVar[str] = "happenings/chatted.txt.j2"
    actor: str


@dataclass(frozen=True, slots=True)
class Started:
    """The match has started."""

    template: ClassVar[str] = "happenings/started.txt.j2"
    players: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player has closed their account."""

    template: ClassVar[str] = "happenings/left.txt.j2"
    actor: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was played; `actor` is "You" if the reader played it.

    `queued` if the reader had queued it.
    """

    template: ClassVar[str] = "happenings/moved.txt.j2"
    actor: str
    move: str
    queued: bool


@dataclass(frozen=True, slots=True)
class Swapped:
    """The pie rule was used; `sides` says who plays which side now."""

    template: ClassVar[str] = "happenings/swapped.txt.j2"
    actor: str
    sides: str


@dataclass(frozen=True, slots=True)
class Ended:
    """`move` is the last one if a move ended it; `won` is who did, "" for a draw or no result.

    It is "You won", "bob won", or "You lost; bob won" where nothing else says so. `late` names the
    player whose time was over, if that ended it.
    """

    template: ClassVar[str] = "happenings/ended.txt.j2"
    actor: str
    move: str
    queued: bool
    resigned: bool
    agreed: bool
    late: str
    declined: bool
    decided: bool
    closed: bool
    won: str
    draw: bool
    reason: str
    scores: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves were taken back; `actor` agreed to it, or is "" if the operator did it."""

    template: ClassVar[str] = "happenings/taken_back.txt.j2"
    actor: str
    moves: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """The operator has taken back `what` ("the resignation"); `rated`: it may have been rated."""

    template: ClassVar[str] = "happenings/reopened.txt.j2"
    what: str
    rated: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """A draw or an undo was offered."""

    template: ClassVar[str] = "happenings/offered.txt.j2"
    actor: str
    draw: bool


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player has agreed to an offer, and others are still asked."""

    template: ClassVar[str] = "happenings/agreed.txt.j2"
    actor: str
    draw: bool


@dataclass(frozen=True, slots=True)
class Queued:
    """The moves that the reader has queued; "" for none."""

    template: ClassVar[str] = "happenings/queued.txt.j2"
    moves: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A queued move of the reader has become illegal."""

    template: ClassVar[str] = "happenings/dropped.txt.j2"
    move: str


@dataclass(frozen=True, slots=True)
class SeeksClosed:
    """The seeks of the reader were closed, because their time was over."""

    template: ClassVar[str] = "happenings/seeks_closed.txt.j2"


@dataclass(frozen=True, slots=True)
class Rejected:
    """An offer was turned down."""

    template: ClassVar[str] = "happenings/rejected.txt.j2"
    actor: str
    draw: bool


@dataclass(frozen=True, slots=True)
class Reminded:
    """The reader has been to move since `since`; `last`: they lose if they do not move now."""

    template: ClassVar[str] = "happenings/reminded.txt.j2"
    last: bool
    since: str
    deadline: str


@dataclass(frozen=True, slots=True)
class Extended:
    """The operator has added `days` ("3 days") to the time of this turn."""

    template: ClassVar[str] = "happenings/extended.txt.j2"
    days: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The operator has stopped the clock of the match."""

    template: ClassVar[str] = "happenings/stopped.txt.j2"


@dataclass(frozen=True, slots=True)
class Resumed:
    """The clock of the match runs again."""

    template: ClassVar[str] = "happenings/resumed.txt.j2"
