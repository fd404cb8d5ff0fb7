"""Who is told what of words, wishes and following."""

from dataclasses import dataclass

from pbm.domain.player import Player


@dataclass(frozen=True, slots=True)
class Passed:
    """What one player wrote to another; `broadcast` if to all who want that."""

    to: Player
    sender: str
    text: str
    broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """What was asked for has been noted; `sentence` says what holds from now on."""

    to: Player
    sentence: str
