"""What each command needs as proof of who sent it: one table, and what a reply still proves.

A password proves everything. A reply proves what the mail was about that it answers: a moment of
a board, the board, and for a while the person. Whatever a reply does not prove is not done.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import Enum, auto

from pbm.domain.errors import NAMELESS, NotAllowed, Refusal, StaleMove, UnknownName
from pbm.domain.play import LiveMatch
from pbm.service.commands import (
    Reply,
    accounts,
    help,  # noqa: A004 - the name of the subject
    invitations,
    learning,
    mailings,
    offers,
    people,
    plans,
    play,
    ratings,
    results,
    robots,
    talk,
    vacations,
    wishes,
)
from pbm.service.commands.line import AtBoard, Command
from pbm.service.context import Context
from pbm.service.tokens import told

PERSON_LASTS = timedelta(days=30)
"""How long a reply proves who writes, for commands about anything."""

BOARD_LASTS = timedelta(days=60)
"""How long a reply counts on its own board for all but moves, while the match lasts."""


class Needed(Enum):
    """The least that proves a command. A password is always enough."""

    NOTHING = auto()
    """It writes only to the address concerned."""
    REGISTERED = auto()
    """A From of some account: it only looks, and the answer goes to that account's address."""
    ITS_MAIL = auto()
    """The reply to the very mail that asks for it."""
    MOMENT = auto()
    """A reply to a mail of that board, as it still stands; or of that person, if so recent."""
    BOARD = auto()
    """A reply to a mail of that board while the match lasts, or one that proves the person."""
    PERSON = auto()
    """A recent reply to any mail, or an authenticated From."""
    PASSWORD = auto()
    """The password itself, because the account could be taken over."""


NEEDED: Mapping[type[Command], Needed] = {
    accounts.Signup: Needed.NOTHING,
    accounts.Forgot: Needed.NOTHING,
    help.Help: Needed.REGISTERED,
    help.Show: Needed.REGISTERED,
    help.Games: Needed.REGISTERED,
    results.Overview: Needed.REGISTERED,
    results.History: Needed.REGISTERED,
    results.Record: Needed.REGISTERED,
    ratings.Standings: Needed.REGISTERED,
    plans.Preview: Needed.REGISTERED,
    plans.PreviewNew: Needed.REGISTERED,
    accounts.Confirm: Needed.ITS_MAIL,
    accounts.ConfirmErrand: Needed.ITS_MAIL,
    mailings.Leave: Needed.ITS_MAIL,
    play.Move: Needed.MOMENT,
    play.Swap: Needed.MOMENT,
    plans.Submit: Needed.MOMENT,
    plans.PlaySubmitted: Needed.MOMENT,
    plans.Queue: Needed.BOARD,  # but see _needed
    plans.ClearQueue: Needed.BOARD,
    play.Resign: Needed.BOARD,
    offers.Offer: Needed.BOARD,
    offers.Reject: Needed.BOARD,
    invitations.Accept: Needed.BOARD,
    invitations.Decline: Needed.BOARD,
    wishes.Withdraw: Needed.BOARD,
    talk.Chat: Needed.BOARD,
    learning.Hint: Needed.BOARD,
    invitations.Challenge: Needed.PERSON,
    invitations.Rematch: Needed.PERSON,
    robots.PlayRobot: Needed.PERSON,
    learning.Analyse: Needed.PERSON,
    talk.MessageTo: Needed.PERSON,
    talk.Broadcast: Needed.PERSON,
    talk.Follow: Needed.PERSON,
    talk.Unfollow: Needed.PERSON,
    people.Block: Needed.PERSON,
    people.Unblock: Needed.PERSON,
    people.Blocks: Needed.PERSON,
    people.Report: Needed.PERSON,
    wishes.AnswerAlways: Needed.PERSON,
    wishes.Limit: Needed.PERSON,
    wishes.SeekMatches: Needed.PERSON,
    wishes.WantSeeks: Needed.PERSON,
    vacations.Vacation: Needed.PERSON,
    accounts.Set: Needed.PERSON,
    accounts.LogOut: Needed.PERSON,
    accounts.ChangePassword: Needed.PASSWORD,
    accounts.ChangeAddress: Needed.PASSWORD,
    accounts.AddAddress: Needed.PASSWORD,
    accounts.SignOff: Needed.PASSWORD,
}
"""The proof of every command."""

# Not sets: members are compared at once, and hashed in Python.
_OPEN = (Needed.NOTHING, Needed.REGISTERED)

_BY_REPLY = (Needed.MOMENT, Needed.BOARD, Needed.PERSON)


class Unproven(NotAllowed):
    """A command that nothing proves. Its sender may say it again in a reply to the answer."""


class OutOfDate(NotAllowed):
    """A reply to a mail that is too old for what it asks."""


def needs_proof(command: Command) -> bool:
    """Return whether `command` needs more than to come from a registered address."""
    return NEEDED[type(command)] not in _OPEN


def board_of(command: Command, reply: Reply | None) -> int | None:
    """Return the number of the board that `command` is about, if it is about one."""
    given = command.number if isinstance(command, AtBoard) else None
    return reply.number if given is None and reply is not None else given


