"""New passwords: set with the old one, or by a reply from the account's address."""

from collections.abc import Iterator

from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Errand, Player, check_password
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.notices.accounts import PasswordChanged


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
    """Store the password, and cancel everything that was asked for under the old one.

    Somebody who guessed the old password may have asked to add an address to the account.
    """
    hashed = context.services.passwords.hash(check_password(password))
    context.work.players.set_password_hash(player.id, hashed)
    for errand in context.work.errands.of(player.id):
        if errand.done_at is None:
            context.work.errands.done(errand.id, context.now)
