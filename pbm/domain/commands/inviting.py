"""Invitations and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """An invitation to a match. `players` are userids in the order of seats."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    terms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Accept(Command):
    """Yes to an invitation."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """No to an invitation."""

    number: int | None
