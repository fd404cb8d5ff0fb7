"""Questions: boards, and tables of boards."""

from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.engine import fold
from pbm.service.bridge import Command, Line, Reading, Verb
from pbm.service.line import is_board


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Boards to look at: (number, ply or None for the present position).

    If there are none, the boards of the players `userids`; `which` is as for Games.
    """

    asked: tuple[tuple[int, int | None], ...]
    userids: tuple[str, ...] = ()
    which: str = "active"


@dataclass(frozen=True, slots=True)
class Games(Command):
    """A table of boards: of the players `userids`, of the reader, or of everybody.

    `which` is active (the default), all, inactive or next.
    """

    userids: tuple[str, ...] = ()
    which: str = "active"
    everybody: bool = False


def _read_show(line: Line) -> Reading:
    """Read `B[#n]...`, or after the name of a game `userid... [which]`."""
    if line.game and line.words.rest and not is_board(line.words.rest[0]):
        userids, which = _userids_and_which(line)
        if userids:
            return Show((), userids, which[-1] if which else "active"), None
    boards = []
    while line.words.rest:
        number, ply = line.words.board_number()
        if number is None:
            raise NotUnderstood(
                "Only numbers of boards follow show. To play a move, use move.", line.example
            )
        boards.append((number, ply))
    if not boards and line.answered is not None:
        boards.append((line.answered, None))
    if not boards:
        raise NotUnderstood("show needs the number of a board.", line.example)
    return Show(tuple(boards[:20])), None


_WHICH = ("all", "active", "inactive", "next")

_MOST_WORDS = 100
"""Words of a line that are looked at, because a line may have thousands, of letters of any kind."""


def _read_games(line: Line) -> Reading:
    """Read `[userid...] [which]`; all without userids means everybody's boards."""
    userids, which = _userids_and_which(line)
    if userids or "all" not in which:
        return Games(userids, which[-1] if which else "active"), None
    which.remove("all")
    return Games((), which[-1] if which else "active", everybody=True), None


def _userids_and_which(line: Line) -> tuple[tuple[str, ...], list[str]]:
    """Return the userids among the first words of a line, and the words that say which boards."""
    words = {word: fold(word) for word in line.words.rest[:_MOST_WORDS]}
    which = [form for form in words.values() if form in _WHICH]
    return tuple(word for word, form in words.items() if form not in _WHICH)[:20], which


VERBS: tuple[Verb, ...] = (
    Verb("show", "B[#n]...", "shows boards with all their moves", "show 104", _read_show,
         ("board", "display"),
         text="#n shows the position after n plies. GAME show userid... [all, active, inactive, "
              "next] shows up to 20 boards of these players in one mail."),
    Verb("games", "[userid...] [all, active, inactive, next]",
         "lists your boards, the most urgent first, with the time left", "games", _read_games,
         text="games next: only those where you are to move.\n"
              "games inactive: those that are over.\n"
              "games bob: the boards of bob; games bob all: with those that are over.\n"
              "games all: what is being played by all players.\n"
              "With the name of a game before it, only boards of that game."),
)  # fmt: skip
