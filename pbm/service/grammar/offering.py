"""Reading offers and the refusal of one."""

from pbm.domain.commands import Offer, Reject
from pbm.domain.offers import OfferKind
from pbm.domain.openness import Answer
from pbm.service.grammar.line import Line, Reading, Verb, read_bare_verb
from pbm.service.grammar.wishing import is_standing, read_standing


def _read_draw(line: Line) -> Reading:
    return read_bare_verb(line, lambda board, _due: Offer(board, OfferKind.DRAW))


def _read_undo(line: Line) -> Reading:
    return read_bare_verb(line, lambda board, _due: Offer(board, OfferKind.UNDO))


def _read_reject(line: Line) -> Reading:
    if is_standing(line):
        return read_standing(line, Answer.REJECT)
    return read_bare_verb(line, lambda board, _due: Reject(board))


VERBS: tuple[Verb, ...] = (
    Verb("draw", "B [userid password]", "offers a draw",
         "draw 104 alice your-password", _read_draw, ("propose",),
         text="It can go with a move, on the line below it. The opponent replies accept or "
              "reject; a move of his declines it too. The clock of the player to move runs on."),
    Verb("undo", "B [userid password]", "asks to take your last move back",
         "undo 104 alice your-password", _read_undo, ("takeback",),
         text="If the opponent replies accept, the board is again as it was before your last "
              "move, and it is your turn. Queued moves of both players are forgotten then."),
    Verb("reject", "B [userid password]", "says no to an offer",
         "reject 104 bob your-password", _read_reject,
         text="Also no to an invitation, as decline."),
)  # fmt: skip
