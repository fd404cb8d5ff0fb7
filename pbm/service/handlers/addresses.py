"""The addresses of an account: each one counts once somebody has replied from it."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from pbm.domain.addresses import fold_address, is_address
from pbm.domain.confirmations import ADDRESS_KINDS, ErrandKind
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.player import Player
from pbm.service.commands.accounts import AddAddress, ChangeAddress
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.notices.accounts import AddressesAsked
from pbm.service.steps.accounts import addresses_told, ask_address, asked_lately
from pbm.service.strangers import may_write

MOST_ADDRESSES = 10
"""The most addresses that one account can have."""

NEW_ADDRESSES_A_DAY = 5
"""The most new addresses written to for one account in a day: they may be strangers'."""


def change_address(context: Context, command: ChangeAddress) -> Iterator[Message]:
    """Ask the new addresses to confirm; those that the account already has are not asked."""
    player = context.sender()
    named = _checked(context, command.addresses)
    new = _new_ones(context, player, named)
    if not new:
        context.work.players.set_addresses(player.id, named)
        yield from addresses_told(context, player, named[0])
        return
    for address in named:
        if address in new:
            yield ask_address(context, ErrandKind.CHANGE_ADDRESS, player, address)
        else:
            errands = context.work.errands
            errand = errands.add(ErrandKind.CHANGE_ADDRESS, player.id, address, context.now)
            errands.done(errand.id, context.now)
    yield AddressesAsked(player.home, player.userid, new)


def add_address(context: Context, command: AddAddress) -> Iterator[Message]:
    """Ask further addresses to confirm."""
    player = context.sender()
    new = _new_ones(context, player, _checked(context, command.addresses))
    if not new:
        raise NotNow("You already have that address.")
    for address in new:
        yield ask_address(context, ErrandKind.ADD_ADDRESS, player, address)
    yield AddressesAsked(player.home, player.userid, new)


def _checked(context: Context, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folded addresses without repeats; raise NotUnderstood if one is invalid."""
    addresses = tuple(dict.fromkeys(map(fold_address, words)))
    server = fold_address(context.services.address)
    if not all(is_address(address) and address != server for address in addresses):
        raise NotUnderstood("The server cannot write to such an address.")
    return addresses


def _new_ones(context: Context, player: Player, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses new to the player; raise a Refusal if they may not be asked."""
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
    if any(asked_lately(context, address) for address in new):
        raise NotNow(
            "The server has written to that address within the last 24 hours. Answer that mail, "
            "or ask again tomorrow."
        )
    if not all(may_write(context, address) for address in new):
        raise NotNow("The server may not write to that address now.")
    return new


HANDLERS: Mapping[type, Handler] = {ChangeAddress: change_address, AddAddress: add_address}
