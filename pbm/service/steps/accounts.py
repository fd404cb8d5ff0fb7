"""Steps of accounts: addresses are asked and taken, passwords are stored."""

from collections.abc import Iterator
from datetime import timedelta

from pbm.domain.addresses import fold_address
from pbm.domain.confirmations import ADDRESS_KINDS, Errand, ErrandKind, addresses_after
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, check_chosen
from pbm.engine import fold
from pbm.service.context import Context
from pbm.service.letters import Message, answer
from pbm.service.notices.accounts import (
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
    PasswordChanged,
)
from pbm.service.passwords import forget_wrong
from pbm.service.strangers import WORDS_A_DAY, may_write
from pbm.service.tokens import Token, errand_token

ONE_QUESTION_IN = timedelta(hours=24)
"""An address is asked at most once in this time whether it belongs to somebody's account."""

_RESETS = "password"
"""The word before a new password in the reply to a reset mail."""


def ask_further(context: Context, player: Player, named: tuple[str, ...]) -> Iterator[Message]:
    """Ask the further addresses of a signup, except those that may not be written to."""
    server = fold_address(context.services.address)
    addresses = dict.fromkeys(map(fold_address, named))
    known = {server, *map(fold_address, player.addresses)}
    for address in (address for address in addresses if address not in known):
        if not asked_lately(context, address) and may_write(context, address):
            yield ask_address(context, ErrandKind.ADD_ADDRESS, player, address)


def confirm_address(
    context: Context, errand: Errand, player: Player, _line: str
) -> Iterator[Message]:
    """Accept the address, now that somebody has replied from it."""
    errands = context.work.errands.of(player.id)
    addresses = addresses_after(player.addresses, errand, errands)
    context.work.players.set_addresses(player.id, addresses)
    yield from addresses_told(context, player, errand.address)


def asked_lately(context: Context, address: str) -> bool:
    """Return whether a question whether `address` belongs to an account still waits there."""
    errand = context.work.errands.latest(address)
    if errand is None or errand.done_at is not None or errand.kind not in ADDRESS_KINDS:
        return False
    return context.now - errand.made_at < ONE_QUESTION_IN


def ask_address(context: Context, kind: ErrandKind, player: Player, address: str) -> ErrandAsked:
    """Return the notice that asks the reader of `address` to confirm it."""
    errand = context.work.errands.add(kind, player.id, address, context.now)
    return ErrandAsked(address, player.userid, kind, reply=errand_token(errand))


def addresses_told(context: Context, before: Player, joined: str) -> Iterator[Message]:
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


def reset_password(
    context: Context, errand: Errand, player: Player, line: str
) -> Iterator[Message]:
    """Set the password that the reply names in the one form that nobody writes by accident."""
    password = new_password_in(line)
    if password is None:
        raise NotUnderstood(
            "Nothing was changed. Begin your reply with the word password and the new one."
        )
    store_password(context, player, check_chosen_password(context, password, player.userid))
    for address in dict.fromkeys((errand.address, player.home)):
        yield PasswordChanged(address, player.userid)


def new_password_in(line: str) -> str | None:
    """Return the word after "password" in a line of these two words; None for any other line."""
    word, *rest = line.split() or [""]
    return rest[0] if fold(word).rstrip(":") == _RESETS and len(rest) == 1 else None


def check_chosen_password(context: Context, password: str, userid: str) -> str:
    """Return `password` if a player may choose it for this userid; raise NotUnderstood."""
    well_known = context.passwords.well_known(password)
    return check_chosen(password, userid, well_known=well_known)


def store_password(context: Context, player: Player, password: str) -> None:
    """Store the password, which the caller has checked, and cancel all that was asked before.

    Somebody who guessed the old password may have asked to add an address to the account, and
    may have read mails: replies to those count no longer.
    """
    hashed = context.passwords.hash(password)
    forget_wrong(context.work, player)
    context.work.players.set_password_hash(player.id, hashed)
    context.work.players.void_tokens(player.id, context.now)
    for errand in context.work.errands.of(player.id):
        if errand.done_at is None:
            context.work.errands.done(errand.id, context.now)


def unclear(context: Context, address: str, token: Token) -> Iterator[Message]:
    """Ask again for a yes or a no, in answer to a reply that is neither."""
    if may_write(context, address, WORDS_A_DAY):
        yield answer(address, "accounts/unclear", threadless=True, reply=token)
