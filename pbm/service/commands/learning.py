"""Commands for those who want to play better: a hint, and a look back at a finished match."""

from dataclasses import dataclass

from pbm.service.bridge import AtBoard, Line, Reading, Verb, read_bare_verb


@dataclass(frozen=True, slots=True)
class Hint(AtBoard):
    """What a robot would play in the sender's place."""


@dataclass(frozen=True, slots=True)
class Analyse(AtBoard):
    """What each move of a finished match won or lost."""


def _read_hint(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Hint(number))


def _read_analyse(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Analyse(number))


VERBS: tuple[Verb, ...] = (
    Verb("hint", "B [userid password]", "says what a robot would play in your place",
         "hint 104 alice your-password", _read_hint, ("hints",),
         text="For your turn in an unrated match against a robot, and nowhere else: matches "
              "between people are their own. You get a move, how often it won when it was tried, "
              "and the second best. Nothing is played: reply the move that you want. In a reply to "
              "a board mail the word alone is enough.\n"
              "It takes a few seconds, or longer if others are thinking too."),
    Verb("analyse", "B [userid password]", "shows what each move of a finished match won or lost",
         "analyse 104 alice your-password", _read_analyse, ("analyze", "analysis"),
         text="For any match that is over and that you may see. You get a curve of what the match "
              "was worth to one side after each move, and its biggest mistakes with what a robot "
              "would have played. That is an opinion: robots can be wrong.\n"
              "It takes a minute, or longer if others are waiting. A match that is going on is "
              "never looked at."),
)  # fmt: skip
