"""What players ask for, as frozen values. The grammar makes them, the handlers carry them out."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Credentials:
    """The userid and password that a line began with; never shown, never stored."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Help:
    """The introduction, or the page on a game, a verb or a topic."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Signup:
    """An account for whoever answers at the address that wrote."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Confirm:
    """A reply to the confirmation mail; `userid` is a new choice, if the first was taken."""

    signup: int
    userid: str = ""


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to a match. `players` are userids in the order of seats."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    terms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Accept:
    """Yes to an invitation."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Decline:
    """No to an invitation."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Move:
    """A turn on a board. `due` is the ply that the player meant, if he said so."""

    board: int | None
    text: str
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """The pie rule on a board."""

    board: int | None
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """The end of a match by giving it up."""

    board: int | None


@dataclass(frozen=True, slots=True)
class Show:
    """Boards to be looked at: (number, ply or None for the present position)."""

    boards: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Games:
    """A table of boards; `which` is active (the default), all, inactive or next."""

    userids: tuple[str, ...] = ()
    which: str = "active"


Command = (
    Help | Signup | Confirm | Challenge | Accept | Decline | Move | Swap | Resign | Show | Games
)


@dataclass(frozen=True, slots=True)
class Request:
    """A command as one line asked for it: with the game it named and the credentials it gave.

    `verb` is the grammar's name of what was asked, for error texts. `game` is a game's key.
    """

    verb: str
    command: Command
    game: str | None = None
    credentials: Credentials | None = None
