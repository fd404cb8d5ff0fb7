"""Signups: asked for by anybody, opened by whoever says yes at the address."""

from collections.abc import Iterator, Mapping

from pbm.domain.addresses import is_address
from pbm.domain.confirmations import SIGNUP_LASTS, Answer, read_answer
from pbm.domain.confirmations import Signup as Request
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.player import check_userid, fold_userid
from pbm.domain.robots import ANYBODY
from pbm.service.bans import may_open_account
from pbm.service.board_messages import Refused
from pbm.service.commands.accounts import Confirm, Signup
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.notices.accounts import Welcome
from pbm.service.notices.strangers import ConfirmSignup
from pbm.service.robots import recommended, robot_line
from pbm.service.steps.accounts import ask_further, check_chosen_password
from pbm.service.steps.strangers import (
    asks_again,
    has_said_yes,
    leave_alone,
    may_write,
    unclear,
    wrong,
)
from pbm.service.tokens import Token, TokenKind, player_token

MOST_FURTHER = 4
"""The most addresses that a stranger can name besides their own."""


def ask_signup(context: Context, command: Signup) -> Iterator[Message]:
    """Write to the address that asks for an account; open nothing yet.

    Each question opens the account with the password of its own signup, so a forged From chooses
    no password for the signup that somebody else has made.
    """
    userid = check_userid(command.userid)
    password = check_chosen_password(context, command.password, userid)
    if not is_address(context.author):
        raise NotUnderstood("The server cannot write to the address that this came from.")
    if (like := context.work.players.lookalike(userid)) is not None:
        raise NotAllowed(_taken(userid, like))
    if not may_open_account(context.work, context.author):
        return
    asks_again(context)
    if not may_write(context, context.author):
        if context.known:
            raise NotNow("There were too many signups from your address. Try again tomorrow.")
        return
    earlier = context.work.signups.latest(context.author)
    again = earlier is not None and _is_open(context, earlier)
    hashed = context.passwords.hash(password)
    further = tuple(filter(is_address, command.addresses[:MOST_FURTHER]))
    signup = context.work.signups.add(userid, hashed, context.author, context.now, further)
    token = Token(TokenKind.SIGNUP, signup.id)
    yield ConfirmSignup(context.author, context.now, again, reply=token)


def confirm_signup(context: Context, command: Confirm) -> Iterator[Message]:
    """Open the account if the reply says yes, or names the userid and nothing else.

    A no is kept, and everything else changes nothing.
    """
    signup = context.work.signups.get(command.signup)
    if signup is None:
        return
    answer = read_answer(command.line, signup.userid if command.alone else "")
    if signup.confirmed_at is not None:
        yield from _open_already(context)
    elif answer is Answer.NO:
        yield from _decline(context, signup)
    elif answer is Answer.UNCLEAR:
        yield from unclear(context, signup.address, Token(TokenKind.SIGNUP, signup.id))
    elif not may_open_account(context.work, signup.address):
        return
    elif not _is_open(context, signup):
        yield from wrong(context, signup.address, "That mail is too old. Please sign up again.")
    elif (like := context.work.players.lookalike(signup.userid)) is not None:
        yield from wrong(context, signup.address, _taken(signup.userid, like))
    else:
        yield from _open_account(context, signup)


def _taken(userid: str, like: str) -> str:
    """Return why `userid` cannot be had beside the userid `like`, which is not told."""
    same = fold_userid(userid) == fold_userid(like)
    why = "is taken" if same else "looks like that of another player"
    return f"That userid {why}. Choose another."


def _is_open(context: Context, signup: Request) -> bool:
    return signup.confirmed_at is None and context.now - signup.made_at <= SIGNUP_LASTS


def _decline(context: Context, signup: Request) -> Iterator[Message]:
    """Forget what was asked for that address, and never write there again; a player may stay."""
    context.work.signups.forget(signup.address)
    leave_alone(context, signup.address, proven=True)
    yield from ()


def _open_already(context: Context) -> Iterator[Message]:
    if context.reader:
        open_already = "That mail has been answered already: the account is open."
        yield Refused(context.reader, open_already, "help", context.now)


def _open_account(context: Context, signup: Request) -> Iterator[Message]:
    addresses = [signup.address]
    players = context.work.players
    player = players.add(signup.userid, signup.password_hash, addresses, context.now)
    context.work.signups.confirm(signup, context.now)
    has_said_yes(context, signup.address)
    games = tuple(context.services.catalogue)
    first = recommended(context.work, context.services.catalogue)
    robot = ANYBODY if robot_line(context, first.info.key) else ""
    yield Welcome(player, games, robot, reply=player_token(player.id))
    yield from ask_further(context, player, signup.further)


HANDLERS: Mapping[type, Handler] = {Signup: ask_signup, Confirm: confirm_signup}
