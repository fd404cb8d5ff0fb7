"""What a row of the grammar is, and what it is given to read."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.commands import Command, Credentials
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player
from pbm.service.words import Words


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply token adds to a line: the player it proves and the board it answers."""

    player: Player
    number: int
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
        return self.verb.example


Reading = tuple[Command, Credentials | None]


@dataclass(frozen=True, slots=True)
class Verb:
    """A row of the grammar.

    `usage` is what follows the verb, `summary` one line for the list of commands, `text`
    the rest of its help page, `example` a line as players type it. `least` is the number
    of letters from which on the name may be shortened; 0: never.
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

    def is_called(self, word: str) -> bool:
        """Return whether `word` (folded) is the name, an alias, or a long enough beginning."""
        shortened = 0 < self.least <= len(word) and self.name.startswith(word)
        return word == self.name or word in self.aliases or shortened


def read_board_verb(
    line: Line, make: Callable[[int | None, int | None, str], Command], *, least_rest: int = 0
) -> Reading:
    """Read `B[#n] [userid password] rest[#n]`; the board may be left out in a reply."""
    number, due = line.words.board()
    if number is None and not line.reply:
        raise NotUnderstood(f"{line.verb.name} needs the number of a board.", line.example)
    player = line.reply.player if line.reply else None
    credentials = line.words.credentials(player, least_rest=least_rest)
    text, meant = line.words.text_and_ply()
    return make(number, meant or due, text), credentials
