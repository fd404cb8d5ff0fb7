"""Another password: by the old one, or by a reply from the address of the account."""

from collections.abc import Iterator
from datetime import timedelta

from pbm.domain.commands import ChangePassword, Forgot
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Errand, ErrandKind, Player, check_password
from pbm.service.account_notices import ErrandAsked, PasswordChanged
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.tokens import Token, TokenKind

ONE_RESET_IN = timedelta(hours=1)
"""Anybody can ask for a reset of anybody: its owner is written to no more often than this."""


def change_password(context: Context, command: ChangePassword) -> Iterator[Notice]:
    """Set the new password and tell the address of the account."""
    player = context.sender()
    store_password(context, player, command.new)
    yield PasswordChanged(player.home, player.userid)


def forgot(context: Context, command: Forgot) -> Iterator[Notice]:
    """Write to the address of the account, whoever asks; nobody else hears of it.

    If the mail comes from one of the account's addresses, the answer goes there: the first
    of them may be lost.
    """
    (player,) = context.players([command.userid])
    for earlier in context.work.errands.of(player.id):
        reset = earlier.kind is ErrandKind.RESET_PASSWORD
        if reset and context.now - earlier.made_at < ONE_RESET_IN:
            return
    own = context.author in player.addresses
    address = context.author if own else player.home
    kind = ErrandKind.RESET_PASSWORD
    errand = context.work.errands.add(kind, player.id, address, context.now)
    token = Token(TokenKind.ERRAND, errand.id, player.id)
    yield ErrandAsked(address, player.userid, kind, token)


def reset_password(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Notice]:
    """Set the password that the reply begins with."""
    if context.services.grammar.begins_command(line):
        raise NotUnderstood(
            "Reply with nothing but the new password; it cannot be the name of a command or game.",
            "your-new-password",
        )
    store_password(context, player, line)
    for address in dict.fromkeys((errand.address, player.home)):
        yield PasswordChanged(address, player.userid)


def store_password(context: Context, player: Player, password: str) -> None:
    """Store the password, and let all that was asked for under the old one come to nothing.

    Who has guessed a password may have asked for another address of the account.
    """
    hashed = context.services.passwords.hash(check_password(password))
    context.work.players.set_password_hash(player.id, hashed)
    for errand in context.work.errands.of(player.id):
        if errand.done_at is None:
            context.work.errands.done(errand.id, context.now)
