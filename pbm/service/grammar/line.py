"""What a row of the grammar is, and what it is given to read."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.commands import Command, Credentials
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player
from pbm.service.words import Words


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply token adds to a line: the player it proves and the board it answers.

    `number` is None if it answers a mail about several boards, or none.
    """

    player: Player
    number: int | None
    ply: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line on its way to a request: the words after the verb, and what is known beside them."""

    verb: "Verb"
    words: Words
    game: str | None
    reply: Reply | None

    @property
    def example(self) -> str:
        """A line of the right form, for refusals."""
        return self.verb.example_for(self.game or "GAME")

    @property
    def answered(self) -> int | None:
        """The number of the board whose mail this answers, which may be left out."""
        return self.reply.number if self.reply else None

    @property
    def proven(self) -> Player | None:
        """The player whom a reply token proves, who may leave userid and password out."""
        return self.reply.player if self.reply else None


Reading = tuple[Command, Credentials | None]


@dataclass(frozen=True, slots=True)
class Verb:
    """A row of the grammar.

    `usage` is what follows the verb, `summary` one line for the list of commands, `text`
    the rest of its help page, a paragraph a line, `example` a line as players type it, with
    GAME for the key of any game. `least` is the number of letters from which on the name may
    be shortened; 0: never.
    """

    name: str
    usage: str
    summary: str
    example: str
    read: Callable[[Line], Reading]
    aliases: tuple[str, ...] = ()
    least: int = 0
    needs_game: bool = False
    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """What it is called: the name, the aliases, and long enough beginnings of the name."""
        lengths = range(self.least, len(self.name)) if self.least else ()
        return (self.name, *self.aliases, *(self.name[:length] for length in lengths))

    def example_for(self, game: str) -> str:
        """Return the example with the key of a game that there is."""
        return self.example.replace("GAME", game)


def no_board(line: Line) -> NotUnderstood:
    """Return the refusal of a line that names no board, in a mail that answers none.

    The example is left to the door for who replies to a mail about several boards: it knows
    which they are, and that he needs no password.
    """
    example = "" if line.reply else line.example
    return NotUnderstood(f"{line.verb.name} needs the number of a board.", example)


def read_board_verb(
    line: Line, make: Callable[[int | None, int | None, str], Command], *, least_rest: int = 0
) -> Reading:
    """Read `B[#n] [userid password] rest[#n]`; the board may be left out in a reply."""
    number, due = line.words.board()
    if number is None and line.answered is None:
        raise no_board(line)
    credentials = line.words.credentials(line.proven, least_rest=least_rest)
    text, meant = line.words.text_and_ply()
    return make(number, due if meant is None else meant, text), credentials


def _alone(line: Line, number: int | None) -> str:
    """Return all that a reply needs: the verb, and the board if the line named one."""
    return line.verb.name if number is None else f"{line.verb.name} {number}"


def read_bare_verb(line: Line, make: Callable[[int | None, int | None], Command]) -> Reading:
    """Read `B[#n] [userid password]` and nothing more.

    In a reply these verbs stand alone, and a sentence may begin with one: "Resign? Never!" is
    no resignation, and neither is "resign already!".
    """

    def take(number: int | None, due: int | None, text: str) -> Command:
        if text:
            raise NotUnderstood(
                f"Nothing follows {line.verb.name} but the board and who you are; what you want "
                "to say goes below it.",
                _alone(line, number) if line.reply else line.example,
            )
        return make(number, due)

    return read_board_verb(line, take)
