"""Refusals, each a sentence for the player and a line that would work.

    Refusal
    |-- NotUnderstood     a line that is not a command, or lacks words
    |   |-- NotLike       one with an unknown word; suggests similar words
    |   |-- Nameless      one that does not say who writes
    |   |-- Gameless      one that does not say which game
    |   |-- Boardless     one that does not say which board
    |   `-- UnreadSecret  one that may have passwords: none of its words may go out
    |-- UnknownName       no such board, game, player or option; suggests similar names
    |   `-- UnknownPlayer
    |-- NotAllowed        the sender may not do this
    |   `-- TooManyGuesses
    |-- NotNow            the match is not at a point where this can be done
    |   `-- StaleMove     meant for a ply other than the one due
    `-- WrongPassword     the words do not prove who wrote the mail

A MoveError of a game is the other family that reaches a player. Everything else is a bug.
"""

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import ClassVar

from pbm.errors import PlainError


class Fix(Enum):
    """The change that would make a refused line work; the answer to it offers that."""

    FORM = auto()
    """Another form of the line, or of what is meant by it."""
    WORDS = auto()
    """Nothing in the line; but its words may be meant for somebody else."""
    WHO = auto()
    """The name of its writer, or a reply to the answer."""
    GAME = auto()
    """The name of a game."""
    BOARD = auto()
    """The number of a board."""
    PROOF = auto()
    """Another proof of who has written it."""
    NOTHING = auto()
    """Nothing that its writer can do now."""


class Refusal(PlainError):  # noqa: N818 - an ordinary outcome, not an error
    """A request that is not carried out. `str()` is the sentence.

    `examples` are lines that would work for this player and board, without secrets; () leaves
    the choice of them to the door that catches the refusal.
    """

    fix: ClassVar[Fix] = Fix.NOTHING

    def __init__(self, sentence: str, *examples: str) -> None:
        super().__init__(sentence)
        self.examples = tuple(filter(None, examples))


class NotUnderstood(Refusal):
    """A line that cannot be read as a command."""

    fix = Fix.FORM


class NotLike(NotUnderstood):
    """A word that is not allowed in its place. `explain` returns the sentence.

    Searching for similar words takes longer than reading the line, and the refusals of most lines
    of a long text are never shown.
    """

    def __init__(self, explain: Callable[[], str], *examples: str) -> None:
        super().__init__("", *examples)
        self._explain = explain

    def __str__(self) -> str:
        return self._explain()


class UnreadSecret(NotUnderstood):
    """A line that cannot be read, and that may have passwords among its words."""


class Nameless(NotUnderstood):
    """A line that could be a command, but does not say who writes."""

    fix = Fix.WHO

    def __init__(self, *examples: str) -> None:
        super().__init__(NAMELESS, *examples)


class Gameless(NotUnderstood):
    """A line that must begin with the name of a game."""

    fix = Fix.GAME


class Boardless(NotUnderstood):
    """A line that must name a board."""

    fix = Fix.BOARD


NAMELESS = "Say who you are: your userid and password are missing."


class UnknownName(Refusal):
    """A board, game, player or option that does not exist."""

    fix = Fix.FORM


class UnknownPlayer(UnknownName):
    """A userid that nobody has. `name` is that word, which the sentence leaves out.

    It may be a password in the wrong place; the door that catches this decides whether to name it.
    """

    def __init__(self, name: str, hint: str, *examples: str) -> None:
        super().__init__(f"There is no player of that name.{hint}", *examples)
        self.name = name
        self.hint = hint


class NotAllowed(Refusal):
    """Something that this sender may not do."""

    fix = Fix.WORDS


class NotNow(Refusal):
    """Something that cannot be done at this point of the match."""

    fix = Fix.WORDS


class StaleMove(NotNow):
    """A move meant for a ply that is not the one due."""


class WrongPassword(Refusal):
    """Credentials that do not match; only registered addresses get this answer."""

    fix = Fix.PROOF


class TooManyGuesses(NotAllowed):
    """A password that was not tried, because too many wrong ones came before it."""

    fix = Fix.NOTHING


def unquoted(said: str, quotations: Iterable[str]) -> str:
    """Return a sentence with "that" in place of these quotations."""
    for quoted in quotations:
        said = said.replace(quoted, "That" if said.startswith(quoted) else "that")
    return said
