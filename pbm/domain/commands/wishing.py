"""What a player wants to be asked, for one game."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.commands.base import Command
from pbm.domain.openness import Answer


@dataclass(frozen=True, slots=True)
class Stand(Command):
    """A standing answer to invitations."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Limit(Command):
    """The most open boards of the game that the player wants; None lifts the bound."""

    boards: int | None


@dataclass(frozen=True, slots=True)
class SeekMatches(Command):
    """A wish for `count` matches against anybody who wants the same; 0 withdraws it."""

    count: int
    options: Mapping[str, str]
    terms: Mapping[str, str]
