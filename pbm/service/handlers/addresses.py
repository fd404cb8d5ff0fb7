"""The addresses of an account: each counts once somebody has answered from there."""

from collections.abc import Iterator
from datetime import timedelta

from pbm.domain.commands import AddAddress, ChangeAddress
from pbm.domain.errands import ADDRESS_KINDS, addresses_after
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.player import Errand, ErrandKind, Player, fold_address, is_address
from pbm.service.account_notices import (
    AddressesAsked,
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
)
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.tokens import Token, TokenKind

MOST_ADDRESSES = 10
"""Addresses of one account."""

ONE_MAIL_IN = timedelta(hours=24)
"""A stranger gets at most one mail in this time, whatever he sends (mail.md)."""

NEW_ADDRESSES_A_DAY = 5
"""Addresses that one account can have written to in a day: they may be strangers'."""


def change_address(context: Context, command: ChangeAddress) -> Iterator[Notice]:
    """Ask the new addresses; those that the account has already need not be asked again."""
    player = context.sender()
    named = _checked(context, command.addresses)
    new = _new_ones(context, player, named)
    if not new:
        context.work.players.set_addresses(player.id, named)
        yield from _told(context, player, named[0])
        return
    for address in named:
        errand = _errand(context, ErrandKind.CHANGE_ADDRESS, player, address)
        if address in new:
            yield _asked(player, errand)
        else:
            context.work.errands.done(errand.id, context.now)
    yield AddressesAsked(player.home, player.userid, new)


def add_address(context: Context, command: AddAddress) -> Iterator[Notice]:
    """Ask further addresses."""
    player = context.sender()
    new = _new_ones(context, player, _checked(context, command.addresses))
    if not new:
        raise NotNow("That is an address of yours already.")
    for address in new:
        yield _asked(player, _errand(context, ErrandKind.ADD_ADDRESS, player, address))
    yield AddressesAsked(player.home, player.userid, new)


def ask_further(context: Context, player: Player, named: tuple[str, ...]) -> Iterator[Notice]:
    """Ask the addresses that a signup has named, except those that may not be written to."""
    server = fold_address(context.services.address)
    addresses = dict.fromkeys(map(fold_address, named))
    known = {server, *map(fold_address, player.addresses)}
    for address in (address for address in addresses if address not in known):
        if not written_to_lately(context, address):
            yield _asked(player, _errand(context, ErrandKind.ADD_ADDRESS, player, address))


def confirm_address(
    context: Context, errand: Errand, player: Player, _line: str
) -> Iterator[Notice]:
    """Take the address, now that somebody has answered from there."""
    errands = context.work.errands.of(player.id)
    addresses = addresses_after(player.addresses, errand, errands)
    context.work.players.set_addresses(player.id, addresses)
    yield from _told(context, player, errand.address)


def _told(context: Context, before: Player, joined: str) -> Iterator[Notice]:
    """Tell the address where mails went until now, those that are gone, and the one that came.

    One that is switched off is told nothing; mails go to the first of the others.
    """
    after = context.people([before.id])[before.id]
    addresses = tuple(dict.fromkeys((after.home, *after.addresses)))
    gone = (a for a in before.addresses if a not in after.addresses and a not in before.off)
    for address in dict.fromkeys((*filter(None, [before.address]), *gone)):
        yield AddressesChanged(address, before.userid, addresses)
    if joined != before.address:
        yield AddressJoined(joined, before.userid, joined == addresses[0])


def _checked(context: Context, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses in one form, each once; raise NotUnderstood if one is none."""
    addresses = tuple(dict.fromkeys(map(fold_address, words)))
    server = fold_address(context.services.address)
    if not all(is_address(address) and address != server for address in addresses):
        raise NotUnderstood("The server cannot write to such an address.")
    return addresses


def _new_ones(context: Context, player: Player, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the addresses that the player has not; raise if they may not be asked."""
    new = tuple(address for address in named if address not in player.addresses)
    today = [
        errand
        for errand in context.work.errands.of(player.id)
        if errand.kind in ADDRESS_KINDS and context.now - errand.made_at < timedelta(days=1)
    ]
    if len(player.addresses) + len(new) > MOST_ADDRESSES:
        raise NotAllowed(f"An account has at most {MOST_ADDRESSES} addresses.")
    if new and len(today) + len(new) > NEW_ADDRESSES_A_DAY:
        raise NotAllowed(f"At most {NEW_ADDRESSES_A_DAY} new addresses can be asked in a day.")
    if any(written_to_lately(context, address) for address in new):
        raise NotNow(
            "The server has written to that address within the last 24 hours. Answer that mail, "
            "or ask again tomorrow."
        )
    return new


def _errand(context: Context, kind: ErrandKind, player: Player, address: str) -> Errand:
    return context.work.errands.add(kind, player.id, address, context.now)


def _asked(player: Player, errand: Errand) -> ErrandAsked:
    token = Token(TokenKind.ERRAND, errand.id, player.id)
    return ErrandAsked(errand.address, player.userid, errand.kind, token)


def written_to_lately(context: Context, address: str) -> bool:
    """Return whether a stranger at `address` has had the one mail that he may get in a day."""
    signup = context.work.signups.latest(address)
    errand = context.work.errands.latest(address)
    asked = (
        signup.made_at if signup and signup.confirmed_at is None else None,
        errand.made_at
        if errand and errand.done_at is None and errand.kind in ADDRESS_KINDS
        else None,
    )
    return any(at is not None and context.now - at < ONE_MAIL_IN for at in asked)
