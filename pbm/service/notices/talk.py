"""Who is told what about messages, wishes and following."""

from dataclasses import dataclass

from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class Passed(ToPlayer):
    """What one player wrote to another; `broadcast` if to all who want that."""

    idle = False

    sender: str
    text: str
    broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Noted(ToPlayer):
    """What was asked for has been noted; `sentence` says what holds from now on."""

    idle = False

    sentence: str
