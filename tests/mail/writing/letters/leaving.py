from pbm.service.letters import letter
from pbm.service.tokens import Token, TokenKind

LETTERS = (
    letter(
        "alice@example.org",
        "leaving/confirm",
        userid="alice",
        reply=Token(TokenKind.CONFIRMATION, 5),
    ),
    letter("alice@example.org", "leaving/farewell", userid="alice"),
)
