"""Time off."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Vacation(Command):
    """Stop the player's clocks; `text` says for how long, or "off". "": only tell how it stands."""

    text: str = ""
