"""The table of plain words: by the question and the answer to it, the command that is meant.

Each row gives a line of the grammar, or the question that must come first. No row makes a move of
words. Words without a row are refused.
"""

from collections.abc import Mapping
from enum import Enum, auto

from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.words import Meaning
from pbm.service.grammar import CHAT


class Asked(Enum):
    """The subject of the mail that is answered."""

    INVITED = auto()
    """An invitation that waits for the reader."""
    WAITING = auto()
    """An invitation that waits for somebody else, or is closed."""
    STARTED = auto()
    """An invitation that has become a board since."""
    BOARD = auto()
    """A board, as it is now."""
    EARLIER = auto()
    """A board as it was before the last move."""
    OFFER = auto()
    """A board where the opponent's offer waits for the reader."""
    OVER = auto()
    """The end of a match, or something after it."""
    FOLLOWED = auto()
    """A board that the reader does not play on."""
    SEVERAL = auto()
    """Several boards, or no board."""
    NOTHING = auto()
    """No mail of the server, as far as it can be known."""


PLAYED = (Asked.BOARD, Asked.EARLIER, Asked.OFFER)

_BOARDS = (*PLAYED, Asked.STARTED, Asked.OVER, Asked.FOLLOWED)

_NO_BOARD = (Asked.WAITING, Asked.OVER, Asked.SEVERAL, Asked.NOTHING)

ROWS: Mapping[tuple[Asked, Meaning], str] = {
    (Asked.INVITED, Meaning.YES): "accept",
    (Asked.INVITED, Meaning.NO): "decline",
    (Asked.WAITING, Meaning.YES): "accept",
    (Asked.WAITING, Meaning.UNDO): "withdraw",
    (Asked.OFFER, Meaning.YES): "accept",
    (Asked.OFFER, Meaning.NO): "reject",
    (Asked.EARLIER, Meaning.YES): "accept",
    (Asked.EARLIER, Meaning.NO): "reject",
    (Asked.BOARD, Meaning.YES): CHAT,
    (Asked.BOARD, Meaning.NO): CHAT,
    (Asked.OVER, Meaning.YES): CHAT,
    (Asked.OVER, Meaning.NO): CHAT,
    (Asked.OVER, Meaning.AGAIN): "rematch",
    (Asked.OVER, Meaning.RESIGN): "resign",
    **{(asked, Meaning.POLITE): CHAT for asked in (*PLAYED, Asked.OVER)},
    **{(asked, Meaning.SWAP): "swap" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.DRAW): "draw" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.UNDO): "undo" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.SHOW): "show" for asked in _BOARDS},
    (Asked.SEVERAL, Meaning.SHOW): "games",
    (Asked.NOTHING, Meaning.SHOW): "games",
    **{(asked, Meaning.GAMES): "games" for asked in Asked},
    **{(asked, Meaning.AWAY): "vacation" for asked in Asked},
    **{(asked, Meaning.FORGOT): "forgot" for asked in Asked},
    **{(asked, Meaning.ADDRESS): "change address {address}" for asked in Asked},
    **{(asked, Meaning.AGAIN): "rematch" for asked in (*PLAYED, Asked.STARTED)},
    **{(asked, Meaning.HINT): "hint" for asked in (*_BOARDS, Asked.SEVERAL)},
    **{(asked, Meaning.ANALYSE): "analyse" for asked in (*_BOARDS, Asked.SEVERAL)},
    **{(asked, Meaning.RULES): "help {game}" for asked in Asked},
    **{(asked, Meaning.HELP): "help" for asked in Asked},
    **{(asked, Meaning.OPPONENT): "help" for asked in _NO_BOARD},
    **{(asked, Meaning.LIST): "list" for asked in Asked},
    **{(asked, Meaning.LOOK): "set" for asked in Asked},
    **{(asked, Meaning.ROBOT): "robot" for asked in (Asked.SEVERAL, Asked.NOTHING)},
    **{(asked, Meaning.ROBOT): "robot {game}" for asked in (Asked.WAITING, Asked.OVER)},
}
"""The line that is meant by the words, for each kind of mail that they answer."""

_RESIGN = NotUnderstood(
    "Do you want to give this match up? That cannot be taken back, so please say it in one word, "
    "resign or yes.",
    "resign",
)

_WHICH_OFFER = NotUnderstood(
    "That mail asks for no yes or no, so nothing was done. An offer is answered by accept or "
    "reject and the number of its board; help tells how to begin a match.",
    "accept board-number",
    "help",
)

UNSURE: Mapping[Asked, Refusal] = {
    Asked.OFFER: NotUnderstood(
        "An offer waits for your answer, and it is not sure that you agree to it. Reply accept or "
        "reject in one word.",
        "accept",
        "reject",
    ),
    Asked.INVITED: NotUnderstood(
        "This invitation waits for your answer. Reply accept if you want to play, or decline.",
        "accept",
        "decline",
    ),
}
"""The questions back, if words follow a yes that cannot be understood."""

_NO_OFFER = "A yes or a no counts only in a reply to the mail that asks for it. Nothing was done."

QUESTIONS: Mapping[tuple[Asked, Meaning], Refusal] = {
    **{(asked, Meaning.RESIGN): _RESIGN for asked in (*PLAYED, Asked.STARTED)},
    (Asked.INVITED, Meaning.POLITE): UNSURE[Asked.INVITED],
    (Asked.STARTED, Meaning.YES): NotNow(
        "You have accepted this invitation already, and the match has begun. Here is the board."
    ),
    (Asked.STARTED, Meaning.NO): NotNow(
        "The match that you accepted has begun. If you do not want to play it, reply decline "
        "before your first move, and it does not count.",
        "decline",
    ),
    (Asked.SEVERAL, Meaning.RESIGN): NotUnderstood(
        "To give a match up, reply resign and the number of its board. If you want to leave this "
        "server, reply stop.",
        "resign board-number",
    ),
    **{(Asked.SEVERAL, meaning): _WHICH_OFFER for meaning in (Meaning.YES, Meaning.NO)},
    (Asked.NOTHING, Meaning.YES): NotUnderstood(_NO_OFFER, "games", "help"),
    (Asked.NOTHING, Meaning.NO): NotUnderstood(_NO_OFFER, "games"),
}
"""The questions back, if the words are clear but not enough."""

SILENT = frozenset(
    (asked, Meaning.POLITE)
    for asked in (Asked.WAITING, Asked.STARTED, Asked.FOLLOWED, Asked.SEVERAL, Asked.NOTHING)
)
"""Courtesies that are not answered, except for a greeting that is no reply."""
