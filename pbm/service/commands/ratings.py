"""The command that asks for ratings."""

from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.service.bridge import Command, Line, Reading, Verb


@dataclass(frozen=True, slots=True)
class Standings(Command):
    """The rating list of the game named; else the ratings of one player, "" for the reader."""

    userid: str = ""


def _read_standings(line: Line) -> Reading:
    if len(line.words.rest) > 1:
        raise NotUnderstood("standings is about one player, or a whole game.", "standings")
    return Standings("".join(line.words.rest)), None


VERBS: tuple[Verb, ...] = (
    Verb("standings", "[userid]", "the rating list of a game, or one player's ratings",
         "GAME standings", _read_standings, ("ratings",),
         text="GAME standings is the list of a game. Without the name of a game it tells your "
              "ratings in all games, or those of the player you name. Ratings are Glicko-2: a "
              "newcomer has 1500; the number after +- says how uncertain that is, and ? that "
              "it is too uncertain to say much."),
)  # fmt: skip
