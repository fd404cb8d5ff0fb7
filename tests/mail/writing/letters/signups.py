from pbm.service.letters import answer, letter
from pbm.service.tokens import Token, TokenKind, player_token
from tests.domain.matches import ALICE, NOW, PEOPLE

DORA = "dora@example.org"
GAMES = ("Noughts and Crosses",)
QUESTION = Token(TokenKind.SIGNUP, 3)
WRONG = "That userid is taken. Choose another."

CONFIRM = letter(
    DORA, "signups/confirm", asked_at=NOW, again=False, threadless=True, reply=QUESTION
)
WELCOME = letter(
    PEOPLE[ALICE], "signups/welcome", games=GAMES, key="noughts", robot="robot",
    reply=player_token(ALICE),
)  # fmt: skip

LETTERS = (
    answer(DORA, "signups/introduced", games=GAMES, threadless=True),
    answer(DORA, "signups/refused", sentence=WRONG, threadless=True),
    CONFIRM,
    letter(DORA, "signups/confirm", asked_at=NOW, again=True, threadless=True, reply=QUESTION),
    WELCOME,
)
