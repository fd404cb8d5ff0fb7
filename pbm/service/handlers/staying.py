"""The reply of a player who was asked whether he stays."""

from collections.abc import Iterator

from pbm.domain.player import Errand, Player
from pbm.engine import fold
from pbm.service.context import Context
from pbm.service.notices import Notice, Refused
from pbm.service.returning import returned
from pbm.service.talk_notices import Noted
from pbm.service.tokens import Token, TokenKind

_NO = {"no", "nope", "leave", "quit"}


def stay(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Notice]:
    """Thank the player for any word; if it is a no, tell him how to leave, which needs more."""
    silent = errand.done_at is not None and player.missing_since is not None
    player, welcome = returned(context, player)
    yield from welcome
    first = fold(line).split()[:1]
    if first and first[0].strip(".,;!") in _NO:
        sentence = "Your account stays open, for to close it takes your password."
        token = Token(TokenKind.PLAYER, 0, player.id)
        example = f"signoff {player.userid} your-password"
        yield Refused(player, sentence, example, context.now, reply=token)
    elif silent:
        yield Noted(player, "Welcome back! Your seeks and invitations had been closed; "
                            "everything else is as it was.")  # fmt: skip
    else:
        yield Noted(player, "Thank you. You stay, and everything is as it was.")
