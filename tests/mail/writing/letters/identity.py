from pbm.service.letters import letter
from tests.domain.matches import ALICE, PEOPLE

TO = PEOPLE[ALICE]

LETTERS = (
    letter(TO, "identity/misused", number=104),
    letter(TO, "identity/guessed"),
    letter(TO, "identity/unread"),
)
