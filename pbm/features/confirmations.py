"""Confirmations: the replies to mails that ask an account's owner whether to go on."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from pbm.domain.confirmations import (
    ADDRESS_KINDS,
    Answer,
    Errand,
    ErrandKind,
    addresses_after,
    is_waiting,
    read_answer,
)
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.player import Player
from pbm.engine import fold
from pbm.features.accounts import (
    addresses_changed,
    check_chosen_password,
    password_changed,
    store_password,
)
from pbm.features.leaving import leave
from pbm.service.board_messages import Refused
from pbm.service.command import Proof, untyped
from pbm.service.context import Context
from pbm.service.letters import Message, answer
from pbm.service.strangers import WORDS_A_DAY, leave_alone, may_write
from pbm.service.tokens import Token, TokenKind, errand_token


@untyped("confirm request", needs=Proof.ITS_MAIL, confirms=TokenKind.ERRAND)
def confirm(context: Context, number: int, line: str, *, alone: bool) -> Iterator[Message]:
    """Do once what the mail that is answered asks about; a reply that lacks something is refused.

    `line` is the first line of the reply, which may hold a new password; `alone` says whether it
    is the only one.
    """
    errand = context.work.errands.get(number)
    if errand is None:
        return
    player = context.people([errand.player])[errand.player]
    said = read_answer(line, player.userid if alone else "")
    if said is Answer.NO and errand.kind in _NO_ENDS:
        _end(context, errand)
    elif said is Answer.UNCLEAR and errand.kind in ADDRESS_KINDS:
        if is_waiting(errand, context.now):
            yield from unclear(context, errand.address, errand_token(errand))
    else:
        yield from _carry_out(context, errand, player, line)


_NO_ENDS = ADDRESS_KINDS | {ErrandKind.RESET_PASSWORD}
"""The errands that a no ends."""


def unclear(context: Context, address: str, token: Token) -> Iterator[Message]:
    """Ask again for a yes or a no, in answer to a reply that is neither."""
    if may_write(context, address, WORDS_A_DAY):
        yield answer(address, "confirmations/unclear", threadless=True, reply=token)


def _end(context: Context, errand: Errand) -> None:
    """Wait for this errand no longer; write no more to an address that may be a stranger's."""
    if is_waiting(errand, context.now):
        context.work.errands.done(errand.id, context.now)
    if errand.kind in ADDRESS_KINDS:
        leave_alone(context, errand.address, proven=True)


def _carry_out(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Message]:
    try:
        _check_waiting(context, errand, player)
        messages = list(_ERRANDS[errand.kind](context, errand, player, line))
    except Refusal as error:
        # A stranger who answers a second time is left alone.
        if errand.kind not in ADDRESS_KINDS:
            there = replace(player, addresses=(errand.address,))
            reset = errand.kind is ErrandKind.RESET_PASSWORD
            example = error.example or ("password your-new-password" if reset else "yes")
            yield Refused(there, str(error), example, context.now, reply=errand_token(errand))
        return
    context.work.errands.done(errand.id, context.now)
    yield from messages


_AGAIN: Mapping[ErrandKind, str] = {
    ErrandKind.RESET_PASSWORD: "forgot {userid}",
    ErrandKind.SIGN_OFF: "signoff {userid} your-password",
}
"""How to ask again."""


def _check_waiting(context: Context, errand: Errand, player: Player) -> None:
    if not is_waiting(errand, context.now):
        again = _AGAIN.get(errand.kind, "").format(userid=player.userid)
        raise NotNow("That mail has been answered already, or it is too old.", again)


def _confirm_address(
    context: Context, errand: Errand, player: Player, _line: str
) -> Iterator[Message]:
    """Accept the address, now that somebody has replied from it."""
    errands = context.work.errands.of(player.id)
    addresses = addresses_after(player.addresses, errand, errands)
    context.work.players.set_addresses(player.id, addresses)
    yield from addresses_changed(context, player, errand.address)


def _reset_password(
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
        yield password_changed(address, player.userid)


_ERRANDS: Mapping[ErrandKind, Callable[[Context, Errand, Player, str], Iterator[Message]]] = {
    ErrandKind.ADD_ADDRESS: _confirm_address,
    ErrandKind.CHANGE_ADDRESS: _confirm_address,
    ErrandKind.RESET_PASSWORD: _reset_password,
    ErrandKind.SIGN_OFF: leave,
}
"""What carries out each kind of errand; each raises a Refusal before it changes anything."""


def new_password_in(line: str) -> str | None:
    """Return the word after "password" in a line of these two words; None for any other line."""
    word, *rest = line.split() or [""]
    return rest[0] if fold(word).rstrip(":") == "password" and len(rest) == 1 else None
