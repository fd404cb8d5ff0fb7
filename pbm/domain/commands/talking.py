"""Words for other players: beside a board, to some, to all who want them; and who listens."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Chat(Command):
    """The text of the mail goes to the players and followers of a board, and is kept with it."""

    board: int | None


@dataclass(frozen=True, slots=True)
class Message(Command):
    """The text of the mail goes to these players."""

    userids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broadcast(Command):
    """The text of the mail goes to everybody who wants broadcasts."""


@dataclass(frozen=True, slots=True)
class Follow(Command):
    """Follow boards, or all of a game; with `only_end` one mail each, when they are over."""

    boards: tuple[int, ...]
    everything: bool = False
    only_end: bool = False


@dataclass(frozen=True, slots=True)
class Unfollow(Command):
    """Follow them no longer."""

    boards: tuple[int, ...]
    everything: bool = False
