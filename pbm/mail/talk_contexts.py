"""What the templates of words between players and of wishes are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Chatted:
    """Somebody wrote to the board; what he wrote is among its remarks."""

    template: ClassVar[str] = "happenings/chatted.txt.j2"
    actor: str


@dataclass(frozen=True, slots=True)
class PassedMail:
    """What one player wrote to another, or to all who want that."""

    template: ClassVar[str] = "talk/passed.txt.j2"
    sender: str
    reader: str
    text: str
    broadcast: bool


@dataclass(frozen=True, slots=True)
class NotedMail:
    """What holds from now on."""

    template: ClassVar[str] = "talk/noted.txt.j2"
    sentence: str


TEMPLATES = (Chatted, PassedMail, NotedMail)
