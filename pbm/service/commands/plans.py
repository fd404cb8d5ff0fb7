"""Commands for what players prepare for their turn, or look at without playing it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.engine import fold
from pbm.service.bridge import (
    AtBoard,
    Command,
    Line,
    Reading,
    Verb,
    read_bare_verb,
    read_board_verb,
)
from pbm.service.line import split_options


@dataclass(frozen=True, slots=True)
class Queue(AtBoard):
    """A move kept for one's turn; `condition` holds the moves that must come first, None: any.

    Without `text` the condition ends with the move that is kept. Without both it asks what is
    queued.
    """

    text: str = ""
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Submit(AtBoard):
    """A move that its player wants to see before it is played."""

    text: str
    due: int | None = None


@dataclass(frozen=True, slots=True)
class PlaySubmitted(AtBoard):
    """The submitted move, to be played now."""


@dataclass(frozen=True, slots=True)
class Preview(AtBoard):
    """A board as it would be after the moves of `text`, from now or from ply `ply`."""

    text: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class PreviewNew(Command):
    """A new board of a game as it would be after the moves of `text`."""

    game: str
    text: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ClearQueue(AtBoard):
    """Forget all queued moves of the player on a board."""


_IF = re.compile(r"(?:^|\s+)if\b\s*", re.IGNORECASE)

_CLEAR = frozenset({"clear", "none", "off"})


def _read_queue(line: Line) -> Reading:
    def make(number: int | None, _due: int | None, text: str) -> Command:
        if fold(text) in _CLEAR:
            return ClearQueue(number)
        move, *condition = _IF.split(text, maxsplit=1)
        return Queue(number, move, condition[0] if condition else None)

    return read_board_verb(line, make)


def _read_submit(line: Line) -> Reading:
    return read_board_verb(line, lambda number, due, text: Submit(number, text, due), least_rest=1)


def _read_confirm(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: PlaySubmitted(number))


def _read_preview(line: Line) -> Reading:
    if line.words.rest and fold(line.words.rest[0]) == "new":
        return _read_preview_new(line)
    number, ply = line.words.board_number()
    if number is None and line.answered is None:
        raise NotUnderstood("preview needs the number of a board, or new.", line.example)
    if line.reply:
        line.words.credentials(line.reply.player, least_rest=1)
    return Preview(number, " ".join(line.words.rest), ply), None


def _read_preview_new(line: Line) -> Reading:
    if line.game is None:
        raise NotUnderstood("preview new begins with the name of a game.", "help preview")
    options = split_options(line.words.rest[1:])
    return PreviewNew(line.game, " ".join(options.words), options.game), None


VERBS: tuple[Verb, ...] = (
    Verb("queue", "B [userid password] MOVE [if MOVE...]", "keeps a move for your turn",
         "queue 104 alice your-password G7 if F6", _read_queue,
         text="Moves without a condition are played in the order given, one at each of your "
              "turns. After if, give all moves from now on that must have been played: your "
              "opponent's, or theirs, yours and theirs again (G7 if F6 then F5 then E5); several "
              "lines make a tree. A move that has become illegal is dropped, and you are told. "
              "queue 104 alone shows what is queued, queue 104 clear forgets it.\n"
              "The same in the order of play: queue 104 if F6 then G7. In a longer line, as in if "
              "F6 then G7 then E5 then D4, both G7 and D4 are kept.\n"
              "Nobody else is told what you have queued, nor that a move of yours was."),
    Verb("submit", "B [userid password] MOVE[#n]", "shows you a move before it is played",
         "submit 104 alice your-password G7", _read_submit, least=4,
         text="Only you get the board as it would be. Reply confirm to play the move, or submit "
              "another move."),
    Verb("confirm", "B [userid password]", "plays the move that you have submitted",
         "confirm 104 alice your-password", _read_confirm,
         text="It is refused if another move is due now."),
    Verb("preview", "B[#n] MOVE..., or GAME preview new MOVE... [-option=value]",
         "shows a position without storing it", "preview 104 G7 F6", _read_preview, least=4,
         text="The sides move in turn, from the present position, or from the one after n "
              "plies. Nothing is played and nobody else is told."),
)  # fmt: skip
