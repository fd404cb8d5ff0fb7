"""Accounts: changed, closed."""

from collections.abc import Iterator, Mapping

from pbm.domain.confirmations import (
    RESETS_BY_OTHERS,
    RESETS_FROM_HOME,
    RESETS_PROVEN,
    ErrandKind,
    Pace,
)
from pbm.domain.errors import NotAllowed
from pbm.domain.player import Player
from pbm.service.commands.accounts import ChangePassword, Forgot, LogOut
from pbm.service.context import Context, Handler
from pbm.service.letters import Message, noted
from pbm.service.notices.accounts import ErrandAsked, PasswordChanged
from pbm.service.proofs import proves_person
from pbm.service.steps.accounts import check_chosen_password, store_password
from pbm.service.tokens import errand_token


def change_password(context: Context, command: ChangePassword) -> Iterator[Message]:
    """Set the new password and send a notice to the account's address."""
    player = context.sender()
    store_password(context, player, check_chosen_password(context, command.new, player.userid))
    yield PasswordChanged(player.home, player.userid)


def forgot(context: Context, command: Forgot) -> Iterator[Message]:
    """Write to the account's address, no matter who asks; nobody else is told.

    Without a userid it is about all accounts of the address that asks.
    """
    forgetful = context.players([command.userid]) if command.userid else context.known
    for player in forgetful:
        if player.is_robot:
            raise NotAllowed(f"{player.userid} is a robot, which has no password.")
        yield from _ask_reset(context, player)


def _ask_reset(context: Context, player: Player) -> Iterator[Message]:
    """Ask the player for a new password, unless they have lately been asked often enough.

    If the mail comes from one of the account's addresses, the answer goes there, because the
    first of them may be lost.
    """
    own = context.author in player.addresses
    address = context.author if own else player.home
    kind, errands = ErrandKind.RESET_PASSWORD, context.work.errands
    earlier = (e for e in errands.of(player.id) if e.kind is kind and e.address == address)
    if not _pace_of_resets(context, player).allows(earlier, context.now):
        context.proceedings.silenced("asked-lately")
        return
    errand = errands.add(kind, player.id, address, context.now)
    yield ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


def _pace_of_resets(context: Context, player: Player) -> Pace:
    reply = context.reply
    if reply and reply.player.id == player.id and proves_person(context, reply):
        return RESETS_PROVEN
    return RESETS_FROM_HOME if context.author in player.addresses else RESETS_BY_OTHERS


def log_out(context: Context, _command: LogOut) -> Iterator[Message]:
    """Make replies to all mails worthless that were sent until now."""
    player = context.sender()
    context.work.players.void_tokens(player.id, context.now)
    yield noted(
        player,
        "Replies to mails that the server has sent you until now count no longer. You can reply "
        "to later ones, and your password works as before.",
    )


HANDLERS: Mapping[type, Handler] = {
    ChangePassword: change_password,
    Forgot: forgot,
    LogOut: log_out,
}
