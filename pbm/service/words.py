"""Taking a command line apart: options, board numbers, credentials, moves."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbm.domain.commands import Credentials
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, fold_userid

_BOARD = re.compile(r"#?(\d{1,9})(?:#(\d{1,4}))?,?")
_PLY = re.compile(r"(.*?)\s*#\s*(\d{1,4})", re.DOTALL)
_OPTION = re.compile(r"(?a:(--?|\u2013|\u2014)([A-Za-z][A-Za-z0-9_]{0,30})(?:=(.*))?)")

_MATCH_MARKS = ("--", "\u2014")
"""What begins a match option: phones turn two hyphens into a long dash."""


@dataclass(frozen=True, slots=True)
class Options:
    """The words of a line with its options taken out."""

    words: tuple[str, ...]
    game: Mapping[str, str]
    match: Mapping[str, str]


def split_options(words: Iterable[str]) -> Options:
    """Return `words` without -name=value (of the game) and --name=value (of the match).

    An option without a value stands for yes.
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


def options_last(words: Sequence[str]) -> list[str]:
    """Return `words` with the options that stand before all others behind them.

    Options may stand anywhere in a line, and what they stand before may be its verb.
    """
    at = next((n for n, word in enumerate(words) if not _OPTION.fullmatch(word)), 0)
    return [*words[at:], *words[:at]]


class Words:
    """The words after a verb, taken from the front; `rest` is what is left of them."""

    def __init__(self, words: Iterable[str]) -> None:
        self.rest = list(words)

    def board(self) -> tuple[int | None, int | None]:
        """Take a board number `B` or `B#n`; return (B, n), (None, None) if there is none."""
        found = _BOARD.fullmatch(self.rest[0]) if self.rest else None
        if not found:
            return None, None
        del self.rest[0]
        return int(found[1]), int(found[2]) if found[2] else None

    def only_boards(self) -> bool:
        """Return whether nothing is left but board numbers, one or more, or nothing at all."""
        return all(map(is_board, self.rest))

    def credentials(self, proven: Player | None, *, least_rest: int) -> Credentials | None:
        """Take `userid password`, which may be missing where the mail proves who wrote it.

        Where it does, they are taken if the first word is the player's own userid, and then
        even if too few words are left for the rest: a password must never be read as a move.
        Raises NotUnderstood if they are needed and missing.
        """
        if proven is not None:
            named = self.rest and fold_userid(self.rest[0]) == fold_userid(proven.userid)
            if named and len(self.rest) > max(1, least_rest):
                del self.rest[:2]
            return None
        if len(self.rest) < 2:
            raise NotUnderstood("Say who you are: your userid and password are missing.")
        userid, password = self.rest[:2]
        del self.rest[:2]
        return Credentials(userid, password)

    def text_and_ply(self) -> tuple[str, int | None]:
        """Return the rest as one text, and the ply n if it ends in `#n`."""
        text = " ".join(self.rest)
        found = _PLY.fullmatch(text) if "#" in text else None
        return (found[1], int(found[2])) if found else (text, None)
