"""What each command needs as proof of who sent it: one table, and what a reply still proves.

A password proves everything. A reply proves what the mail was about that it answers: a moment of
a board, the board, and for a while the person. Whatever a reply does not prove is not done.
"""

from datetime import timedelta

from pbm.domain.errors import NAMELESS, NotAllowed, Refusal, StaleMove, UnknownName
from pbm.domain.play import LiveMatch
from pbm.service.command import Kind, Proof, Request
from pbm.service.context import Context
from pbm.service.grammar import MESSAGE
from pbm.service.line import Reply
from pbm.service.tokens import told

PERSON_LASTS = timedelta(days=30)
"""How long a reply proves who writes, for commands about anything."""

BOARD_LASTS = timedelta(days=60)
"""How long a reply counts on its own board for all but moves, while the match lasts."""


# Not sets: members are compared at once, and hashed in Python.
_OPEN = (Proof.NOTHING, Proof.REGISTERED)

_BY_REPLY = (Proof.MOMENT, Proof.BOARD, Proof.PERSON)


class Unproven(NotAllowed):
    """A command that nothing proves. Its sender may say it again in a reply to the answer."""


class OutOfDate(NotAllowed):
    """A reply to a mail that is too old for what it asks."""


def needs_proof(request: Request) -> bool:
    """Return whether `request` needs more than to come from a registered address."""
    return request.command.needs not in _OPEN


def asks_unregistered(context: Context, request: Request) -> bool:
    """Return whether `request` is a question of a stranger, who may be told nothing."""
    return request.command.needs is Proof.REGISTERED and context.reader is None


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


def lacking(context: Context, request: Request) -> Refusal | None:
    """Return why the mail itself does not prove `request`; None if it does, or need not.

    Raises UnknownName if it is about a board that there is not.
    """
    needed, reply = _needed(context, request), context.reply
    if needed in _OPEN:
        return None
    if reply is None or needed not in _BY_REPLY:
        return _unproven()
    if reply.writes_to is not None:
        return void(reply) or _lacking_in_letter(context, reply, request)
    return void(reply) or _lacking(context, reply, needed, request.board(reply))


def needs_password(request: Request) -> bool:
    """Return whether nothing but the password proves `request`."""
    return request.command.needs is Proof.PASSWORD


def _unproven() -> Unproven:
    return Unproven(NAMELESS)


def _lacking_in_letter(context: Context, reply: Reply, request: Request) -> Refusal | None:
    """Return why the reply to a message does not prove `request`: it only answers its sender."""
    if request.verb != MESSAGE or request.first(Kind.USERIDS) != (reply.writes_to,):
        return _unproven()
    return None if _younger(context, reply, PERSON_LASTS) else _too_old(PERSON_LASTS)


def _needed(context: Context, request: Request) -> Proof:
    """Return what `request` needs, which for some depends on the board that is answered."""
    command, reply = request.command, context.reply
    if command.needs_when is None or reply is None or request.board(reply) is None:
        return command.needs
    return command.needs_when(context, reply, request)


def _lacking(context: Context, reply: Reply, needed: Proof, number: int | None) -> Refusal | None:
    if not reply.answers:
        return None  # The From is authenticated: it proves the person, as a password would.
    if needed is Proof.MOMENT and number is not None:
        return _lacking_moment(context, reply, number)
    if needed is Proof.BOARD and _proves_board(context, reply, number):
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
