"""Accounts: opened by whoever answers at the address, changed, set to one's liking, closed."""

import zoneinfo
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from pbm.domain.errors import NotAllowed, NotUnderstood, Refusal, UnknownName
from pbm.domain.periods import SIGNUP_LASTS
from pbm.domain.player import ErrandKind, Player, check_userid, is_address
from pbm.domain.settings import STYLE, Setting, chosen, settings_of
from pbm.engine import listing
from pbm.service.commands.accounts import ChangePassword, Confirm, Forgot, Set, SignOff, Signup
from pbm.service.context import Context, Handler
from pbm.service.notices import Notice
from pbm.service.notices.accounts import (
    ChooseUserid,
    ConfirmSignup,
    ErrandAsked,
    PasswordChanged,
    SettingsShown,
    Welcome,
)
from pbm.service.notices.play import Refused
from pbm.service.steps.accounts import (
    ask_further,
    check_chosen_password,
    store_password,
    written_to_lately,
)
from pbm.service.tokens import Token, TokenKind, errand_token

_NO = frozenset({"no", "not", "stop", "cancel", "unsubscribe"})

MOST_FURTHER = 4
"""The most addresses that a stranger can name besides their own."""

ONE_RESET_IN = timedelta(hours=1)
"""Anybody can ask for a reset of any account: its owner gets at most one mail in this time."""


def ask_signup(context: Context, command: Signup) -> Iterator[Notice]:
    """Write once to the address that asks for an account; open nothing yet.

    A second request within a day is dropped, not merged: a forged From address must not be
    enough to change the password of an account that is about to be opened.
    """
    userid = check_userid(command.userid)
    password = check_chosen_password(context, command.password, userid)
    if not is_address(context.author):
        raise NotUnderstood("The server cannot write to the address that this came from.")
    taken = context.work.players.by_userid(userid) is not None
    if taken and context.known:
        raise NotAllowed(f"The userid {userid} is taken. Choose another.")
    if written_to_lately(context, context.author):
        return
    hashed = context.services.passwords.hash(password)
    further = tuple(filter(is_address, command.addresses[:MOST_FURTHER]))
    signup = context.work.signups.add(userid, hashed, context.author, context.now, further)
    yield ConfirmSignup(context.author, taken, reply=Token(TokenKind.SIGNUP, signup.id))


def confirm_signup(context: Context, command: Confirm) -> Iterator[Notice]:
    """Open the account, now that somebody has replied from its address.

    If the userid was taken in the meantime, the reply's first word is tried as a new one. If
    that fails, the server asks for another. A second reply changes nothing and is answered
    with a refusal. A reply that begins with a no opens nothing and gets no answer.
    """
    signup = context.work.signups.get(command.signup)
    if signup is None or context.now - signup.made_at > SIGNUP_LASTS:
        return
    if signup.confirmed_at is not None:
        if context.reader:
            open_already = "That mail has been answered already: the account is open."
            yield Refused(context.reader, open_already, "help", context.now)
        return
    if command.userid.lower().rstrip(".!,") in _NO:
        return
    again = ChooseUserid(signup.address, reply=Token(TokenKind.SIGNUP, signup.id))
    userid = signup.userid
    if context.work.players.by_userid(userid) is not None:
        try:
            userid = check_userid(command.userid)
        except Refusal:
            yield again
            return
        if context.work.players.by_userid(userid) is not None:
            yield again
            return
    addresses = [signup.address]
    player = context.work.players.add(userid, signup.password_hash, addresses, context.now)
    context.work.signups.confirm(signup.id, context.now)
    yield Welcome(player, next(iter(context.services.catalogue)))
    yield from ask_further(context, player, signup.further)


def change_password(context: Context, command: ChangePassword) -> Iterator[Notice]:
    """Set the new password and send a notice to the account's address."""
    player = context.sender()
    store_password(context, player, check_chosen_password(context, command.new, player.userid))
    yield PasswordChanged(player.home, player.userid)


def forgot(context: Context, command: Forgot) -> Iterator[Notice]:
    """Write to the account's address, no matter who asks; nobody else is told.

    If the mail comes from one of the account's addresses, the answer goes there, because the
    first of them may be lost.
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
    yield ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


def sign_off(context: Context, _command: SignOff) -> Iterator[Notice]:
    """Ask the player whether they really want to close the account."""
    player = context.sender()
    address, kind = player.home, ErrandKind.SIGN_OFF
    errand = context.work.errands.add(kind, player.id, address, context.now)
    yield ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


_NO_ZONES = frozenset({"localtime", "Factory"})
"""Files of the time zone database that name no place."""


def change_setting(context: Context, command: Set) -> Iterator[Notice]:
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
    yield SettingsShown(player, values, changed)


def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones that this machine knows."""
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
    Signup: ask_signup,
    Confirm: confirm_signup,
    ChangePassword: change_password,
    Forgot: forgot,
    SignOff: sign_off,
    Set: change_setting,
}
