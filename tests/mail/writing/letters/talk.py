from typing import Any

from pbm.domain.mail import Leaving, Mailing
from pbm.service.letters import letter
from pbm.service.tokens import message_token
from tests.domain.matches import ALICE, BOB, PEOPLE

TO = PEOPLE[ALICE]
SAID: dict[str, Any] = {
    "sender": "bob", "text": "Are you there?", "reply": message_token(BOB, ALICE),
}  # fmt: skip

LETTERS = (
    letter(TO, "talk/message", **SAID),
    letter(TO, "talk/broadcast", **SAID, leave=Leaving(Mailing.BROADCASTS)),
)
