from pbm.service.letters import answer
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, PEOPLE

TO = PEOPLE[ALICE]

LETTERS = (
    answer(TO, "answers/answers", answers=(("help", "Here is help."), ("", "And this."))),
    answer(TO, "answers/too_much", proven=True),
    answer(TO, "answers/too_much", proven=False),
    answer(TO, "answers/no_more", replies=20, reply=player_token(ALICE)),
)
