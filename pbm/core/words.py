"""The words of a line: board numbers, credentials and options taken from its front."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from pbm.domain.errors import Fix, Nameless, NotAllowed
from pbm.domain.player import Player, fold_userid
from pbm.engine import frozen


@frozen
class Credentials:
    """The userid and password that a line began with; never shown, never stored."""

    userid: str
    password: str = field(repr=False)


_BOARD = re.compile(r"#?(\d{1,9})(?:#(\d{1,4}))?,?")

_PLY = re.compile(r"(.*?)\s*#\s*(\d{1,4})", re.DOTALL)

_OPTION = re.compile(r"(?a:(--?|\u2013|\u2014)([A-Za-z][A-Za-z0-9_]{0,30})(?:=(.*))?)")

_MATCH_MARKS = ("--", "\u2014")
"""The beginnings of a match option: phones turn two hyphens into a long dash."""


@frozen
class Options:
    """The words of a line with its options taken out."""

    words: tuple[str, ...]
    game: Mapping[str, str]
    match: Mapping[str, str]


def split_options(words: Iterable[str]) -> Options:
    """Return `words` without -name=value (of the game) and --name=value (of the match).

    An option without a value means yes.
    """
    plain: list[str] = []
    game: dict[str, str] = {}
    match: dict[str, str] = {}
    for word in words:
        found = _OPTION.fullmatch(word)
        if not found:
            plain.append(word)
        elif found[1] in _MATCH_MARKS:
            match[found[2]] = found[3] or ""
        else:
            game[found[2]] = "yes" if found[3] is None else found[3]
    return Options(tuple(plain), game, match)


def is_board(word: str) -> bool:
    """Return whether `word` is a board number, `B` or `B#n`."""
    return _BOARD.fullmatch(word) is not None


def board_written(number: int, ply: int | None = None) -> str:
    """Return "104", or "104#7", as a line names a board."""
    return f"{number}" if ply is None else f"{number}#{ply}"


def options_last(words: Sequence[str]) -> list[str]:
    """Return `words` with the options at their front moved to the end.

    Options may be anywhere in a line, even before its verb.
    """
    at = next((n for n, word in enumerate(words) if not _OPTION.fullmatch(word)), 0)
    return [*words[at:], *words[:at]]


class Words:
    """The words after a verb, taken from the front; `rest` is what is left of them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.rest = list(words)

    def board_number(self) -> tuple[int | None, int | None]:
        """Take a board number `B` or `B#n`; return (B, n), or (None, None)."""
        found = _BOARD.fullmatch(self.rest[0]) if self.rest else None
        if not found:
            return None, None
        del self.rest[0]
        return int(found[1]), int(found[2]) if found[2] else None

    def credentials(self, proven: Player | None, *, least_rest: int) -> Credentials | None:
        """Take `userid password`, which may be missing in a reply of the player `proven`.

        In a reply they are taken if the first word is the player's own userid, even if too
        few words are left for the rest: a password must never be read as a move.
        Raises Nameless if they are needed and missing.
        """
        if proven is not None:
            if len(self.rest) <= max(1, least_rest):
                return None
            if fold_userid(self.rest[0]) != fold_userid(proven.userid):
                return None
        elif len(self.rest) < 2:
            raise Nameless
        userid, password = self.rest[:2]
        del self.rest[:2]
        return Credentials(userid, password)

    def text_and_ply(self) -> tuple[str, int | None]:
        """Return the rest as one text, and the ply n if it ends in `#n`."""
        text = " ".join(self.rest)
        found = _PLY.fullmatch(text) if "#" in text else None
        return (found[1], int(found[2])) if found else (text, None)


@frozen
class Reply:
    """The meaning of a reply: the player that it proves and the board that it answers.

    `number` is None unless it answers a mail about one board. `ply` was due on the board when moves
    had been taken back there `undos` times. `made_at` is the time of the mail, if its token has it.
    `answers` is False if the mail has no token and proves its player by an authenticated From.
    `talk`: the mail only passed on a message to the board. `writes_to` is the userid of
    the player whose message or broadcast is answered; such a reply proves nothing else. `lost`: the
    token cannot be read. Then `player` is taken from the From and `number` from the subject, and
    nothing is proven. `question` is the id of the question that the mail asks, or 0.
    """

    player: Player
    number: int | None
    ply: int
    undos: int = 0
    made_at: datetime | None = None
    answers: bool = True
    talk: bool = False
    writes_to: str | None = None
    lost: bool = False
    question: int = 0


class OutOfDate(NotAllowed):
    """A reply to a mail that is too old for what it asks."""

    fix = Fix.PROOF


def void(reply: Reply) -> OutOfDate | None:
    """Return the Refusal if `reply` proves nothing any more, or None if it may prove something."""
    since = reply.player.tokens_since
    if not reply.answers:
        return None
    if reply.lost:
        return out_of_date("The link in the mail that you answered is too old.")
    if since and reply.made_at and reply.made_at <= since:
        return out_of_date(
            "You answered a mail from before you logged out, or had another password."
        )
    return None


def out_of_date(sentence: str) -> OutOfDate:
    """Return the refusal of a reply to a mail that is too old."""
    return OutOfDate(f"{sentence} Nothing was done: please answer this one instead.")
