"""Commands at a board: moves, the pie rule, resigning."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.offers import OfferKind
from pbm.engine import fold
from pbm.service.bridge import (
    AtBoard,
    Command,
    Line,
    Reading,
    Verb,
    read_bare_verb,
    read_board_verb,
)
from pbm.service.commands.invitations import Accept
from pbm.service.commands.offers import Offer, Reject


@dataclass(frozen=True, slots=True)
class Move(AtBoard):
    """A turn on a board. `due` is the ply that the player meant, if they said so."""

    text: str
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Swap(AtBoard):
    """The pie rule on a board."""

    due: int | None = None


@dataclass(frozen=True, slots=True)
class Resign(AtBoard):
    """The end of a match by giving it up."""


_MOVE_WORDS: dict[str, Callable[[int | None, int | None], Command]] = {
    "swap": Swap,
    "pie": Swap,
    "resign": lambda number, _due: Resign(number),
    "propose": lambda number, _due: Offer(number, OfferKind.DRAW),
    "draw": lambda number, _due: Offer(number, OfferKind.DRAW),
    "undo": lambda number, _due: Offer(number, OfferKind.UNDO),
    "accept": lambda number, _due: Accept(number),
    "reject": lambda number, _due: Reject(number),
}


def _read_move(line: Line) -> Reading:
    def make(number: int | None, due: int | None, text: str) -> Command:
        special = _MOVE_WORDS.get(fold(text))
        return special(number, due) if special else Move(number, text, due)

    return read_board_verb(line, make, least_rest=1)


def _read_swap(line: Line) -> Reading:
    return read_bare_verb(line, Swap)


def _read_resign(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Resign(number))


VERBS: tuple[Verb, ...] = (
    Verb("move", "B[#n] [userid password] MOVE[#n]", "plays a move",
         "move 104 alice your-password G7", _read_move, ("mvoe", "mov", "qmove"),
         text="In a reply to a board mail the move alone is enough. #n says that you mean "
              "ply n and refuses if another is due. What you write below is your comment, "
              "which the other players read. MOVE may be swap, resign, propose (a draw), "
              "undo, accept or reject."),
    Verb("swap", "B [userid password]", "uses the pie rule: you take the other side",
         "swap 104 bob your-password", _read_swap, ("pie",),
         text="Possible once, in place of the second move, where the game has this rule."),
    Verb("resign", "B [userid password]", "gives a match up, whether or not it is your turn",
         "resign 104 alice your-password", _read_resign,
         text="Before your first move it declines the match, which then does not count."),
)  # fmt: skip
