from dataclasses import replace

from pbm.domain.match import Ending, Outcome
from pbm.domain.play import LiveMatch
from pbm.features.plans import preview_letter
from pbm.service.tokens import Token, TokenKind
from tests.domain.matches import ALICE, PEOPLE, after

TO = PEOPLE[ALICE]
REPLY = Token(TokenKind.BOARD, 104, ALICE, 4)
TABLE = after("b2", "swap", "a1")


def new(outcome: Outcome | None = None) -> LiveMatch:
    """Return a new board, which has no number."""
    return replace(TABLE, match=replace(TABLE.match, number=0, outcome=outcome))


LETTERS = (
    preview_letter(TO, TABLE, ("a1",), PEOPLE, submitted=True, reply=REPLY),
    preview_letter(TO, TABLE, ("a1", "c3"), PEOPLE, reply=REPLY),
    preview_letter(TO, TABLE, (), PEOPLE, reply=REPLY),
    preview_letter(TO, new(), (), {}),
    preview_letter(TO, new(Outcome(Ending.RULES, (0,), "row")), ("a1",), {}),
    preview_letter(TO, new(Outcome(Ending.RULES, (), "full")), ("a1",), {}),
)
