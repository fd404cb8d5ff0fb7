"""The proof of who wrote a mail: by token, password or From, and whether it is enough."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from pbm.core.command import Parameter, Proof, Request
from pbm.core.context import Context, Passwords, near_userids
from pbm.core.grammar import MESSAGE
from pbm.core.letters import Message
from pbm.core.passwords import Origin, check_may_guess, count_wrong, forget_wrong
from pbm.core.tokens import DatedToken, Token, TokenKind, TokenMint, token_time
from pbm.core.words import Credentials, OutOfDate, Reply, out_of_date, void
from pbm.domain.addresses import fold_address
from pbm.domain.confirmations import ADDRESS_KINDS, ConfirmationKind
from pbm.domain.errors import (
    NAMELESS,
    Fix,
    NotAllowed,
    Refusal,
    StaleMove,
    UnknownName,
    WrongPassword,
)
from pbm.domain.mail import IncomingMail
from pbm.domain.play import Board
from pbm.domain.player import PASSWORD_LENGTHS, Player
from pbm.engine import frozen
from pbm.store.unit import UnitOfWork


@frozen
class Identity:
    """The proof in the tokens of a mail.

    `token` is the valid one, of any kind, if the From address belongs to it, and None if it is
    void. `reply` says whose mail is answered: `missing_proof` says what that still proves.
    `misused` is the player whose token came from somebody else's address; `misused_at` is the
    number that it names.
    """

    token: Token | None = None
    reply: Reply | None = None
    misused: Player | None = None
    misused_at: int = 0

    @property
    def proves(self) -> bool:
        """Whether the mail is more than one that claims to be from somebody."""
        return self.token is not None or (self.reply is not None and not self.reply.lost)


_OF_BOARD = re.compile(r"\[[^\[\]]{2,40} ([1-9]\d{2,8})\]")
"""The subject of a board mail, "[Gonnect 104] alice - bob"."""


def prove(
    work: UnitOfWork, mint: TokenMint, mail: IncomingMail, tokens: Iterable[DatedToken]
) -> Identity:
    """Return the proof in the valid reply `tokens` of `mail`, or else in its From.

    The first token that was made for the author counts. If there is none, the first of all says
    whose it is.
    """
    if mail.author is None:
        return Identity()
    first: Identity | None = None
    for dated in tokens:
        proof = _by_token(work, dated, mail.author)
        if proof.token or proof.reply:
            return proof
        first = first or proof
    if first:
        return first
    if mail.authenticated:
        return Identity(reply=_by_from(work, mail.author))
    return Identity(reply=_lost(work, mint, mail, mail.author))


def _by_token(work: UnitOfWork, dated: DatedToken, author: str) -> Identity:
    token = dated.token
    if token.kind in {TokenKind.SIGNUP, TokenKind.LEAVE}:
        return _playerless_proof(work, token, author)
    player = work.players.by_ids([token.player]).get(token.player)
    if player is None or not player.active:
        return Identity()
    if token.kind is TokenKind.CONFIRMATION:
        return _confirmation_proof(work, token, player, author)
    if token.kind is TokenKind.MESSAGE:
        return _message_proof(work, dated, player, author)
    reply = _reply_to(work, dated, player)
    if author not in player.addresses:
        return Identity(misused=player, misused_at=reply.number or 0)
    return _reply_proof(dated, reply)


def _reply_to(work: UnitOfWork, dated: DatedToken, player: Player) -> Reply:
    """Return the reply of `player` to the mail with this token; a question may be forgotten."""
    token = dated.token
    if not token.question:
        number = None if token.kind is TokenKind.PLAYER else token.number
        talk = token.kind is TokenKind.TALK
        return Reply(player, number, token.ply, token.undos, dated.made_at, talk=talk)
    asked = work.questions.get(player.id, token.question)
    if asked is None:
        return Reply(player, None, 0, lost=True)
    moment = asked.ply, asked.undos, dated.made_at
    return Reply(player, asked.board, *moment, question=asked.id)


def _playerless_proof(work: UnitOfWork, token: Token, author: str) -> Identity:
    """Return the proof in a token that names no player: only that of a signup proves something."""
    if token.kind is TokenKind.LEAVE:
        return Identity()
    signup = work.signups.get(token.number)
    ours = signup and fold_address(signup.address) == fold_address(author)
    return Identity(token) if ours else Identity()


def _message_proof(work: UnitOfWork, dated: DatedToken, player: Player, author: str) -> Identity:
    """Return the proof in the token of a message: that `player` answers its sender."""
    if author not in player.addresses:
        return Identity(misused=player)
    sender = work.players.by_ids([dated.token.number]).get(dated.token.number)
    if sender is None:
        return Identity()
    reply = Reply(player, None, 0, made_at=dated.made_at, writes_to=sender.userid)
    return _reply_proof(dated, reply)


def _reply_proof(dated: DatedToken, reply: Reply) -> Identity:
    return Identity(None if void(reply) else dated.token, reply)


def _by_from(work: UnitOfWork, author: str) -> Reply | None:
    """Return the reply of the one player to whom an authenticated From belongs.

    An address of two players proves neither of them.
    """
    players = work.players.by_address(author)
    return Reply(players[0], None, 0, answers=False) if len(players) == 1 else None


def _lost(work: UnitOfWork, mint: TokenMint, mail: IncomingMail, author: str) -> Reply | None:
    """Return the reply of the player who seems to answer a mail whose token cannot be read.

    It proves nothing. Its answer goes to the account's own address, and shows a board of it.
    The player is the only one with that From, or the only one of those at the board; otherwise
    None is returned.
    """
    if not any(map(mint.is_token_like, mail.plus_words)):
        return None
    return _of_board_named(work, mail, author)


def of_thread(work: UnitOfWork, mail: IncomingMail) -> Reply | None:
    """Return the reply of the player who seems to answer a board mail at another address.

    Some clients answer the From and not the Reply-To. It proves nothing.
    """
    if not mail.follows or mail.author is None or not _OF_BOARD.search(mail.subject):
        return None
    return _of_board_named(work, mail, mail.author)


def _of_board_named(work: UnitOfWork, mail: IncomingMail, author: str) -> Reply | None:
    named = _OF_BOARD.search(mail.subject)
    number = int(named[1]) if named else None
    players = work.players.by_address(author)
    if len(players) > 1 and number is not None:
        match = work.matches.get(number)
        seated = match[0].players if match else ()
        players = tuple(player for player in players if player.id in seated)
    return Reply(players[0], number, 0, lost=True) if len(players) == 1 else None


def _confirmation_proof(work: UnitOfWork, token: Token, player: Player, author: str) -> Identity:
    """Return the proof in the token of a request; it counts only from the address we wrote to.

    That address must still belong to the account, unless the request adds it. An OTHER_ADDRESS may
    answer as well: some clients write from there whatever they answer.
    """
    request = work.confirmations.get(token.number)
    if request is None or request.player != player.id:
        return Identity()
    if request.kind is ConfirmationKind.OTHER_ADDRESS:
        ours = author in (request.address, *player.addresses)
        return Identity(token) if ours else Identity(misused=player)
    to_anybody = request.kind in ADDRESS_KINDS
    if request.address == author and (to_anybody or author in player.addresses):
        return Identity(token)
    return Identity() if to_anybody else Identity(misused=player, misused_at=token.number)


class Unproven(NotAllowed):
    """A command without proof. Its sender may repeat it in a reply to the answer."""

    fix = Fix.WHO


def by_password(
    work: UnitOfWork, passwords: Passwords, credentials: Credentials, origin: Origin, now: datetime
) -> Player:
    """Return the active player whose userid and password these are.

    Raises WrongPassword, which the caller counts by `count_failure`. Raises NotAllowed while no
    password is tried, before anything is hashed, so that neither guessing nor flooding pays.
    """
    player = work.players.by_userid(credentials.userid)
    check_may_guess(work, player, origin, now)
    if player is not None and player.active:
        stored = work.players.password_hash(player.id)
        # A robot has a hash as well, so that the answer takes as long, and says as much.
        if passwords.verify(stored, credentials.password) and not player.is_robot:
            forget_wrong(work, player)
            return player
    if player is None and len(credentials.password) < PASSWORD_LENGTHS[0]:
        raise Unproven(NAMELESS)  # "move 101 d6 #1" has the words of a move in their place
    if player is None:
        hint = near_userids(work, credentials.userid)
        raise WrongPassword(f"The userid is not known here.{hint}")
    raise WrongPassword(
        "The password does not match that userid. If you have forgotten it, "
        f"forgot {player.userid} gets you a new one."
    )


def count_failure(
    context: Context, request: Request | None, error: Exception, counted: set[Credentials]
) -> list[Message]:
    """Count a wrong password, whoever wrote it; return the mail that warns the owner.

    Those already in `counted` are not counted again.
    """
    given = request.credentials if request else None
    if not isinstance(error, WrongPassword) or given is None or given in counted:
        return []
    counted.add(given)
    work, origin = context.work, Origin.of(context.author, context.network, context.reply)
    return count_wrong(work, work.players.by_userid(given.userid), origin, context.now)


PERSON_LASTS = timedelta(days=30)
"""The time in which a reply proves who writes, for any command."""

BOARD_LASTS = timedelta(days=60)
"""The time in which a reply counts on its own board, except for moves, while the match lasts."""


# Not sets: members are compared at once, and hashed in Python.
_OPEN = (Proof.NOTHING, Proof.REGISTERED)

_BY_REPLY = (Proof.FRESH_REPLY, Proof.BOARD, Proof.PERSON)


def needs_proof(request: Request) -> bool:
    """Return whether `request` needs more than to come from a registered address."""
    return request.command.needs not in _OPEN


def proves_person(context: Context, reply: Reply) -> bool:
    """Return whether `reply` proves who writes, whatever it asks for."""
    if not reply.answers:
        return True
    return reply.writes_to is None and not void(reply) and _younger(context, reply, PERSON_LASTS)


_BORROWED = (
    "Your mail answers or passes on another one, so its subject may not be your own words. Nothing "
    "was done. If you want it, reply yes to this mail; words for others go below the yes."
)


def check_meant(context: Context, request: Request, line: str) -> None:
    """Raise the Refusal of a subject that somebody else may have written.

    A From proves who writes, not what they mean. A token or a password proves both.
    """
    by_from = context.reply is not None and not context.reply.answers
    if by_from and line == context.borrowed and needs_proof(request) and not request.credentials:
        raise Unproven(_BORROWED)


def missing_proof(context: Context, request: Request) -> Refusal | None:
    """Return the Refusal for the proof that the mail lacks for `request`, or None.

    Raises UnknownName if it is about a board that does not exist.
    """
    needed, reply = _needed(context, request), context.reply
    if needed in _OPEN:
        return None
    if reply is None or needed not in _BY_REPLY:
        return Unproven(NAMELESS)
    if reply.writes_to is not None:
        return void(reply) or _missing_in_letter(context, reply, request)
    return void(reply) or _missing_in_reply(context, reply, needed, request.board(reply))


def _missing_in_letter(context: Context, reply: Reply, request: Request) -> Refusal | None:
    """Return the Refusal for a reply to a message, which proves only an answer to its sender."""
    if request.verb != MESSAGE or request.first(Parameter.USERIDS) != (reply.writes_to,):
        return Unproven(NAMELESS)
    return None if _younger(context, reply, PERSON_LASTS) else _too_old(PERSON_LASTS)


def _needed(context: Context, request: Request) -> Proof:
    """Return the proof that `request` needs; for some it depends on the board that is answered."""
    command, reply = request.command, context.reply
    if command.needs_when is None or reply is None or request.board(reply) is None:
        return command.needs
    return command.needs_when(context, reply, request)


def _missing_in_reply(
    context: Context, reply: Reply, needed: Proof, number: int | None
) -> Refusal | None:
    if not reply.answers:
        return None  # The From is authenticated: it proves the person, as a password would.
    if needed is Proof.FRESH_REPLY and number is not None:
        return _missing_fresh_reply(context, reply, number)
    if needed is Proof.BOARD and _proves_board(context, reply, number):
        return None
    return None if proves_person(context, reply) else _too_old(PERSON_LASTS)


def _missing_fresh_reply(context: Context, reply: Reply, number: int) -> Refusal | None:
    """Return the Refusal of a move by `reply` on board `number`, or None.

    A mail about several boards, or an invitation, names no moment. It counts as long as the board
    is at the same turn as when the mail was made.
    """
    board = context.boards.get(number)
    if board.match.over:
        return None  # nothing can be moved there, as the command says
    if reply.number == number and reply.ply:
        return _stale(board, reply)
    if not proves_person(context, reply):
        return _too_old(PERSON_LASTS)
    assert reply.made_at is not None  # noqa: S101 - it proves a person
    if reply.made_at < token_time(board.match.turn_since):
        return StaleMove(f"Board {number} has changed since the mail that you answered.")
    return None


def _stale(board: Board, reply: Reply) -> StaleMove | None:
    number = board.match.number
    if reply.undos != board.match.log.undos % 256:
        return StaleMove(
            f"You answered a mail of board {number} from before moves were taken back there."
        )
    if reply.ply != board.due:
        return StaleMove(
            f"That was meant as move {reply.ply} of board {number}, but move {board.due} is due."
        )
    return None


def _proves_board(context: Context, reply: Reply, number: int | None) -> bool:
    """Return whether `reply` answers a recent mail of board `number`, whose match goes on."""
    if number is None or number != reply.number or not _younger(context, reply, BOARD_LASTS):
        return False
    try:
        return not context.boards.get(number).match.over
    except UnknownName:
        return True  # it is not a match yet


def _younger(context: Context, reply: Reply, age: timedelta) -> bool:
    return reply.made_at is not None and context.now - reply.made_at < age


def _too_old(age: timedelta) -> OutOfDate:
    return out_of_date(f"You answered a mail that is more than {age.days} days old.")
