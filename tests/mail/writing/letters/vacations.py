from datetime import timedelta
from typing import Any

from pbm.service.letters import answer, letter
from pbm.service.matches import Waiting
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE, after

TO = PEOPLE[ALICE]
LATER = NOW + timedelta(days=10)
LEFT = "12 days of vacation left in 2026"
REPLY = player_token(ALICE)
WAITING = Waiting((after("b2", "swap", "a1"),), 0, PEOPLE)

SHOWN: dict[str, Any] = {"left": LEFT, "allowance": 30, "reply": REPLY}
BEGUN: dict[str, Any] = {"until": LATER, "left": LEFT, "reply": REPLY}

LETTERS = (
    answer(TO, "vacations/shown", until=LATER, new_year=None, last_day=None, **SHOWN),
    answer(TO, "vacations/shown", until=None, new_year=2027, last_day=LATER.date(), **SHOWN),
    letter(TO, "vacations/begun", changed=False, last_day=None, **BEGUN),
    letter(TO, "vacations/begun", changed=True, last_day=LATER.date(), **BEGUN),
    letter(TO, "vacations/over", left=LEFT, waiting=WAITING, reply=REPLY),
    letter(TO, "vacations/over", left=LEFT, waiting=Waiting(), reply=REPLY),
    letter(TO, "vacations/away", userid="bob", until=LATER, numbers=(104, 105), changed=False),
    letter(TO, "vacations/away", userid="bob", until=LATER, numbers=(104,), changed=True),
    letter(TO, "vacations/back", userid="bob", numbers=(104, 105)),
)
