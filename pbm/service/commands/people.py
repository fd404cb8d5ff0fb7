"""Commands about other players: whom not to hear, and whom to tell the operator of."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.service.bridge import AtBoard, Command, Line, Reading, Verb, read_bare_verb
from pbm.service.line import is_board


@dataclass(frozen=True, slots=True)
class Block(Command):
    """Nothing that this player writes reaches the sender."""

    userid: str


@dataclass(frozen=True, slots=True)
class Unblock(Command):
    """What this player writes reaches the sender again."""

    userid: str


@dataclass(frozen=True, slots=True)
class Blocks(Command):
    """List whom the sender blocks."""


@dataclass(frozen=True, slots=True)
class Report(AtBoard):
    """The operator is told of a player, of a board, or of a player at a board."""

    userid: str = ""


def _userid(line: Line) -> str:
    words = line.words.rest
    if len(words) != 1:
        raise NotUnderstood(f"{line.verb.name} needs one userid.", line.example)
    return words[0]


def _read_person(line: Line, make: Callable[[str], Command]) -> Reading:
    credentials = line.words.credentials(line.proven, least_rest=1)
    return make(_userid(line)), credentials


def _read_blocks(line: Line) -> Reading:
    credentials = line.words.credentials(line.proven, least_rest=0)
    if line.words.rest:
        raise NotUnderstood("Nothing follows blocks but who you are.", line.example)
    return Blocks(), credentials


def _read_report(line: Line) -> Reading:
    """Read `B [userid password]` or `[userid password] userid|B`; a reply may say it alone.

    In a reply to a board mail, a player is reported with the board.
    """
    words = line.words.rest
    if not words or is_board(words[0]):
        return read_bare_verb(line, lambda number, _due: Report(number))
    credentials = line.words.credentials(line.proven, least_rest=1)
    if len(words) == 1 and is_board(words[0]):
        return Report(line.words.board_number()[0]), credentials
    at_board = line.answered if line.reply and line.reply.ply else None
    return Report(at_board, _userid(line)), credentials


VERBS: tuple[Verb, ...] = (
    Verb("block", "[userid password] userid", "lets nothing that a player writes reach you",
         "block alice your-password bob", lambda line: _read_person(line, Block),
         text="No invitation, message, chat or comment of theirs reaches you any more, and no "
              "seek pairs you. On boards that you share their moves still come, without the "
              "words, and the record that you get leaves their words out. They are not told."),
    Verb("unblock", "[userid password] userid", "lets a player write to you again",
         "unblock alice your-password bob", lambda line: _read_person(line, Unblock)),
    Verb("blocks", "[userid password]", "lists whom you block",
         "blocks alice your-password", _read_blocks),
    Verb("report", "userid password userid; report B [userid password]",
         "tells the operator of a player or a board, and nobody else",
         "report alice your-password bob", _read_report,
         text="What you write below it goes to the operator alone, with the last words on the "
              "board. Messages are not kept: copy into your mail what you complain of, without "
              "the quotation marks of your mail program."),
)  # fmt: skip
