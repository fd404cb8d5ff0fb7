"""Signups: anybody can ask for an account, and whoever says yes at the address opens it.

An address may be a stranger's, so no mail to it contains a word of the sender's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from pbm.domain.addresses import is_address
from pbm.domain.confirmations import (
    ADDRESS_KINDS,
    SIGNUP_LASTS,
    Answer,
    ConfirmationKind,
    ConfirmationRequest,
    Signup,
    addresses_after,
    is_waiting,
    read_answer,
)
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, Refusal, UnreadSecret, unquoted
from pbm.domain.mail import IncomingMail
from pbm.domain.player import Player, check_userid, fold_userid
from pbm.domain.robots import ANYBODY
from pbm.engine import MoveError, fold, quote
from pbm.features.accounts import (
    addresses_changed,
    ask_further,
    ask_other_address,
    check_chosen_password,
    password_changed,
    store_password,
)
from pbm.features.help import INTRODUCTION, help_on, page
from pbm.features.leaving import leave
from pbm.service import strangers
from pbm.service.board_messages import Refused
from pbm.service.command import Line, Proof, Request, command, join_second_word, untyped
from pbm.service.context import Context, hour_of
from pbm.service.grammar import find_verb
from pbm.service.letters import Message, answer, letter
from pbm.service.robots import recommended, robot_line
from pbm.service.tokens import Token, TokenKind, confirmation_token, player_token
from pbm.store.unit import OpenUnit

MOST_FURTHER = 4
"""The most addresses that a stranger can name besides their own."""


def _read_signup(line: Line) -> Request:
    """Read `userid password address...`, or the same after `sign up`, as phones write it."""
    join_second_word(line, "sign", "up")
    if len(line.words.rest) < 2:
        raise NotUnderstood("signup needs a userid and a password of your choice.", line.example)
    userid, password, *further = line.words.rest
    addresses = tuple(word.strip("<>,;") for word in further)
    if not all("@" in address for address in addresses):
        raise UnreadSecret(
            "signup takes a userid in one word, a password in one word, and further mail "
            "addresses if you like.",
            line.example,
        )
    return line.request(userid=userid, password=password, addresses=addresses)


@command(
    "signup", "userid password [address...]", "opens an account for the address you write from",
    "signup alice your-password",
    needs=Proof.NOTHING, read=_read_signup, aliases=("register", "sign"),
    new_password="password",  # noqa: S106 - the name of a parameter
    text="The server writes to that address; reply yes to that mail, and you can play. The "
         "password is one word of eight characters or more; do not use it elsewhere. Then the "
         "server writes to any further addresses; each is added once you have replied yes from "
         "there.",
)  # fmt: skip
def signup(
    context: Context, userid: str, password: str, addresses: tuple[str, ...]
) -> Iterator[Message]:
    """Write to the address that asks for an account; open nothing yet.

    Each question opens the account with the password of its own signup, so a forged From chooses
    no password for the signup that somebody else has made.
    """
    userid = check_userid(userid)
    password = check_chosen_password(context, password, userid)
    if not is_address(context.author):
        raise NotUnderstood("The server cannot send mail to the address that this came from.")
    if (like := context.work.players.lookalike(userid)) is not None:
        raise NotAllowed(_taken(userid, like))
    if not strangers.may_open_account(context.work, context.author):
        return
    strangers.asks_again(context)
    if not strangers.may_write(context, context.author):
        if context.known:
            raise NotNow("There were too many signups from your address. Try again tomorrow.")
        return
    signups = context.work.signups
    earlier = signups.latest(context.author)
    again = earlier is not None and _is_open(context, earlier)
    hashed = context.passwords.hash(password)
    further = tuple(filter(is_address, addresses[:MOST_FURTHER]))
    asked = signups.add(userid, hashed, context.author, context.now, further)
    yield letter(
        context.author, "signups/confirm", asked_at=context.now, again=again, threadless=True,
        reply=Token(TokenKind.SIGNUP, asked.id),
    )  # fmt: skip


@untyped("confirm signup", needs=Proof.ITS_MAIL, confirms=TokenKind.SIGNUP)
def confirm_signup(context: Context, number: int, line: str, *, alone: bool) -> Iterator[Message]:
    """Open the account if the reply says yes, or names the userid and nothing else.

    After a no the server never writes there again, except to a player. All else changes nothing.
    """
    asked = context.work.signups.get(number)
    if asked is None:
        return
    said = read_answer(line, asked.userid if alone else "")
    if asked.confirmed_at is not None:
        yield from _open_already(context)
    elif said is Answer.NO:
        context.work.signups.forget(asked.address)
        strangers.leave_alone(context, asked.address, proven=True)
    elif said is Answer.UNCLEAR:
        yield from unclear(context, asked.address, Token(TokenKind.SIGNUP, asked.id))
    elif not strangers.may_open_account(context.work, asked.address):
        return
    elif not _is_open(context, asked):
        yield from _wrong(context, asked.address, "That mail is too old. Please sign up again.")
    elif (like := context.work.players.lookalike(asked.userid)) is not None:
        yield from _wrong(context, asked.address, _taken(asked.userid, like))
    else:
        yield from _open_account(context, asked)


def greet_stranger(context: Context, lines: Sequence[str]) -> Iterator[Message]:
    """Introduce the server to a stranger whose mail had no command; note if they say no.

    `lines` are the first of the mail that are not blank, with the subject. If a signup below a
    greeting cannot be read, the answer says why. An address that may not open an account gets
    nothing.
    """
    if context.known or not lines or not is_address(context.author):
        return
    if not strangers.may_open_account(context.work, context.author):
        context.proceedings.silenced("may-open-no-account")
        return
    if Answer.NO in map(read_answer, lines[:2]):
        context.proceedings.silenced("said-no")
        strangers.leave_alone(context, context.author, proven=False)
        return
    line = next(filter(begins_signup, lines), "")
    try:
        if line:
            context.services.grammar.read(line, None)
    except Refusal as error:
        yield from signup_refused(context, line, error)
    else:
        yield from _page_asked_for(context, lines) or _introduce(context)


def _page_asked_for(context: Context, lines: Sequence[str]) -> list[Message]:
    """Return the page of help that a stranger asks for, if there is one and it may go out."""
    grammar, services = context.services.grammar, context.services
    line = next((line for line in lines if find_verb(line.partition(" ")[0]) is help_on), "")
    topic = grammar.read(line, None).arguments["topic"] if line else ""
    found = page(context.author, topic, services.catalogue, services.periods)
    if not topic or found.template == INTRODUCTION:
        return []
    may = strangers.may_write(context, context.author, strangers.WORDS_A_DAY)
    return [replace(found, threadless=True)] if may else []


def begins_signup(line: str) -> bool:
    """Return whether `line` is meant as a signup, whether or not it can be read as one."""
    return any(find_verb(word) is signup for word in line.split()[:1])


_MAY_BEGIN_SIGNUP = re.compile(rb"\b(?:sign|register|base64)", re.IGNORECASE)

_LONGEST_SIGNUP = 16 * 1024


def may_be_signup(content: bytes) -> bool:
    """Return whether a mail is worth reading to see if it is a signup; most are not."""
    return len(content) <= _LONGEST_SIGNUP and bool(_MAY_BEGIN_SIGNUP.search(content))


def is_beyond_bounds(open_reading: OpenUnit, mail: IncomingMail, now: datetime) -> bool:
    """Return whether `mail` is the signup of a stranger who cannot be answered in this hour."""
    written = () if mail.silence else (mail.subject, *mail.lines)
    if mail.author is None or not any(map(begins_signup, written)):
        return False
    with open_reading() as work:
        if work.players.by_address(mail.author):
            return False
        return not strangers.counts_of(work, mail.author, mail.network, hour_of(now))


def signup_refused(context: Context, line: str, error: Refusal | MoveError) -> Iterator[Message]:
    """Yield the mail that says what is wrong with a stranger's signup; ignore any other `line`."""
    if begins_signup(line) and is_address(context.author):
        strangers.asks_again(context)
        yield from _wrong(context, context.author, unquoted(str(error), map(quote, line.split())))


