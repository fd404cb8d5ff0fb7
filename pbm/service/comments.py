"""What a player wrote besides their commands, made safe for other readers."""

import re
from itertools import pairwise

from pbm.domain.player import Player, fold_userid
from pbm.service.ports import Passwords, UnitOfWork
from pbm.service.tokens import TokenMint

_TOKEN_LIKE = re.compile(r"(?ai)(?<![a-z2-7])[a-z2-7]{32}(?![a-z2-7])")


def without_tokens(mint: TokenMint, text: str) -> str:
    """Return `text` with reply tokens of this server made unreadable.

    They come inside addresses, in quoted text that begins in a way this server does not know.
    """
    return _TOKEN_LIKE.sub(lambda word: "***" if mint.read(word[0]) else word[0], text)


def without_password(work: UnitOfWork, passwords: Passwords, player: Player, text: str) -> str:
    """Return `text` without the lines that betray the player's password."""
    lines = text.split("\n")
    safe = [line for line in lines if not betrays_password(work, passwords, player, line)]
    return "\n".join(safe).strip()


def betrays_password(work: UnitOfWork, passwords: Passwords, player: Player, text: str) -> bool:
    """Return whether the player's userid is followed by their password anywhere in `text`.

    A command typed below the lines that are read is a comment, and the opponent would read
    the password. Looks at three places at most, because each costs a hash.
    """
    words = text.split()
    userid = fold_userid(player.userid)
    suspects = [b for a, b in pairwise(words) if fold_userid(a) == userid]
    if not suspects:
        return False
    stored = work.players.password_hash(player.id)
    return any(passwords.verify(stored, word) for word in suspects[:3])
