"""One notice of each kind about a match of the small game, and a composer for them."""

from dataclasses import replace
from datetime import timedelta

from pbm.domain.mail import OutgoingMail
from pbm.domain.match import Said
from pbm.domain.ratings import Rating
from pbm.features.help import page as help_page
from pbm.mail.writing.outgoing import MailComposer
from pbm.render.templates import Templates
from pbm.service import board_messages
from pbm.service.board_messages import (
    BoardMessage,
    BoardsShown,
    Event,
    Happening,
    Refused,
)
from pbm.service.letters import Answer, Answers, Message
from pbm.service.token_masking import opened
from pbm.service.tokens import Token, TokenKind, TokenMint
from pbm.system import folder
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after
from tests.mail.writing.letters import LETTERS
from tests.service.houses import CATALOGUE

ADDRESS = "pbm@games.example.org"
MINT = TokenMint(b"k" * 32)
COMPOSER = MailComposer(Templates(folder("templates")), MINT, ADDRESS)

TABLE = after("b2", "swap", "a1")
TOKEN = Token(TokenKind.BOARD, 104, ALICE, 4)
ENDED = after("b2", "swap", "a1", "c2", "c1", "a2")
SIGNUP = Token(TokenKind.SIGNUP, 3)
TO = PEOPLE[ALICE]
ROBOT = "noughts robot"
"""The line that begins a match with a robot."""

REPLY = Token(TokenKind.PLAYER, 0, ALICE)
LATER = NOW + timedelta(days=10)
SAID = Said("bob", 104, NOW, "You are a fool.\n\nAnd slow.")
RATING = Rating(1623.4, 81.2, 0.06, 12, 5, 1, NOW)

MOVED = BoardMessage(
    TO,
    (Happening(Event.MOVED, ALICE, "a1", "Sch\u00f6ne Gr\u00fc\u00dfe!"),),
    TABLE,
    PEOPLE,
    NOW,
    reply=TOKEN,
)

KINDS = {
    kind
    for kind in vars(board_messages).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind is not Message
}
"""Every kind of message but letters."""

NOTICES: tuple[Message, ...] = (
    *LETTERS,
    MOVED,
    BoardsShown(TO, (TABLE,), PEOPLE, NOW, reply=TOKEN),
    BoardsShown(TO, (after(),), PEOPLE, NOW, frozenset({0})),
    BoardMessage(
        TO, (Happening(Event.MOVED, BOB, "b2"),), after("b2", "a1"), PEOPLE, NOW, reply=TOKEN
    ),
    Refused(TO, "Two ways.", "", NOW, ("b2", "c1"), after("b2", "a1"), PEOPLE, reply=TOKEN),
    Refused(TO, "Do you resign?", "resign", NOW, (), TABLE, PEOPLE, reply=TOKEN),
    replace(MOVED, digest=True),
    Refused(TO, "It is not your turn.", "show 104", NOW),
    Refused(TO, "It is not your turn.", "show 104", NOW, (), TABLE, PEOPLE, reply=TOKEN),
    Answers(
        TO,
        (
            Answer("help", help_page(TO, "", CATALOGUE)),
            Answer("", Refused(TO, "That could not be read as a command.", "help", NOW)),
        ),
        reply=REPLY,
    ),
)


def sent(notice: Message, uid: str, returns: str, answers: str | None = None) -> OutgoingMail:
    """Return the mail for a notice as the relay gets it."""
    return opened(MINT, COMPOSER.compose(notice, uid, returns, NOW, answers))
