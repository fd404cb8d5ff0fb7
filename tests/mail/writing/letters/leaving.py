from pbm.features.leaving import farewell
from pbm.service.letters import letter
from pbm.service.tokens import Token, TokenKind

LETTERS = (
    letter(
        "alice@example.org", "leaving/confirm", userid="alice", reply=Token(TokenKind.ERRAND, 5)
    ),
    farewell("alice@example.org", "alice"),
)
