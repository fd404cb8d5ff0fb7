"""Errors between a player's words and a position.

    GameError
    |-- MissingPackageError      a game needs a package that is not installed
    |-- OptionError              a game option or its value does not exist
    `-- MoveError                a turn was not played; `kind` tells scripts why
        |-- MoveSyntaxError      "syntax": the text cannot be read as a move of this game
        |-- IllegalMoveError     "illegal": it can be read, but a rule forbids it
        `-- UnfinishedMoveError  carries `candidates`
            |-- IncompleteMoveError   "incomplete": a part is missing
            `-- AmbiguousMoveError    "ambiguous": it fits more than one move

Each message is one sentence for the player, without their password, their mail or a traceback.
"""

from collections.abc import Iterable
from typing import ClassVar

from pbm.engine.notation import listing
from pbm.errors import PlainError


class GameError(PlainError):
    """The root of what a rule engine raises; `str()` is a sentence for the player."""


class MissingPackageError(GameError):
    """A game needs a package that is not installed: its module raises this when imported."""


class OptionError(GameError):
    """A game option, or the value given for it, does not exist."""


class MoveError(GameError):
    """A turn that was not played. Raise one of the subclasses.

    `candidates` are notations that the player may have meant, in a stable order; empty
    unless the error is about an unfinished move.
    """

    kind: ClassVar[str]
    candidates: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The error without the candidates, for a mail that lists them itself."""
        return super().__str__()


class MoveSyntaxError(MoveError):
    """The text cannot be read as a move of this game."""

    kind = "syntax"


class IllegalMoveError(MoveError):
    """The text is a move, but a rule forbids it; the message says which."""

    kind = "illegal"


class UnfinishedMoveError(MoveError):
    """A move that more words would settle; `candidates` are the ways to do so.

    `sentence` is a whole one without them; `str()` names them before its full stop or question
    mark.
    """

    def __init__(self, sentence: str, candidates: Iterable[str]) -> None:
        super().__init__(sentence)
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        said = self.sentence
        return f"{said[:-1]}: {listing(self.candidates)}{said[-1]}" if self.candidates else said


class IncompleteMoveError(UnfinishedMoveError):
    """A part of the turn is missing, such as the stone that a mill takes."""

    kind = "incomplete"


class AmbiguousMoveError(UnfinishedMoveError):
    """The text fits more than one legal move."""

    kind = "ambiguous"
