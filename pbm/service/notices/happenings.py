"""What has happened on a board, as the facts of one sentence of a mail."""

from dataclasses import dataclass
from enum import StrEnum

from pbm.domain.player import PlayerId


class Event(StrEnum):
    """What can happen on a board. pbm.mail.writing.happenings has a sentence for each."""

    STARTED = "started"
    LEFT = "left"
    MOVED = "moved"
    SWAPPED = "swapped"
    OFFERED = "offered"
    AGREED = "agreed"
    REJECTED = "rejected"
    CHATTED = "chatted"
    QUEUED = "queued"
    DROPPED = "dropped"
    ENDED = "ended"
    SEEKS_CLOSED = "seeks_closed"
    TAKEN_BACK = "taken_back"
    REOPENED = "reopened"
    REMINDED = "reminded"
    EXTENDED = "extended"
    STOPPED = "stopped"
    RESUMED = "resumed"


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened on a board.

    `actor` is the player who did it; None is the operator, or nobody. `text` is what the event
    is about, such as the move, the kind of a reminder, the days of an extension, or how the match
    had ended; `comment` what the actor wrote with it, for all to read. `queued` says that it was a
    move kept for this turn, which only the actor is told. `only_for` is the only player who is told
    of it; None: everybody.
    """

    event: Event
    actor: PlayerId | None = None
    text: str = ""
    comment: str = ""
    queued: bool = False
    only_for: PlayerId | None = None
