"""What a player prepares for his turn."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Queue(Command):
    """A move kept for one's turn; `line` are the moves that must come before, None: any.

    Without `text` it asks what is queued.
    """

    board: int | None
    text: str = ""
    line: str | None = None


@dataclass(frozen=True, slots=True)
class ClearQueue(Command):
    """All queued moves of the player on a board forgotten."""

    board: int | None
