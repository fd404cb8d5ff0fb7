"""Commands of standing answers and seeks."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood, UnreadSecret
from pbm.domain.invitations import SEEK_LASTS, Answer, whole_number
from pbm.engine import fold
from pbm.service.bridge import AtBoard, Command, Line, Reading, Verb, read_bare_verb
from pbm.service.line import Words, split_options


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
    """A wish for `count` matches against anybody who accepts; 0 withdraws it."""

    count: int
    options: Mapping[str, str]
    terms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WantSeeks(Command):
    """Mails of the seeks of a game, or of all games; or, if not `wanted`, no more of them."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class Withdraw(AtBoard):
    """An invitation or a seek of the player's own is taken back."""


_MOST = 100

_MOST_SOUGHT = 10


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
    number = _count_sought(line, words)
    credentials = words.credentials(line.proven, least_rest=0)
    if words.rest:
        raise UnreadSecret(
            "Nothing follows seek but a number of matches, who you are, and options.", line.example
        )
    return SeekMatches(number, options.game, options.match), credentials


def _count_sought(line: Line, words: Words) -> int:
    """Take the number of matches from the front; one, if the line names none."""
    first = words.rest[0] if words.rest else ""
    if not first[:1].isdigit():
        return 1
    number = _count(line, words) or 0
    if number > _MOST_SOUGHT:
        raise NotUnderstood(f"seek takes a number from 0 to {_MOST_SOUGHT}.", line.example)
    return number


def _read_withdraw(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Withdraw(number))


def names_seeks(line: Line) -> bool:
    """Return whether the line is about seeks, and not about boards."""
    return fold("".join(line.words.rest[:1])) in ("seek", "seeks")


def read_want_seeks(line: Line, *, wanted: bool) -> Reading:
    """Read `seeks [userid password]`."""
    del line.words.rest[0]
    credentials = line.words.credentials(line.proven, least_rest=0)
    if line.words.rest:
        raise NotUnderstood("Nothing follows seeks but who you are.", line.example)
    return WantSeeks(wanted), credentials


def _count(line: Line, words: Words, none_words: tuple[str, ...] = ()) -> int | None:
    """Take a number from the front; None for one of `none_words`."""
    first = words.rest[0] if words.rest else ""
    if fold(first) in none_words:
        del words.rest[0]
        return None
    number = whole_number(first, _MOST)
    if number is None:
        raise NotUnderstood(f"{line.verb.name} needs a number from 0 to {_MOST}.", line.example)
    del words.rest[0]
    return number


VERBS: tuple[Verb, ...] = (
    Verb("ask", "[userid password]", "asks you about every invitation to a game",
         "GAME ask alice your-password", _read_ask, needs_game=True,
         text="This is how it works unless you say otherwise. GAME accept userid password "
              "accepts every invitation to a game, GAME reject userid password declines every "
              "one."),
    Verb("limit", "N [userid password]", "limits your open boards of a game",
         "GAME limit 5 alice your-password", _read_limit, needs_game=True,
         text="Invitations beyond it are declined for you. limit off removes it."),
    Verb("seek", "[HOW-MANY] [userid password] [-option=value] [--option=value]",
         "looks for an opponent, or for several", "GAME seek alice your-password", _read_seek,
         needs_game=True,
         text="Everybody sees it by list, and those who want to know get a mail. The first who "
              "accepts gets the board. If somebody seeks the same already, the match begins at "
              "once. Options and terms are those of challenge; seats are drawn unless you ask "
              "for one by --seat. You can seek one kind of match of a game at a time.\n"
              f"It ends after {SEEK_LASTS.days} days. withdraw and its number takes it back; so "
              "does GAME seek 0.\n"
              "GAME notify seeks tells you of the seeks of others."),
    Verb("withdraw", "N [userid password]", "takes an invitation or seek of your own back",
         "withdraw 104 alice your-password", _read_withdraw,
         text="In a reply to the mail that said it is on its way, the word alone is enough. A "
              "match that has begun cannot be taken back."),
)  # fmt: skip
