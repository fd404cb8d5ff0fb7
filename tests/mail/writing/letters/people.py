from typing import Any

from pbm.domain.match import Said
from pbm.service.letters import Attachment, answer, letter
from tests.domain.matches import ALICE, NOW, PEOPLE

TO = PEOPLE[ALICE]
OPERATOR = "operator@example.org"
SAID = Said("bob", 104, NOW, "You are a fool.\n\nAnd slow.")

REPORTED: dict[str, Any] = {"reporter": "alice"}
MAIL: dict[str, Any] = {"files": (Attachment("mail.txt", "text/plain", "From: carol\n\nStop.\n"),)}

LETTERS = (
    answer(TO, "people/blocks", blocked=["bob", "mallory"]),
    answer(TO, "people/blocks", blocked=[]),
    letter(
        OPERATOR, "people/reported", **REPORTED, reported="bob", what="bob on board 104",
        number=104, text="He is rude.", said=[SAID, SAID],
    ),
    letter(
        OPERATOR, "people/reported", **REPORTED, reported="bob", what="bob", number=None, text="",
        said=[],
    ),
    letter(
        OPERATOR, "people/reported", **REPORTED, reported="", what="board 104", number=104,
        text="Look at this!", said=[SAID],
    ),
    letter(OPERATOR, "people/postmaster", **MAIL, writer="carol@example.net", subject="Spam"),
    letter(OPERATOR, "people/postmaster", **MAIL, writer="Somebody", subject=""),
)  # fmt: skip
