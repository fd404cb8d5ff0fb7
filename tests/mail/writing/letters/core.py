from pbm.service.letters import noted
from tests.domain.matches import ALICE, PEOPLE

LETTERS = (noted(PEOPLE[ALICE], "You follow board 104."),)
