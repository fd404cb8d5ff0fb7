"""Steps of accounts: addresses are asked and taken, passwords are stored."""

from collections.abc import Iterator
from datetime import timedelta

from pbm.domain.errands import ADDRESS_KINDS, addresses_after
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Errand, ErrandKind, Player, check_chosen, fold_address
from pbm.service.context import Context
from pbm.service.guessing import forget_wrong
from pbm.service.notices import Notice
from pbm.service.notices.accounts import (
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
    PasswordChanged,
)
from pbm.service.tokens import errand_token

ONE_MAIL_IN = timedelta(hours=24)
"""A stranger gets at most one mail in this time, whatever they send."""


def ask_further(context: Context, player: Player, named: tuple[str, ...]) -> Iterator[Notice]:
    """Ask the further addresses of a signup, except those that may not be written to."""
    server = fold_address(context.services.address)
    addresses = dict.fromkeys(map(fold_address, named))
    known = {server, *map(fold_address, player.addresses)}
    for address in (address for address in addresses if address not in known):
        if not written_to_lately(context, address):
            yield ask_address(context, ErrandKind.ADD_ADDRESS, player, address)


def confirm_address(
    context: Context, errand: Errand, player: Player, _line: str
) -> Iterator[Notice]:
    """Accept the address, now that somebody has replied from it."""
    errands = context.work.errands.of(player.id)
    addresses = addresses_after(player.addresses, errand, errands)
    context.work.players.set_addresses(player.id, addresses)
    yield from addresses_told(context, player, errand.address)


def written_to_lately(context: Context, address: str) -> bool:
    """Return whether a stranger at `address` has already had the one mail allowed in a day."""
    signup = context.work.signups.latest(address)
    errand = context.work.errands.latest(address)
    asked = (
        signup.made_at if signup and signup.confirmed_at is None else None,
        errand.made_at
        if errand and errand.done_at is None and errand.kind in ADDRESS_KINDS
        else None,
    )
    return any(at is not None and context.now - at < ONE_MAIL_IN for at in asked)


def ask_address(context: Context, kind: ErrandKind, player: Player, address: str) -> ErrandAsked:
    """Return the notice that asks the reader of `address` to confirm it."""
    errand = context.work.errands.add(kind, player.id, address, context.now)
    return ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


def addresses_told(context: Context, before: Player, joined: str) -> Iterator[Notice]:
    """Notify the address that mails went to, the removed addresses, and the new one.

    A switched-off address gets no notice; mails go to the first of the others.
    """
    after = context.people([before.id])[before.id]
    addresses = tuple(dict.fromkeys((after.home, *after.addresses)))
    gone = (a for a in before.addresses if a not in after.addresses and a not in before.off)
    for address in dict.fromkeys((*filter(None, [before.address]), *gone)):
        yield AddressesChanged(address, before.userid, addresses)
    if joined != before.address:
        yield AddressJoined(joined, before.userid, joined == addresses[0])


def reset_password(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Notice]:
    """Set the password that the reply begins with."""
    if context.services.grammar.begins_command(line):
        raise NotUnderstood(
            "Reply with nothing but the new password; it cannot be the name of a command or game.",
            "your-new-password",
        )
    store_password(context, player, check_chosen_password(context, line, player.userid))
    for address in dict.fromkeys((errand.address, player.home)):
        yield PasswordChanged(address, player.userid)


def check_chosen_password(context: Context, password: str, userid: str) -> str:
    """Return `password` if a player may choose it for this userid; raise NotUnderstood."""
    well_known = context.services.passwords.well_known(password)
    return check_chosen(password, userid, well_known=well_known)


def store_password(context: Context, player: Player, password: str) -> None:
    """Store the password, which the caller has checked, and cancel all that was asked before.

    Somebody who guessed the old password may have asked to add an address to the account.
    """
    hashed = context.services.passwords.hash(password)
    forget_wrong(context.work, player)
    context.work.players.set_password_hash(player.id, hashed)
    for errand in context.work.errands.of(player.id):
        if errand.done_at is None:
            context.work.errands.done(errand.id, context.now)
