"""Words that a mail may begin with instead of a move, so that no move may begin with them.

A reply holds a move alone, and its first word decides how it is read: as a command, as the number
of a board, or as the name of a game.
"""

import re
from functools import cache

from pbm.engine.notation import fold

REPLIES = frozenset(
    {"all", "cancel", "end", "kibitz", "next", "no", "ok", "please", "quit", "start", "stop",
     "thanks", "yes"}
)  # fmt: skip
"""What else than a command a whole reply may consist of."""


@cache
def words() -> frozenset[str]:
    """Return the words that are no moves: the commands of the server, and REPLIES."""
    # Only the tools of game authors ask, so a game does not load the server to be played.
    from pbm.service.grammar import verbs  # noqa: PLC0415

    return REPLIES.union(*(verb.words for verb in verbs()))


_BOARD_NUMBER = re.compile(r"#?[0-9]+(?:#[0-9]+)?,?")
_PLY = re.compile(r"# ?[0-9]+$")


def is_reserved(notation: str, *game_names: str) -> bool:
    """Return whether a mail with the move `notation` would be read as something else.

    That is so if it begins with a command, with one of the `game_names` or with a plain number,
    which is a board's, or if it ends in "#7", which is the number of a move.
    """
    typed = fold(notation)
    first = typed.partition(" ")[0]
    named = first in words() or first in map(fold, game_names)
    return named or bool(_BOARD_NUMBER.fullmatch(first) or _PLY.search(typed))
