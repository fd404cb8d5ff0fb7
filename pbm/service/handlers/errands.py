"""Replies to the mails that ask an account's owner to confirm something."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from pbm.domain.confirmations import (
    ADDRESS_KINDS,
    Answer,
    Errand,
    ErrandKind,
    is_waiting,
    read_answer,
)
from pbm.domain.errors import NotNow, Refusal
from pbm.domain.player import Player
from pbm.features.leaving import leave
from pbm.service.board_messages import Refused
from pbm.service.commands.accounts import ConfirmErrand
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.steps.accounts import confirm_address, reset_password, unclear
from pbm.service.strangers import leave_alone
from pbm.service.tokens import errand_token

_CARRY_OUT: Mapping[ErrandKind, Callable[[Context, Errand, Player, str], Iterator[Message]]] = {
    ErrandKind.ADD_ADDRESS: confirm_address,
    ErrandKind.CHANGE_ADDRESS: confirm_address,
    ErrandKind.RESET_PASSWORD: reset_password,
    ErrandKind.SIGN_OFF: leave,
}
"""What carries out each kind of errand; each raises a Refusal before it changes anything."""

_AGAIN: Mapping[ErrandKind, str] = {
    ErrandKind.RESET_PASSWORD: "forgot {userid}",
    ErrandKind.SIGN_OFF: "signoff {userid} your-password",
}
"""How to ask again."""


_ANSWERS: Mapping[ErrandKind, str] = {ErrandKind.RESET_PASSWORD: "password your-new-password"}
"""What a reply begins with that is not just a yes."""


_NO_ENDS = ADDRESS_KINDS | {ErrandKind.RESET_PASSWORD}
"""The errands that a no ends."""


def confirm_errand(context: Context, command: ConfirmErrand) -> Iterator[Message]:
    """Carry out the errand once; a reply that lacks something is refused and can be repeated."""
    errand = context.work.errands.get(command.errand)
    if errand is None:
        return
    player = context.people([errand.player])[errand.player]
    answer = read_answer(command.line, player.userid if command.alone else "")
    if answer is Answer.NO and errand.kind in _NO_ENDS:
        _end(context, errand)
    elif answer is Answer.UNCLEAR and errand.kind in ADDRESS_KINDS:
        if is_waiting(errand, context.now):
            yield from unclear(context, errand.address, errand_token(errand))
    else:
        yield from _carry_out(context, errand, player, command.line)


def _end(context: Context, errand: Errand) -> None:
    """Wait for this errand no longer; write no more to an address that may be a stranger's."""
    if is_waiting(errand, context.now):
        context.work.errands.done(errand.id, context.now)
    if errand.kind in ADDRESS_KINDS:
        leave_alone(context, errand.address, proven=True)


def _carry_out(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Message]:
    token = errand_token(errand)
    try:
        _check_waiting(context, errand, player)
        notices = list(_CARRY_OUT[errand.kind](context, errand, player, line))
    except Refusal as error:
        # A stranger who answers a second time is left alone.
        if errand.kind not in ADDRESS_KINDS:
            there = replace(player, addresses=(errand.address,))
            example = error.example or _ANSWERS.get(errand.kind, "yes")
            yield Refused(there, str(error), example, context.now, reply=token)
        return
    context.work.errands.done(errand.id, context.now)
    yield from notices


def _check_waiting(context: Context, errand: Errand, player: Player) -> None:
    if not is_waiting(errand, context.now):
        again = _AGAIN.get(errand.kind, "").format(userid=player.userid)
        raise NotNow("That mail has been answered already, or it is too old.", again)


HANDLERS: Mapping[type, Handler] = {
    ConfirmErrand: confirm_errand,
}
