"""What a player prepares for his turn, and looks at without playing it."""

from collections.abc import Mapping
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
class Submit(Command):
    """A move to be seen by its player before it is played."""

    board: int | None
    text: str
    due: int | None = None


@dataclass(frozen=True, slots=True)
class PlaySubmitted(Command):
    """The submitted move, to be played now."""

    board: int | None


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """A board as it would be after the moves of `text`, from now or from ply `ply`."""

    board: int | None
    text: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class PreviewNew(Command):
    """A new board of a game as it would be after the moves of `text`."""

    game: str
    text: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ClearQueue(Command):
    """All queued moves of the player on a board forgotten."""

    board: int | None
