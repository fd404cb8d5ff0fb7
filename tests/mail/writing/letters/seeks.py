from typing import Any

from pbm.domain.description import terms_line
from pbm.domain.invitations import SEEK_LASTS, SEEKS_TOLD, Seek, Terms
from pbm.domain.mail import Leaving, Mailing
from pbm.service.letters import letter
from pbm.service.tokens import Token, TokenKind, player_token
from tests.domain.matches import ALICE, NOW, PEOPLE
from tests.engine.noughts import game

TO = PEOPLE[ALICE]
INVITED = Token(TokenKind.INVITATION, 105, ALICE)
SEEK = Seek(105, ALICE, "noughts", game.info.setup(), Terms(), 2, NOW)

ABOUT: dict[str, Any] = {
    "number": 105, "key": "noughts", "title": game.info.title, "terms": terms_line(SEEK, game),
    "until": NOW + SEEK_LASTS,
}  # fmt: skip
NOTED: dict[str, Any] = {"announcements": SEEKS_TOLD, **ABOUT}
ANNOUNCED: dict[str, Any] = {
    "seeker": "bob", "board": 105, "leave": Leaving(Mailing.SEEKS, game="noughts"),
    "reply": INVITED, **ABOUT,
}  # fmt: skip

ANNOUNCEMENT = letter(TO, "seeks/announced", side="", **ANNOUNCED)

LETTERS = (
    letter(
        TO, "seeks/noted", sought="2 more matches", open=True, several=True, announced=True,
        withdrawn=104, robot="noughts robot", side="", board=105, reply=INVITED, **NOTED,
    ),
    letter(
        TO, "seeks/noted", sought="1 match", open=True, several=False, announced=False,
        withdrawn=0, robot="", side=game.info.seats[0], board=105, reply=INVITED, **NOTED,
    ),
    *(
        letter(
            TO, "seeks/noted", sought="no more matches", open=False, several=False,
            announced=False, withdrawn=withdrawn, robot="", side="", **NOTED,
        )
        for withdrawn in (0, 104)
    ),
    ANNOUNCEMENT,
    letter(TO, "seeks/announced", side=game.info.seats[1], **ANNOUNCED),
    letter(
        TO, "seeks/closed", title=game.info.title, days=SEEK_LASTS.days, matches="2 matches",
        line="noughts seek 2", robot="noughts robot", reply=player_token(ALICE),
    ),
)  # fmt: skip
