"""Who is told what about messages, wishes and following."""

from dataclasses import dataclass

from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Passed(ToPlayer):
    """What one player wrote to another; `broadcast` if to all who want that."""

    idle = False

    sender: str
    text: str
    broadcast: bool = False


@dataclass(frozen=True, slots=True)
class FollowedEnough(ToPlayer):
    """Boards that the reader only follows have sent so many mails that no more come this hour.

    `number` and `game` are those of the board whose mail was the first to be left out.
    """

    idle = False

    most: int
    number: int
    game: str
