"""Questions about what has been played: rating lists, finished games, records, what is on offer."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Overview(Command):
    """The games on offer, or those named by `keys`, and who looks for an opponent."""

    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standings(Command):
    """The rating list of the game named; else the ratings of one player, the reader if ""."""

    userid: str = ""


@dataclass(frozen=True, slots=True)
class History(Command):
    """Finished games of these players, of the reader if nobody is named."""

    userids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record(Command):
    """The record of a match, as files."""

    board: int | None