def _introduce(context: Context) -> Iterator[Message]:
    """Introduce the server to the author, a stranger, once a day, if that is allowed."""
    if strangers.may_introduce(context):
        games = tuple(game.info.title for game in context.catalogue)
        yield answer(context.author, "signups/introduced", games=games, threadless=True)


def _wrong(context: Context, address: str, sentence: str) -> Iterator[Message]:
    """Write to `address` what is wrong with its signup, if the server may write there."""
    if strangers.may_write(context, address, strangers.WORDS_A_DAY):
        yield answer(address, "signups/refused", sentence=sentence, threadless=True)


def _taken(userid: str, like: str) -> str:
    """Return why `userid` cannot be had, without naming the player whose userid is `like` it."""
    same = fold_userid(userid) == fold_userid(like)
    why = "is taken" if same else "looks like that of another player"
    return f"That userid {why}. Choose another."


def _is_open(context: Context, asked: Signup) -> bool:
    return asked.confirmed_at is None and context.now - asked.made_at <= SIGNUP_LASTS


def _open_already(context: Context) -> Iterator[Message]:
    if context.reader:
        open_already = "That mail has already been answered: the account is open."
        yield Refused(context.reader, open_already, "help", context.now)


def _open_account(context: Context, asked: Signup) -> Iterator[Message]:
    player = context.work.players.add(
        asked.userid, asked.password_hash, [asked.address], context.now
    )
    context.work.signups.confirm(asked, context.now)
    strangers.has_said_yes(context, asked.address)
    games = [game.info for game in context.catalogue]
    first = recommended(context.work, context.catalogue)
    robot = ANYBODY if robot_line(context, first.info.key) else ""
    yield letter(
        player, "signups/welcome", games=[game.title for game in games], key=games[0].key,
        robot=robot, reply=player_token(player.id),
    )  # fmt: skip
    yield from ask_further(context, player, asked.further)


