from pbm.features.accounts import password_changed
from pbm.service.letters import letter
from pbm.service.tokens import Token, TokenKind

ALICE, NEW = "alice@example.org", "new@example.org"
QUESTION = Token(TokenKind.CONFIRMATION, 5)
INSULTS = "Insults on board 104, and again on 105."

LETTERS = (
    letter(NEW, "accounts/confirm_address", reply=QUESTION),
    letter(NEW, "accounts/reset_password", userid="alice", reply=QUESTION),
    letter(ALICE, "accounts/addresses_asked", userid="alice", new=(NEW,)),
    letter(ALICE, "accounts/addresses_changed", userid="alice", first=NEW, others=()),
    letter(NEW, "accounts/addresses_changed", userid="alice", first=NEW, others=(ALICE,)),
    letter(NEW, "accounts/address_joined", userid="alice", first=True),
    letter(NEW, "accounts/address_joined", userid="alice", first=False),
    password_changed(ALICE, "alice"),
    letter(ALICE, "accounts/state", userid="alice", reason="", enabled=False),
    letter(ALICE, "accounts/state", userid="alice", reason=INSULTS, enabled=False),
    letter(ALICE, "accounts/state", userid="alice", reason="", enabled=True),
)
