"""Commands of standing answers and seeks."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.domain.periods import SEEK_LASTS
from pbm.domain.wishes import Answer
from pbm.engine import fold
from pbm.service.commands.line import Command, Line, Reading, Verb, Words, split_options


@dataclass(frozen=True, slots=True)
class AnswerAlways(Command):
    """A standing answer to invitations."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Limit(Command):
    """The most open boards of the game that the player wants; None removes the limit."""

    most: int | None


@dataclass(frozen=True, slots=True)
class SeekMatches(Command):
    """A wish for `count` matches against anybody who wants the same; 0 withdraws it."""

    count: int
    options: Mapping[str, str]
    terms: Mapping[str, str]


_MOST = 100


def is_standing(line: Line) -> bool:
    """Return whether `GAME accept` or `GAME reject` means every invitation, not a numbered one."""
    numbered = bool(line.words.rest) and line.words.rest[0].lstrip("#")[:1].isdigit()
    return line.game is not None and line.reply is None and not numbered


def read_standing(line: Line, answer: Answer) -> Reading:
    """Read `GAME accept|reject|ask userid password`."""
    return AnswerAlways(answer), line.words.credentials(line.proven, least_rest=0)


def _read_ask(line: Line) -> Reading:
    return read_standing(line, Answer.ASK)


def _read_limit(line: Line) -> Reading:
    number = _count(line, line.words, none_words=("off", "none", "no"))
    return Limit(number), line.words.credentials(line.proven, least_rest=0)


def _read_seek(line: Line) -> Reading:
    options = split_options(line.words.rest)
    words = Words(options.words)
    number = _count(line, words) or 0
    credentials = words.credentials(line.proven, least_rest=0)
    return SeekMatches(number, options.game, options.match), credentials


def _count(line: Line, words: Words, none_words: tuple[str, ...] = ()) -> int | None:
    """Take a number from the front; None for one of `none_words`."""
    first = words.rest[0] if words.rest else ""
    if fold(first) in none_words:
        del words.rest[0]
        return None
    if not (first.isascii() and first.isdigit()) or int(first[:6]) > _MOST:
        raise NotUnderstood(f"{line.verb.name} needs a number from 0 to {_MOST}.", line.example)
    del words.rest[0]
    return int(first)


VERBS: tuple[Verb, ...] = (
    Verb("ask", "[userid password]", "asks you about every invitation to a game",
         "GAME ask alice your-password", _read_ask, needs_game=True,
         text="This is how it works unless you say otherwise. GAME accept userid password "
              "accepts every invitation to a game, GAME reject userid password declines every "
              "one."),
    Verb("limit", "N [userid password]", "limits your open boards of a game",
         "GAME limit 5 alice your-password", _read_limit, needs_game=True,
         text="Invitations beyond it are declined for you. limit off removes it."),
    Verb("seek", "N [userid password] [-option=value] [--option=value]",
         "seeks N matches against anybody who wants the same",
         "GAME seek 2 alice your-password", _read_seek, needs_game=True,
         text="A match starts as soon as another player seeks one with the same options. Seats "
              "are drawn. seek 0 withdraws your seek; otherwise it ends after "
              f"{SEEK_LASTS.days} days."),
)  # fmt: skip
