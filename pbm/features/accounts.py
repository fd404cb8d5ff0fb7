"""Accounts: their password and their addresses.

Most of these mails go to a bare address, because the addresses of the account may be what changes.
A new address may be a stranger's, so no mail to it contains a word of the player's except the
userid.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from pbm.core.command import (
    Addresses,
    Command,
    CommandLine,
    Proof,
    Request,
    Userid,
    command,
    join_second_word,
    one_userid,
    read_bare,
    reply_command,
    written_words,
)
from pbm.core.context import Context
from pbm.core.identity import proves_person
from pbm.core.letters import Message, answer, letter, noted
from pbm.core.limits import count_of_day
from pbm.core.passwords import forget_wrong
from pbm.core.strangers import check_free, may_write
from pbm.core.tokens import confirmation_token, player_token
from pbm.domain.addresses import fold_address, is_address, mailbox
from pbm.domain.confirmations import (
    ADDRESS_KINDS,
    LASTS,
    ConfirmationKind,
    ConfirmationRequest,
    Consent,
    read_answer,
)
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, UnreadSecret
from pbm.domain.mail import is_of_server
from pbm.domain.player import Player, check_chosen, check_userid, unlinked
from pbm.engine import fold, frozen

MOST_ADDRESSES = 10
"""The most addresses that one account can have."""

NEW_ADDRESSES_A_DAY = 5
"""The most new addresses written to for one account in a day: they may be strangers'."""

RENAMED_FOR = timedelta(days=30)
"""The time after its opening in which an account can change its userid."""

RENAMES_A_DAY = 3
"""The most new userids of an account in a day; nobody else can take those that it gives up."""

ONE_QUESTION_IN = timedelta(hours=24)
"""An address is asked at most once in this time whether it belongs to somebody's account."""

_CHANGE_ADDRESS = "change address alice your-password alice@example.org"

_CHANGE_PASSWORD = "change password alice your-password new-password"  # noqa: S105 - an example


def _read_change(line: CommandLine) -> Request:
    what = fold(line.words.rest.pop(0)) if line.words.rest else ""
    if what in ("address", "addresses", "email"):
        return _read_addresses(line, change_address)
    if what == "userid":
        return line.request(line.who(least_rest=1), change_userid, userid=one_userid(line))
    if what != "password":
        raise NotUnderstood("change is followed by userid, password or address.", line.example)
    # Never by a reply token: the reader of a forwarded mail must not take the account over.
    if len(line.words.rest) != 3:
        raise UnreadSecret(
            "change password needs your userid, the old password and the new one. If you have none "
            "yet, forgot gets you one.",
            _CHANGE_PASSWORD,
        )
    credentials = line.words.credentials(None, least_rest=1)
    return line.request(credentials, new=line.words.rest[0])


@command(
    "change", "password userid old new; change address userid password address...; "
    "change userid new", "changes your password, mail address or userid", _CHANGE_PASSWORD,
    needs=Proof.PASSWORD, locks=True, read=_read_change, new_password="new",  # noqa: S106 - a parameter
    writes=lambda request: ("password", *request.who, request.arguments["new"]),
    text="A new address is added once you have replied from there to the mail that the server "
         "sends to it; your old address gets a mail as well. If you give several, mail is sent to "
         "the first.\n"
         f"For example: {_CHANGE_ADDRESS}\n"
         f"In the first {RENAMED_FOR.days} days of an account, a reply changes its userid.",
)  # fmt: skip
def change_password(context: Context, new: str) -> Iterator[Message]:
    """Set the new password and write to the account's address."""
    player = context.sender()
    store_password(context, player, new)
    yield password_changed(player.home, player.userid)


