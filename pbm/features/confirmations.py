"""Confirmations: what an account has asked for is done once a reply to its mail confirms it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbm.core import strangers
from pbm.core.board_messages import refusal_letter
from pbm.core.command import Proof, reply_command
from pbm.core.context import Context
from pbm.core.letters import Message, answer
from pbm.core.tokens import Token, TokenKind, confirmation_token
from pbm.domain.confirmations import (
    ADDRESS_KINDS,
    ConfirmationKind,
    ConfirmationRequest,
    Consent,
    addresses_after,
    is_waiting,
    read_answer,
)
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.player import Player
from pbm.engine import GameInfo, fold
from pbm.features.accounts import (
    addresses_changed,
    ask_other_address,
    password_changed,
    store_password,
)
from pbm.features.leaving import leave


@reply_command("confirm request", needs=Proof.ITS_MAIL, confirms=TokenKind.CONFIRMATION)
def confirm(context: Context, number: int, line: str, below: Sequence[str]) -> Iterator[Message]:
    """Do once what the mail that is answered asks about; a reply that lacks something is refused.

    `line` is the first line of the reply, which may hold a new password; `below` are the
    others.
    """
    request = context.work.confirmations.get(number)
    if request is None:
        return
    player = context.person(request.player)
    said = read_answer(line, "" if below else player.userid)
    if said is Consent.NO and request.kind in _NO_ENDS:
        _end(context, request)
    elif said is Consent.UNCLEAR and request.kind in ADDRESS_KINDS:
        if is_waiting(request, context.now):
            yield from unclear(context, request.address, confirmation_token(request))
    else:
        yield from _carry_out(context, request, player, line)


_NO_ENDS = ADDRESS_KINDS | {ConfirmationKind.OTHER_ADDRESS, ConfirmationKind.RESET_PASSWORD}
"""The requests that a no ends."""


def unclear(
    context: Context, address: str, token: Token, inviter: str = "", game: GameInfo | None = None
) -> Iterator[Message]:
    """Ask again for a yes or a no, in answer to a reply that is neither.

    It may be to an invitation of `inviter` to this game.
    """
    most = strangers.MAILS_A_DAY if inviter else strangers.WORDS_A_DAY
    if strangers.may_write(context, address, most):
        yield answer(
            address, "signups/unclear", inviter=inviter, game=game, threadless=True, reply=token
        )


def _end(context: Context, request: ConfirmationRequest) -> None:
    """End the request, and write no more to an address that may be a stranger's."""
    if is_waiting(request, context.now):
        context.work.confirmations.done(request.id, context.now)
    if request.kind in ADDRESS_KINDS:
        strangers.leave_alone(context, request.address, proven=True)


def _carry_out(
    context: Context, request: ConfirmationRequest, player: Player, line: str
) -> Iterator[Message]:
    try:
        if not is_waiting(request, context.now):
            again = _AGAIN.get(request.kind, "").format(userid=player.userid)
            raise NotNow("That mail has already been answered, or it is too old.", again)
        messages = list(_CONFIRMED[request.kind](context, request, player, line))
    except Refusal as error:
        # A stranger who answers a second time gets no mail.
        if request.kind not in ADDRESS_KINDS:
            own = request.kind is ConfirmationKind.OTHER_ADDRESS
            there = player if own else replace(player, addresses=(request.address,))
            reset = request.kind is ConfirmationKind.RESET_PASSWORD
            usual = "password your-new-password" if reset else "yes"
            lines = error.examples or (usual,)
            yield refusal_letter(there, str(error), lines, reply=confirmation_token(request))
        return
    context.work.confirmations.done(request.id, context.now)
    yield from messages


_AGAIN: Mapping[ConfirmationKind, str] = {
    ConfirmationKind.RESET_PASSWORD: "forgot {userid}",
    ConfirmationKind.SIGN_OFF: "signoff {userid} your-password",
}
"""The lines that ask again."""


def _confirm_address(
    context: Context, request: ConfirmationRequest, player: Player, _line: str
) -> Iterator[Message]:
    """Accept the address, now that somebody has replied from it."""
    requests = context.work.confirmations.of(player.id)
    addresses = addresses_after(player.addresses, request, requests)
    context.work.players.set_addresses(player.id, addresses)
    yield from addresses_changed(context, player, request.address)


def _reset_password(
    context: Context, request: ConfirmationRequest, player: Player, line: str
) -> Iterator[Message]:
    """Set the password that the reply names in the one form that nobody writes by accident."""
    password = new_password_in(line)
    if password is None:
        raise NotUnderstood(
            "Nothing was changed. Begin your reply with the word password and the new one."
        )
    store_password(context, player, password)
    for address in dict.fromkeys((request.address, player.home)):
        yield password_changed(address, player.userid)


_CONFIRMED: Mapping[
    ConfirmationKind, Callable[[Context, ConfirmationRequest, Player, str], Iterator[Message]]
] = {
    ConfirmationKind.ADD_ADDRESS: _confirm_address,
    ConfirmationKind.CHANGE_ADDRESS: _confirm_address,
    ConfirmationKind.OTHER_ADDRESS: ask_other_address,
    ConfirmationKind.RESET_PASSWORD: _reset_password,
    ConfirmationKind.SIGN_OFF: leave,
}
"""The functions that carry out each kind of request; a Refusal is raised before any change."""


def new_password_in(line: str) -> str | None:
    """Return the word after "password" in a line of these two words; None for any other line."""
    word, *rest = line.split() or [""]
    return rest[0] if fold(word).rstrip(":") == "password" and len(rest) == 1 else None
