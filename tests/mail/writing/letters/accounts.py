from pbm.service.letters import answer
from pbm.service.tokens import Token, TokenKind

LETTERS = (
    answer(
        "dora@example.org", "accounts/unclear", threadless=True, reply=Token(TokenKind.SIGNUP, 3)
    ),
)
