from pbm.service.letters import answer
from pbm.service.tokens import Token, TokenKind

QUESTION = Token(TokenKind.SIGNUP, 3)

LETTERS = (answer("dora@example.org", "signups/unclear", threadless=True, reply=QUESTION),)