@untyped("confirm request", needs=Proof.ITS_MAIL, confirms=TokenKind.CONFIRMATION)
def confirm(context: Context, number: int, line: str, *, alone: bool) -> Iterator[Message]:
    """Do once what the mail that is answered asks about; a reply that lacks something is refused.

    `line` is the first line of the reply, which may hold a new password; `alone` says whether it
    is the only one.
    """
    request = context.work.confirmations.get(number)
    if request is None:
        return
    player = context.person(request.player)
    said = read_answer(line, player.userid if alone else "")
    if said is Answer.NO and request.kind in _NO_ENDS:
        _end(context, request)
    elif said is Answer.UNCLEAR and request.kind in ADDRESS_KINDS:
        if is_waiting(request, context.now):
            yield from unclear(context, request.address, confirmation_token(request))
    else:
        yield from _carry_out(context, request, player, line)


_NO_ENDS = ADDRESS_KINDS | {ConfirmationKind.OTHER_ADDRESS, ConfirmationKind.RESET_PASSWORD}
"""The requests that a no ends."""


def unclear(context: Context, address: str, token: Token) -> Iterator[Message]:
    """Ask again for a yes or a no, in answer to a reply that is neither."""
    if strangers.may_write(context, address, strangers.WORDS_A_DAY):
        yield answer(address, "signups/unclear", threadless=True, reply=token)


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
            example = error.example or ("password your-new-password" if reset else "yes")
            yield Refused(
                there, str(error), example, context.now, reply=confirmation_token(request)
            )
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
    store_password(context, player, check_chosen_password(context, password, player.userid))
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