@reply_command(
    "change address", needs=Proof.PASSWORD, locks=True,
    writes=lambda request: ("address", *written_words(request)),
)  # fmt: skip
def change_address(context: Context, addresses: Addresses) -> Iterator[Message]:
    """Ask the new addresses to confirm; those that the account already has are not asked."""
    player = context.sender()
    named = checked_addresses(context, addresses)
    new = _new_ones(context, player, named)
    if not new:
        context.work.players.set_addresses(player.id, named)
        yield from addresses_changed(context, player, named[0])
        return
    for address in named:
        if address in new:
            yield _ask_address(context, ConfirmationKind.CHANGE_ADDRESS, player, address)
        else:
            requests = context.work.confirmations
            request = requests.add(ConfirmationKind.CHANGE_ADDRESS, player.id, address, context.now)
            requests.done(request.id, context.now)
    yield letter(player.home, "accounts/addresses_asked", userid=player.userid, new=new)


@reply_command(
    "change userid", needs=Proof.PERSON, locks=True,
    writes=lambda request: ("userid", *written_words(request)),
)  # fmt: skip
def change_userid(context: Context, userid: Userid) -> Iterator[Message]:
    """Give the sender another userid, while few can know them by the old one."""
    player = context.sender()
    if context.now - player.created_at > RENAMED_FOR:
        raise NotNow(f"A userid stays after the first {RENAMED_FOR.days} days of an account.")
    check_free(context.work, check_userid(userid), player.id)
    count_of_day(context, player, "renames", "new userids", RENAMES_A_DAY)
    context.work.personal.rename(player, userid)
    yield noted(player, f"You are {userid} from now on.", reply=player_token(player.id))


def _read_addresses(line: CommandLine, command: Command | None = None) -> Request:
    addresses = tuple(word.strip("<>,;") for word in line.words.rest[2:])
    if not addresses or not all("@" in address for address in addresses):
        raise NotUnderstood(
            "Your userid, your password and the new mail address are needed. If you have no "
            "password yet, forgot gets you one."
        )
    return line.request(line.words.credentials(None, least_rest=1), command, addresses=addresses)


@command(
    "add", "userid password address...", "adds mail addresses that you write from",
    "add alice your-password alice@work.example.com",
    needs=Proof.PASSWORD, locks=True, read=_read_addresses,
    text="Each is added once you have replied from there to the mail that the server sends to it. "
         "Mail is still sent to your first address.",
)  # fmt: skip
def add(context: Context, addresses: Addresses) -> Iterator[Message]:
    """Ask further addresses to confirm."""
    player = context.sender()
    new = _new_ones(context, player, checked_addresses(context, addresses))
    if not new:
        raise NotNow("You already have that address.")
    for address in new:
        yield _ask_address(context, ConfirmationKind.ADD_ADDRESS, player, address)
    yield letter(player.home, "accounts/addresses_asked", userid=player.userid, new=new)


def _read_forgot(line: CommandLine) -> Request:
    said = fold(" ".join(line.words.rest)).rstrip(".!?")
    if said in ("password", "my password", "the password"):
        return line.request(userid="")
    if len(line.words.rest) > 1:
        raise NotUnderstood("forgot takes only your userid.", line.example)
    return line.request(userid="".join(line.words.rest))


@command(
    "forgot", "[userid]", "sends you a mail to choose a new password", "forgot alice",
    needs=Proof.NOTHING, locks=True, read=_read_forgot,
    text="The mail goes to the address of the account. Reply to it within 24 hours with a line "
         "such as  password your-new-password\n"
         "Anybody can ask for it, so you can get the next one only after an hour, later after up "
         "to a day; until then the last mail works. If it is asked for from an address that is "
         "not yours, it comes at most once a day, later once a week.\n"
         "forgot alone is for the account of the address that you write from; the mail names its "
         "userid.",
)  # fmt: skip
def forgot(context: Context, userid: Userid) -> Iterator[Message]:
    """Write to the account's address, no matter who asks, and to nobody else.

    Without a userid it is about all accounts of the address that asks.
    """
    for player in context.players([userid]) if userid else context.known:
        if player.is_robot:
            raise NotAllowed(f"{player.userid} is a robot, which has no password.")
        yield from _ask_reset(context, player)


@frozen
class Pace:
    """The wait before the same can be asked again: `first`, then twice that, up to `longest`."""

    first: timedelta
    longest: timedelta

    def allows(self, earlier: Iterable[ConfirmationRequest], now: datetime) -> bool:
        """Return whether one more request may follow the `earlier` ones of its kind."""
        times = [each.made_at for each in earlier if now - each.made_at < REMEMBERED]
        if not times:
            return True
        doublings = min(len(times) - 1, _DOUBLINGS)
        return now - max(times) >= min(self.first * (1 << doublings), self.longest)


