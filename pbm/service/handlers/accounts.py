"""Opening an account: asked for by anybody, opened by whoever answers at the address."""

from collections.abc import Iterator

from pbm.domain.commands import Confirm, Signup
from pbm.domain.errors import NotAllowed, NotUnderstood, Refusal
from pbm.domain.periods import SIGNUP_LASTS
from pbm.domain.player import check_password, check_userid, is_address
from pbm.service.context import Context
from pbm.service.handlers.addresses import ask_further, written_to_lately
from pbm.service.notices import ChooseUserid, ConfirmSignup, Notice, Refused, Welcome
from pbm.service.tokens import Token, TokenKind

_NO = frozenset({"no", "not", "stop", "cancel", "unsubscribe"})

MOST_FURTHER = 4
"""Addresses beside his own that a stranger can name."""


def ask_signup(context: Context, command: Signup) -> Iterator[Notice]:
    """Write once to the address that asks for an account; open nothing yet.

    A request that follows another within a day is dropped, not merged: whoever forges a
    From address must not be able to change the password of an account about to be opened.
    """
    userid = check_userid(command.userid)
    password = check_password(command.password)
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
    yield ConfirmSignup(context.author, Token(TokenKind.SIGNUP, signup.id), taken)


def confirm_signup(context: Context, command: Confirm) -> Iterator[Notice]:
    """Open the account, now that somebody has answered at its address.

    If the userid was taken in the meantime, the reply's first word is tried as another one,
    and asked for if there is none. A second reply does nothing more, and is told so. A reply
    that begins with a no opens nothing, and nobody is written to again.
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
    again = ChooseUserid(signup.address, Token(TokenKind.SIGNUP, signup.id))
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
