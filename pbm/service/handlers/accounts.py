"""Accounts: changed, set to one's liking, closed."""

import zoneinfo
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from pbm.domain.confirmations import (
    RESETS_BY_OTHERS,
    RESETS_FROM_HOME,
    RESETS_PROVEN,
    ErrandKind,
    Pace,
)
from pbm.domain.errors import NotAllowed, UnknownName
from pbm.domain.player import Player
from pbm.domain.settings import STYLE, Setting, chosen, settings_of
from pbm.engine import listing
from pbm.service.commands.accounts import ChangePassword, Forgot, LogOut, Set, SignOff
from pbm.service.context import Context, Handler
from pbm.service.letters import Message, noted
from pbm.service.notices.accounts import ErrandAsked, PasswordChanged, SettingsShown
from pbm.service.proofs import proves_person
from pbm.service.steps.accounts import check_chosen_password, store_password
from pbm.service.tokens import errand_token, player_token


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


def sign_off(context: Context, _command: SignOff) -> Iterator[Message]:
    """Ask the player whether they really want to close the account."""
    player = context.sender()
    address, kind = player.home, ErrandKind.SIGN_OFF
    errand = context.work.errands.add(kind, player.id, address, context.now)
    yield ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


_NO_ZONES = frozenset({"localtime", "Factory"})
"""Files of the time zone database that name no place."""


def change_setting(context: Context, command: Set) -> Iterator[Message]:
    """Change one setting, if a name is given, and show all settings."""
    player = context.sender()
    known = settings_of(context.services.catalogue, zone_names())
    changed = ""
    if command.name:
        setting = _setting(context, command.name, known)
        try:
            value = setting.read(command.value)
        except UnknownName as error:
            example = f"set {player.userid} your-password {setting.name} {setting.default}"
            raise UnknownName(str(error), example) from error
        context.work.players.set_setting(player.id, setting.name, value)
        player = _with(player, setting.name, value)
        changed = setting.name
    values = tuple((setting, chosen(setting, player.settings)) for setting in known)
    yield SettingsShown(player, values, changed, reply=player_token(player.id))


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones that this machine knew when it was first asked.

    They are the names of hundreds of files, and whoever sets anything asks for them.
    """
    return tuple(sorted(zoneinfo.available_timezones() - _NO_ZONES))


def _setting(context: Context, name: str, known: tuple[Setting, ...]) -> Setting:
    """Return the setting; a bare `style` means that of the game named in the line."""
    head, _, game = name.partition(".")
    if head == STYLE:
        found = context.services.catalogue.find(game or context.game or "")
        name = f"{STYLE}.{found.info.key}" if found else ""
    for setting in known:
        if setting.name == name:
            return setting
    styles = [setting.name for setting in known if setting.name.startswith(f"{STYLE}.")]
    raise UnknownName(
        f"Boards can be drawn in several ways by {listing(styles)}."
        if styles
        else "No game here can be drawn in several ways."
    )


def _with(player: Player, name: str, value: str) -> Player:
    return replace(player, settings={**player.settings, name: value})


HANDLERS: Mapping[type, Handler] = {
    ChangePassword: change_password,
    Forgot: forgot,
    LogOut: log_out,
    SignOff: sign_off,
    Set: change_setting,
}