_DOUBLINGS = 10
"""More than any pace needs; with a thousand the time would be too long for a timedelta."""


REMEMBERED = timedelta(days=30)
"""The time for which a confirmation request slows down others of its kind."""

RESETS_PROVEN = Pace(timedelta(hours=1), timedelta(hours=1))
"""New passwords that a reply of the player asks for, which nobody else can write."""

RESETS_FROM_HOME = Pace(timedelta(hours=1), LASTS[ConfirmationKind.RESET_PASSWORD])
"""New passwords that a mail from the account's address asks for, which may be forged.

Until the player may ask again, they can still answer the mail that they have got.
"""

RESETS_BY_OTHERS = Pace(timedelta(days=1), timedelta(days=7))
"""New passwords that anybody else asks for. No player depends on these."""


def _ask_reset(context: Context, player: Player) -> Iterator[Message]:
    """Ask the player for a new password, unless they have lately been asked often enough.

    If the mail comes from one of the account's addresses, the answer goes there, because the
    first of them may be lost.
    """
    own = context.author in player.addresses
    address = context.author if own else player.home
    kind, requests = ConfirmationKind.RESET_PASSWORD, context.work.confirmations
    earlier = (e for e in requests.of(player.id) if e.kind is kind and e.address == address)
    pace, reply = RESETS_FROM_HOME if own else RESETS_BY_OTHERS, context.reply
    if reply and reply.player.id == player.id and proves_person(context, reply):
        pace = RESETS_PROVEN
    if not pace.allows(earlier, context.now):
        context.outcomes.silenced("asked-lately")
        return
    request = requests.add(kind, player.id, address, context.now)
    token = confirmation_token(request)
    yield letter(address, "accounts/reset_password", userid=player.userid, reply=token)


def _read_logout(line: CommandLine) -> Request:
    """Read `[userid password]`, or the same after `log out`; a sentence may begin with `log`."""
    join_second_word(line, "log", "out")
    return read_bare(line)


@command(
    "logout", "[userid password]", "stops replies to all earlier mails from working",
    "logout alice your-password",
    needs=Proof.PERSON, locks=True, read=_read_logout, aliases=("log",),
    text="Use it if somebody else may have read your mails, because anybody who can reply to them "
         "plays in your name. A new password does the same. Replies to later mails work as usual.",
)  # fmt: skip
def logout(context: Context) -> Iterator[Message]:
    """Make replies to all mails worthless that were sent until now."""
    player = context.sender()
    context.work.players.void_tokens(player.id, context.now)
    yield noted(
        player,
        "Replies to mails sent until now no longer work. You can reply to later ones, and your "
        "password has not changed.",
    )


def check_chosen_password(context: Context, password: str, userid: str) -> str:
    """Return `password` if a player may choose it for this userid; raise NotUnderstood."""
    well_known = context.passwords.well_known(password)
    return check_chosen(password, userid, well_known=well_known)


def store_password(context: Context, player: Player, password: str) -> None:
    """Store a password that the player may choose, and cancel all that was asked before.

    Somebody who guessed the old password may have asked to add an address to the account, and
    may have read mails: replies to those count no longer.
    """
    hashed = context.passwords.hash(check_chosen_password(context, password, player.userid))
    forget_wrong(context.work, player)
    context.work.players.set_password_hash(player.id, hashed)
    context.work.players.void_tokens(player.id, context.now)
    for request in context.work.confirmations.of(player.id):
        if request.done_at is None:
            context.work.confirmations.done(request.id, context.now)


def password_changed(address: str, userid: str) -> Message:
    """Return the mail that an account has a new password."""
    return letter(address, "accounts/password_changed", userid=userid)


