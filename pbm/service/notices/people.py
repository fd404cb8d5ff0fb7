"""Who is told what about blocks and reports."""

from dataclasses import dataclass

from pbm.domain.talk import Said
from pbm.service.letters import ToAddress, ToPlayer


@dataclass(frozen=True, slots=True)
class BlocksShown(ToPlayer):
    """To `to`: the players that they block."""

    idle = True

    blocked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenToPostmaster(ToAddress):
    """To the operator: `author`, "" if nobody can tell, wrote to the postmaster.

    `whole` is the beginning of the mail as it came.
    """

    idle = False

    author: str
    subject: str
    whole: bytes


@dataclass(frozen=True, slots=True)
class Reported(ToAddress):
    """To the operator: `reporter` complains of the player `reported`, or of board `number`.

    `text` is what the reporter wrote; `said` are the last words of the player, or on the board,
    the oldest first. One of `reported` and `number` may be missing.
    """

    idle = False

    reporter: str
    reported: str
    number: int | None
    text: str
    said: tuple[Said, ...]
