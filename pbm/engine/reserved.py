"""Words that a mail may begin with instead of a move, so that no move may begin with them.

A reply holds a move alone, and its first word decides how it is read: as a command, as the number
of a board, or as the name of a game. The commands belong to the server, which the engine does not
know. So they are a table here, and a test of the server compares it with the real ones.
"""

import re

from pbm.engine.notation import fold

WORDS = frozenset(
    {
        "?", "accept", "add", "again", "all", "analyse", "analysis", "analyze", "ask", "block",
        "blocks", "board", "broadcast", "cancel", "chall", "challe", "challen", "challeng",
        "challenge", "change", "chat", "confirm", "decline", "display", "draw", "end",
        "follow", "forgot", "games", "help", "hint", "hints", "history", "holiday", "holidays",
        "info", "invite", "kibitz", "limit", "list", "log", "logout", "message", "mov", "move",
        "msg", "mvoe", "next", "no", "notify", "ok", "pie", "please", "prev", "previ",
        "previe", "preview", "propose", "qmove", "queue", "quit", "ratings", "record",
        "refuse", "register", "reject", "rematch", "report", "resign", "robot", "robot-1",
        "robot-2", "robot-3", "robot-4", "robot-5", "seek", "set", "settings", "show",
        "sign", "signoff", "signup", "standings", "start", "stop", "subm", "submi", "submit",
        "subs", "subsc", "subscr", "subscri", "subscrib", "subscribe", "swap", "takeback",
        "thanks", "unblock", "undo", "unfollow", "unregister", "unsubscribe",
        "vacation", "withdraw", "yes",
    }
)  # fmt: skip
"""The commands, what else a whole reply may consist of, and the usual short forms of both."""

_BOARD_NUMBER = re.compile(r"#?[0-9]+(?:#[0-9]+)?,?")
_PLY = re.compile(r"# ?[0-9]+$")


def is_reserved(notation: str, *game_names: str) -> bool:
    """Return whether a mail with the move `notation` would be read as something else.

    That is so if it begins with a command, with one of the `game_names` or with a plain number,
    which is a board's, or if it ends in "#7", which is the number of a move.
    """
    typed = fold(notation)
    first = typed.partition(" ")[0]
    named = first in WORDS or first in map(fold, game_names)
    return named or bool(_BOARD_NUMBER.fullmatch(first) or _PLY.search(typed))
