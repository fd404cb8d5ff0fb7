"""What is done at a board."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Move(Command):
    """A turn on a board. `due` is the ply that the player meant, if he said so."""

    board: int | None
    text: str
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Swap(Command):
    """The pie rule on a board."""

    board: int | None
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """The end of a match by giving it up."""

    board: int | None
