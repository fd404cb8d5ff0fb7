"""Commands that make and reject offers. `Accept` says yes to one, as to an invitation."""

from dataclasses import dataclass

from pbm.domain.invitations import Answer
from pbm.domain.offers import OfferKind
from pbm.service.bridge import AtBoard, Line, Reading, Verb, read_bare_verb
from pbm.service.commands.wishes import is_standing, read_standing


@dataclass(frozen=True, slots=True)
class Offer(AtBoard):
    """An offer of a draw, or to take back one's last move; yes to the same from the opponent."""

    kind: OfferKind


@dataclass(frozen=True, slots=True)
class Reject(AtBoard):
    """No to an offer, or to an invitation."""


def _read_draw(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Offer(number, OfferKind.DRAW))


def _read_undo(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Offer(number, OfferKind.UNDO))


def _read_reject(line: Line) -> Reading:
    if is_standing(line):
        return read_standing(line, Answer.REJECT)
    return read_bare_verb(line, lambda number, _due: Reject(number))


VERBS: tuple[Verb, ...] = (
    Verb("draw", "B [userid password]", "offers a draw",
         "draw 104 alice your-password", _read_draw, ("propose",),
         text="It can go with a move, on the line below it. The opponent replies accept or "
              "reject; a move of theirs also declines it. The clock of the player to move keeps "
              "running."),
    Verb("undo", "B [userid password]", "asks to take your last move back",
         "undo 104 alice your-password", _read_undo, ("takeback",),
         text="If the opponent replies accept, the board goes back to how it was before your "
              "last move, and it is your turn. Queued moves of both players are then forgotten."),
    Verb("reject", "B [userid password]", "says no to an offer",
         "reject 104 bob your-password", _read_reject,
         text="It also says no to an invitation, like decline."),
)  # fmt: skip
