from typing import Any

from pbm.domain.description import terms_line
from pbm.domain.invitations import INVITATION_LASTS, Invitation, Terms
from pbm.service.letters import letter
from pbm.service.tokens import Token, TokenKind, player_token
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE
from tests.engine.noughts import game

TO = PEOPLE[ALICE]
REPLY = player_token(ALICE)
INVITED = Token(TokenKind.INVITATION, 105, ALICE)
INVITATION = Invitation(
    105, "noughts", game.info.setup(), Terms(), (ALICE, BOB), ALICE, frozenset({ALICE}), NOW
)

ABOUT: dict[str, Any] = {
    "board": 105, "number": 105, "key": "noughts", "title": game.info.title,
    "names": ["alice", "bob"],
}  # fmt: skip
OPEN: dict[str, Any] = {
    "inviter": "alice", "until": NOW + INVITATION_LASTS, "waiting": ["bob"],
    "summary": game.info.summary, "seats": list(zip(game.info.seats, ABOUT["names"], strict=True)),
    "terms": terms_line(INVITATION, game), **ABOUT,
}  # fmt: skip
MINE: dict[str, Any] = {"mine": True, "asked": False, **OPEN}
DECLINED: dict[str, Any] = {"players": ["alice", "bob"], **ABOUT}
CLOSED: dict[str, Any] = {"missing": ["bob"], "players": ["alice", "bob"], **ABOUT}

RECEIPT = letter(
    TO, "invitations/invited", seated=True, comment="Hello!", reply=INVITED, **MINE
)  # fmt: skip

LETTERS = (
    RECEIPT,
    letter(TO, "invitations/invited", seated=False, comment="", **MINE),
    letter(
        PEOPLE[BOB], "invitations/invited", mine=False, asked=True, seated=True, comment="",
        reply=INVITED, **OPEN,
    ),
    letter(
        TO, "invitations/declined", mine=False, by="bob", withdrawn=False, comment="No time.",
        robot="noughts robot", reply=REPLY, **DECLINED,
    ),
    letter(
        TO, "invitations/declined", mine=False, by="bob", withdrawn=True, comment="Sorry",
        robot="", **DECLINED,
    ),
    letter(
        TO, "invitations/declined", mine=True, by="alice", withdrawn=False, comment="No time.",
        robot="", **DECLINED,
    ),
    letter(
        TO, "invitations/declined", mine=True, by="alice", withdrawn=True, comment="No time.",
        robot="", **DECLINED,
    ),
    letter(
        TO, "invitations/closed", line="noughts challenge bob", by_reply=True,
        robot="noughts robot", reply=REPLY, **CLOSED,
    ),
    letter(
        TO, "invitations/closed", line="noughts challenge alice bob", by_reply=False, robot="",
        **CLOSED,
    ),
)  # fmt: skip
