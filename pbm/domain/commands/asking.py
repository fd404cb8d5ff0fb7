"""Questions: help, boards, tables."""

from dataclasses import dataclass

from pbm.domain.commands.base import Command


@dataclass(frozen=True, slots=True)
class Help(Command):
    """The introduction, or the page on a game, a verb or a topic."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Boards to be looked at: (number, ply or None for the present position).

    Without them, those of the players, `which` as for Games.
    """

    boards: tuple[tuple[int, int | None], ...]
    userids: tuple[str, ...] = ()
    which: str = "active"


@dataclass(frozen=True, slots=True)
class Games(Command):
    """A table of boards; `which` is active (the default), all, inactive or next."""

    userids: tuple[str, ...] = ()
    which: str = "active"