def void(reply: Reply) -> OutOfDate | None:
    """Return why `reply` proves nothing at all any more; None if it may still prove something."""
    since = reply.player.tokens_since
    if not reply.answers:
        return None
    if reply.lost:
        return _out_of_date("The link in the mail that you answered is too old.")
    if reply.made_at is None:
        return _out_of_date("You answered a mail from before replies had a date.")
    if since is not None and reply.made_at <= since:
        return _out_of_date(
            "You answered a mail from before you logged out, or had another password."
        )
    return None


def proves_person(context: Context, reply: Reply) -> bool:
    """Return whether `reply` proves who writes, whatever it asks for."""
    if not reply.answers:
        return True
    return reply.writes_to is None and not void(reply) and _younger(context, reply, PERSON_LASTS)


def lacking(context: Context, command: Command) -> Refusal | None:
    """Return why the mail itself does not prove `command`; None if it does, or need not.

    Raises UnknownName if the command is about a board that there is not.
    """
    needed, reply = _needed(context, command), context.reply
    if needed in _OPEN:
        return None
    if reply is None or needed not in _BY_REPLY:
        return _unproven()
    if reply.writes_to is not None:
        return void(reply) or _lacking_in_letter(context, reply, command)
    return void(reply) or _lacking(context, reply, needed, board_of(command, reply))


def needs_password(command: Command) -> bool:
    """Return whether nothing but the password proves `command`."""
    return NEEDED[type(command)] is Needed.PASSWORD


def _unproven() -> Unproven:
    return Unproven(NAMELESS)


def _lacking_in_letter(context: Context, reply: Reply, command: Command) -> Refusal | None:
    """Return why the reply to a message does not prove `command`: it only answers its sender."""
    if not isinstance(command, talk.MessageTo) or command.userids != (reply.writes_to,):
        return _unproven()
    return None if _younger(context, reply, PERSON_LASTS) else _too_old(PERSON_LASTS)


def _needed(context: Context, command: Command) -> Needed:
    """Return what `command` needs; to queue a move that is played at once is to move."""
    needed = NEEDED[type(command)]
    if not isinstance(command, plans.Queue) or context.reply is None:
        return needed
    number = board_of(command, context.reply)
    if number is None:
        return needed
    board = context.boards.get(number)
    seats = board.match.seats_of(context.reply.player.id)
    at_once = bool(command.text) and command.condition is None and set(seats) & set(board.to_move)
    return Needed.MOMENT if at_once else needed


def _lacking(context: Context, reply: Reply, needed: Needed, number: int | None) -> Refusal | None:
    if not reply.answers:
        return None  # The From is authenticated: it proves the person, as a password would.
    if needed is Needed.MOMENT and number is not None:
        return _lacking_moment(context, reply, number)
    if needed is Needed.BOARD and _proves_board(context, reply, number):
        return None
    return None if proves_person(context, reply) else _too_old(PERSON_LASTS)


def _lacking_moment(context: Context, reply: Reply, number: int) -> Refusal | None:
    """Return why `reply` cannot move on board `number`, None if it can.

    A mail about several boards, or an invitation, names no moment; it counts while the turn
    lasts that the board was at when the mail was made.
    """
    board = context.boards.get(number)
    if board.match.over:
        return None  # nothing can be moved there, which the handler says
    if reply.number == number and reply.ply:
        return _stale(board, reply)
    if not proves_person(context, reply):
        return _too_old(PERSON_LASTS)
    assert reply.made_at is not None  # noqa: S101 - it proves a person
    if reply.made_at < told(board.match.turn_since):
        return StaleMove(f"Board {number} has changed since the mail that you answered.")
    return None


def _stale(board: LiveMatch, reply: Reply) -> StaleMove | None:
    number = board.match.number
    if reply.undos != board.match.undos % 256:
        return StaleMove(
            f"You answered a mail of board {number} from before moves were taken back there."
        )
    if reply.ply != board.due:
        return StaleMove(
            f"That was meant as move {reply.ply} of board {number}, but move {board.due} is due."
        )
    return None


def _proves_board(context: Context, reply: Reply, number: int | None) -> bool:
    """Return whether `reply` answers a mail of board `number` that counts there for its age."""
    if number is None or number != reply.number:
        return False
    return _younger(context, reply, BOARD_LASTS) and _lasts(context, number)


def _lasts(context: Context, number: int) -> bool:
    """Return whether `number` is a match that goes on, or not a match yet."""
    try:
        return not context.boards.get(number).match.over
    except UnknownName:
        return True


def _younger(context: Context, reply: Reply, age: timedelta) -> bool:
    return reply.made_at is not None and context.now - reply.made_at < age


def _too_old(age: timedelta) -> OutOfDate:
    return _out_of_date(f"You answered a mail that is more than {age.days} days old.")


def _out_of_date(sentence: str) -> OutOfDate:
    return OutOfDate(f"{sentence} Nothing was done: please answer this one instead.")
