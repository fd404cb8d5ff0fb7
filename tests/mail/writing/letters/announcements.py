from datetime import timedelta
from typing import Any

from pbm.domain.mail import Leaving, Mailing
from pbm.service.letters import letter
from pbm.service.matches import Waiting
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE, after

TO = PEOPLE[ALICE]
UNTIL = NOW + timedelta(hours=3)
WAITING = Waiting((after("b2", "swap", "a1"),), 2, PEOPLE)
NEWS: dict[str, Any] = {"reply": player_token(ALICE), "leave": Leaving(Mailing.NEWS)}

LETTERS = (
    letter(TO, "announcements/written", subject="A night of maintenance",
           text="On Friday the server is moved to another host.\n\nNo clock runs until it is back.",
           **NEWS),
    letter(TO, "announcements/stopped", began=NOW, **NEWS),
    *(letter(TO, "announcements/outage", began=NOW, until=UNTIL, waiting=boards, **NEWS)
      for boards in (WAITING, Waiting())),
    letter(TO, "announcements/resumed", began=NOW, until=UNTIL, waiting=WAITING, **NEWS),
    letter(TO, "announcements/corrected", waiting=WAITING, **NEWS),
)  # fmt: skip