def from_other_address(context: Context, player: Player, number: int) -> Iterator[Message]:
    """Yield the mails about a reply with a token of `player` from an address that is not theirs.

    Both are told once a day. The account's own mailbox can say yes to the address; `number` is that
    in the token.
    """
    address, kind = fold_address(context.author), ConfirmationKind.OTHER_ADDRESS
    if context.today(f"misused:{player.id}") == 1:
        request = context.work.confirmations.add(kind, player.id, address, context.now)
        yield letter(
            player, "identity/misused", number=number, address=address,
            reply=confirmation_token(request),
        )  # fmt: skip
    if context.today(f"misused:{address}") == 1 and may_write(context, address):
        yield answer(address, "identity/other_address", threadless=True)


def ask_other_address(
    context: Context, request: ConfirmationRequest, player: Player, line: str
) -> Iterator[Message]:
    """Ask the address from which a reply came, if the account's own mailbox says yes to it."""
    if read_answer(line) is not Consent.YES:
        raise NotNow("Nothing was done. To use that address as well, reply yes.", "yes")
    for address in _new_ones(context, player, checked_addresses(context, (request.address,))):
        yield _ask_address(context, ConfirmationKind.ADD_ADDRESS, player, address)


def addresses_changed(context: Context, before: Player, joined: str) -> Iterator[Message]:
    """Notify the address that mails went to, the removed addresses, and the new one.

    A switched-off address gets no notice; mails go to the first of the others.
    """
    after = context.person(before.id)
    first, *others = dict.fromkeys((after.home, *after.addresses))
    gone = (a for a in before.addresses if a not in after.addresses and a not in before.off)
    for address in dict.fromkeys((*filter(None, [before.address]), *gone)):
        yield letter(
            address, "accounts/addresses_changed", userid=before.userid, first=first,
            others=others,
        )  # fmt: skip
    if joined != before.address:
        yield letter(joined, "accounts/address_joined", userid=before.userid, first=joined == first)


def _ask_address(context: Context, kind: ConfirmationKind, player: Player, address: str) -> Message:
    """Return the mail that asks the reader of `address` to confirm it."""
    request = context.work.confirmations.add(kind, player.id, address, context.now)
    return letter(
        address, "accounts/confirm_address", userid=unlinked(player.userid),
        reply=confirmation_token(request),
    )  # fmt: skip


def _asked_lately(context: Context, address: str) -> bool:
    """Return whether a question whether `address` belongs to an account still waits there."""
    request = context.work.confirmations.latest(address)
    if request is None or request.done_at is not None or request.kind not in ADDRESS_KINDS:
        return False
    return context.now - request.made_at < ONE_QUESTION_IN


def checked_addresses(context: Context, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folded addresses without repeats; raise NotUnderstood if one is invalid."""
    addresses = tuple(dict.fromkeys(map(fold_address, words)))
    if not all(is_address(address) and _may_be_asked(context, address) for address in addresses):
        raise NotUnderstood("The server cannot send mail to an address like that.")
    return addresses


def _may_be_asked(context: Context, address: str) -> bool:
    """Return whether a player may name `address`: not one of the server, nor the operator's."""
    of_operator = mailbox(address) == mailbox(context.services.operator or "")
    services = context.services
    is_ours = is_of_server(address, services.address, at_provider=services.at_provider)
    return not (of_operator or is_ours)


def _new_ones(context: Context, player: Player, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses new to the player; raise a Refusal if they may not be asked."""
    new = tuple(address for address in named if address not in player.addresses)
    today = [
        request
        for request in context.work.confirmations.of(player.id)
        if request.kind in ADDRESS_KINDS and context.now - request.made_at < timedelta(days=1)
    ]
    if len(player.addresses) + len(new) > MOST_ADDRESSES:
        raise NotAllowed(f"An account has at most {MOST_ADDRESSES} addresses.")
    if new and len(today) + len(new) > NEW_ADDRESSES_A_DAY:
        raise NotAllowed(f"You can add at most {NEW_ADDRESSES_A_DAY} new addresses a day.")
    if any(_asked_lately(context, address) for address in new):
        raise NotNow(
            "The server wrote to that address in the last 24 hours. Answer that mail, or ask "
            "again tomorrow."
        )
    if not all(may_write(context, address) for address in new):
        raise NotNow("The server cannot write to that address now.")
    return new
