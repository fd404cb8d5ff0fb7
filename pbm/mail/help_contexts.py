"""What the templates of the help pages are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class IntroductionHelp:
    """The first page; `unread` if it answers a mail without a command.

    `unknown` if there is no page on the topic, `meant` what may have been.
    """

    template: ClassVar[str] = "help/introduction.txt.j2"
    unread: bool
    unknown: bool
    meant: str
    server: str
    key: str
    example: str
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TutorialHelp:
    """A first match, mail by mail."""

    template: ClassVar[str] = "help/tutorial.txt.j2"
    server: str
    key: str
    title: str
    example: str
    swaps: bool


@dataclass(frozen=True, slots=True)
class ClocksHelp:
    """How time is kept; all numbers are days, those of a match as they usually are.

    `vacation` is what a player may take in a year, such as "30 days".
    """

    template: ClassVar[str] = "help/time.txt.j2"
    nag: int
    warning: int
    forfeit: int
    vacation: str
    unreachable: int


@dataclass(frozen=True, slots=True)
class CommandsHelp:
    """All commands, a laid out line or two each."""

    template: ClassVar[str] = "help/commands.txt.j2"
    server: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A command with all its words."""

    usage: str
    summary: str
    aliases: str
    text: str


@dataclass(frozen=True, slots=True)
class ReferenceHelp:
    """The whole language."""

    template: ClassVar[str] = "help/reference.txt.j2"
    server: str
    rows: tuple[ReferenceRow, ...]


@dataclass(frozen=True, slots=True)
class VerbHelp:
    """One command."""

    template: ClassVar[str] = "help/verb.txt.j2"
    name: str
    summary: str
    usage: str
    server: str
    example: str
    text: str
    aliases: str


@dataclass(frozen=True, slots=True)
class GameHelp:
    """A game's own page, and its options as a challenge takes them."""

    template: ClassVar[str] = "help/game.txt.j2"
    page: str
    options: tuple[str, ...]


TEMPLATES = (
    IntroductionHelp,
    TutorialHelp,
    ClocksHelp,
    CommandsHelp,
    ReferenceHelp,
    VerbHelp,
    GameHelp,
)
"""Every context of this subject."""
