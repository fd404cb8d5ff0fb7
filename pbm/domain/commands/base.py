"""What every command is, and a request: a command with what the line said around it."""

from dataclasses import dataclass, field


class Command:
    """What a player asks for: a frozen dataclass with a handler and a row of the grammar."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Credentials:
    """The userid and password that a line began with; never shown, never stored."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """A command as one line asked for it: with the game it named and the credentials it gave.

    `verb` is the grammar's name of what was asked, for error texts. `game` is a game's key.
    """

    verb: str
    command: Command
    game: str | None = None
    credentials: Credentials | None = None
