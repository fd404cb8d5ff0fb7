"""Proof of who sent a mail: by reply token, by password, or by an authenticated From."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pbm.domain.confirmations import ADDRESS_KINDS
from pbm.domain.errors import WrongPassword
from pbm.domain.mail import IncomingMail
from pbm.domain.player import Player
from pbm.service.command import Request
from pbm.service.context import Context, near_userids
from pbm.service.letters import Message
from pbm.service.line import Credentials, Reply
from pbm.service.passwords import Origin, check_may_guess, count_wrong, forget_wrong
from pbm.service.ports import Passwords, UnitOfWork
from pbm.service.proofs import void
from pbm.service.tokens import DatedToken, Token, TokenKind, TokenMint


@dataclass(frozen=True, slots=True)
class Proof:
    """What the tokens of a mail prove.

    `token` is the valid one, of any kind, if the From address belongs to it, and None if it is
    worthless by now. `reply` says whose mail is answered: `proofs` says what that still proves.
    `misused` is the player whose token came from somebody else's address; `misused_at` is the
    number that it names.
    """

    token: Token | None = None
    reply: Reply | None = None
    misused: Player | None = None
    misused_at: int = 0

    @property
    def proves(self) -> bool:
        """True unless the mail is like any other that claims to be from somebody."""
        return self.token is not None or (self.reply is not None and not self.reply.lost)


_OF_BOARD = re.compile(r"\[[^\[\]]{2,40} ([1-9]\d{2,8})\]")
"""The subject of a board mail, "[Gonnect 104] alice - bob"."""


def prove(
    work: UnitOfWork, mint: TokenMint, mail: IncomingMail, tokens: Iterable[DatedToken]
) -> Proof:
    """Return what `mail` proves by its valid reply `tokens`, or else by its From.

    The first token counts that was made for the author. Where none was, the first of all tells
    whose it is.
    """
    if mail.author is None:
        return Proof()
    first: Proof | None = None
    for dated in tokens:
        proof = _by_token(work, dated, mail.author)
        if proof.token or proof.reply:
            return proof
        first = first or proof
    if first:
        return first
    if mail.authenticated:
        return Proof(reply=_by_from(work, mail.author))
    return Proof(reply=_lost(work, mint, mail, mail.author))


def _by_token(work: UnitOfWork, dated: DatedToken, author: str) -> Proof:
    token = dated.token
    if token.kind in {TokenKind.SIGNUP, TokenKind.LEAVE}:
        return _playerless_proof(work, token, author)
    player = work.players.by_ids([token.player]).get(token.player)
    if player is None or not player.active:
        return Proof()
    if token.kind is TokenKind.ERRAND:
        return _errand_proof(work, token, player, author)
    if token.kind is TokenKind.MESSAGE:
        return _message_proof(work, dated, player, author)
    if author not in player.addresses:
        return Proof(misused=player, misused_at=token.number)
    number = None if token.kind is TokenKind.PLAYER else token.number
    talk = token.kind is TokenKind.TALK
    reply = Reply(player, number, token.ply, token.undos, dated.made_at, talk=talk)
    return _reply_proof(dated, reply)


def _playerless_proof(work: UnitOfWork, token: Token, author: str) -> Proof:
    """Return what a token proves that names no player who writes: little, but for a signup's.

    An unsubscribe button has been pressed before, or is void.
    """
    if token.kind is TokenKind.LEAVE:
        return Proof()
    signup = work.signups.get(token.number)
    return Proof(token) if signup and signup.address == author else Proof()


def _message_proof(work: UnitOfWork, dated: DatedToken, player: Player, author: str) -> Proof:
    """Return what the token of a message proves: that `player` answers its sender."""
    if author not in player.addresses:
        return Proof(misused=player)
    sender = work.players.by_ids([dated.token.number]).get(dated.token.number)
    if sender is None:
        return Proof()
    reply = Reply(player, None, 0, made_at=dated.made_at, writes_to=sender.userid)
    return _reply_proof(dated, reply)


def _reply_proof(dated: DatedToken, reply: Reply) -> Proof:
    return Proof(None if void(reply) else dated.token, reply)


def _by_from(work: UnitOfWork, author: str) -> Reply | None:
    """Return what an authenticated From proves: the one player that it belongs to.

    An address of two players proves neither of them.
    """
    players = work.players.by_address(author)
    return Reply(players[0], None, 0, answers=False) if len(players) == 1 else None


def _lost(work: UnitOfWork, mint: TokenMint, mail: IncomingMail, author: str) -> Reply | None:
    """Return the reply of whoever seems to answer a mail whose token cannot be read any more.

    It proves nothing. Its answer goes to the account's own address, and shows a board of theirs.
    None if it is not clear whose account it is: the From is of one, or of one at that board.
    """
    if not any(map(mint.is_token_like, mail.plus_words)):
        return None
    named = _OF_BOARD.search(mail.subject)
    number = int(named[1]) if named else None
    players = work.players.by_address(author)
    if len(players) > 1 and number is not None:
        match = work.matches.get(number)
        seated = match[0].players if match else ()
        players = tuple(player for player in players if player.id in seated)
    return Reply(players[0], number, 0, lost=True) if len(players) == 1 else None


def _errand_proof(work: UnitOfWork, token: Token, player: Player, author: str) -> Proof:
    """Return what the token of an errand proves; it counts only from the address we wrote to.

    That address must still belong to the account, unless the errand adds it.
    """
    errand = work.errands.get(token.number)
    if errand is None or errand.player != player.id:
        return Proof()
    to_anybody = errand.kind in ADDRESS_KINDS
    if errand.address == author and (to_anybody or author in player.addresses):
        return Proof(token)
    return Proof() if to_anybody else Proof(misused=player, misused_at=token.number)


def by_password(
    work: UnitOfWork, passwords: Passwords, credentials: Credentials, origin: Origin, now: datetime
) -> Player:
    """Return the active player whose password `credentials` hold.

    Raises WrongPassword, which the caller counts by `count_failure`. Raises NotAllowed while no
    password is tried, before anything is hashed, so that neither guessing nor flooding pays.
    """
    player = work.players.by_userid(credentials.userid)
    check_may_guess(work, player, origin, now)
    if player is not None and player.active:
        stored = work.players.password_hash(player.id)
        # What is stored of a robot is a hash as well, so that this takes as long, and says as much.
        if passwords.verify(stored, credentials.password) and not player.is_robot:
            forget_wrong(work, player)
            return player
    if player is None:
        hint = near_userids(work, credentials.userid)
        raise WrongPassword(f"The userid is not known here.{hint}")
    raise WrongPassword(
        "The password does not match that userid. If you have forgotten it, "
        f"forgot {player.userid} gets you a new one.",
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
