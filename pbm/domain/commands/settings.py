"""What a player sets for himself."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Set(Command):
    """One setting; without a name, all of them are to be shown."""

    name: str = ""
    value: str = ""
