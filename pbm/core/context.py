"""The context of a command: its unit of work, sender, clock and the shared services."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from datetime import datetime
from typing import Any, Protocol

from pbm.core.boards import LoadedBoards
from pbm.core.budget import Budget, Payer, boundless, proven, unproven
from pbm.core.grammar import Grammar
from pbm.core.letters import Attachment, Message, letter
from pbm.core.tokens import Token, TokenKind, TokenMint
from pbm.core.words import Reply
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import NotAllowed, NotUnderstood, UnknownName, UnknownPlayer
from pbm.domain.mail import OutcomeLog, OutgoingMail
from pbm.domain.pages import NO_PAGES, Pages
from pbm.domain.play import Board
from pbm.domain.player import Player, PlayerId
from pbm.domain.seen import AnyBoard
from pbm.domain.settings import UNPROVEN, USUAL_PERIODS, Periods, chosen
from pbm.engine import AnyGame, Draw, by_weight, did_you_mean, frozen, near
from pbm.store.unit import UnitOfWork


class Passwords(Protocol):
    """Password hashing (argon2id, slow on purpose)."""

    def hash(self, password: str) -> str:
        """Return the hash of a password."""

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether it is the hash of this password."""

    def well_known(self, password: str) -> bool:
        """Return whether it is among the first that anybody would try."""


class Randomness(Protocol):
    """The one source of randomness."""

    def new_id(self) -> str:
        """Return a word of 24 small letters and digits that nobody can guess."""

    def shuffled(self, players: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
        """Return the players in a random order."""

    def random(self) -> float:
        """Return a number from 0 up to, but not, 1."""


class Composer(Protocol):
    """Turns a message into a whole mail."""

    def compose(
        self, message: Message, uid: str, returns: str, now: datetime, answers: str | None = None
    ) -> OutgoingMail:
        """Return the mail for `message`, whose recipient is known; `uid` identifies it forever.

        `returns` is the word of the address for reports on it, and is nowhere in the mail.
        `answers` is the Message-ID of the mail that it replies to.
        """


TimeLimited = Callable[[], AbstractContextManager[None]]
"""Returns a context manager that ends the work inside if it takes too much time of a core."""


@frozen
class Services:
    """The services that all mails share.

    Work that is `time_limited` ends by an error if a game loops in it. `at_provider`: of the domain
    of the `address`, only that one is the server's.
    """

    catalogue: Catalogue
    grammar: Grammar
    passwords: Passwords
    mint: TokenMint
    chance: Randomness
    composer: Composer
    time_limited: TimeLimited
    address: str
    periods: Periods = USUAL_PERIODS
    operator: str | None = None
    pages: Pages = NO_PAGES
    at_provider: bool = False


@frozen
class Context:
    """One request on its way.

    `player` is the proven sender, if any. `known` are the players who have confirmed the From
    address: that proves nothing, but they may be answered. `game` is the key
    of the game that the line named. `network` is where the mail came from, "" if unknown, and
    `author_name` how its From calls them. `borrowed` is the subject of a mail that follows another,
    which may be somebody else's words.
    `passwords` bounds how many hashes the mail can lead to, `budget` is what else it may still
    cost, and `outcomes` is the record of what it does.
    """

    services: Services
    work: UnitOfWork
    boards: LoadedBoards
    now: datetime
    author: str
    player: Player | None = None
    known: tuple[Player, ...] = ()
    reply: Reply | None = None
    game: str | None = None
    comment: str = ""
    network: str = ""
    author_name: str = ""
    borrowed: str | None = None
    passwords: Passwords = field(kw_only=True)
    budget: Budget = field(kw_only=True)
    outcomes: OutcomeLog = field(default_factory=OutcomeLog, kw_only=True)

    @property
    def reader(self) -> Player | None:
        """The player who gets the answer, or None for a stranger."""
        return self.player or (self.known[0] if self.known else None)

    @property
    def payer(self) -> Payer:
        """The payer of the answers of this request."""
        believed = self.reply.player if self.reply and not self.reply.lost else None
        player = self.player or believed
        if player:
            return proven(player.id)
        muted = any(chosen(UNPROVEN, each.settings) == "no" for each in self.known)
        return unproven(self.author, muted=muted and self.reply is None)

    @property
    def answered(self) -> int | None:
        """The number of the board or invitation whose mail is answered."""
        return self.reply.number if self.reply else None

    def asker(self) -> Player:
        """Return the reader of a command that needs Proof.REGISTERED, and so has one."""
        assert self.reader is not None  # noqa: S101 - such a command is not run for a stranger
        return self.reader

    def sender(self) -> Player:
        """Return the proven sender; raise NotAllowed if there is none."""
        if self.player is None:
            raise NotAllowed("Say who you are: your userid and password are missing.")
        return self.player

    def board_number(self, given: int | None) -> int:
        """Return the number given, or that of the board whose mail is replied to."""
        if given is not None:
            return given
        if self.answered is None:
            raise NotUnderstood("The number of the board is missing.")
        return self.answered

    def board(self, given: int | None) -> Board:
        """Return the match on the board given, or on the one whose mail is replied to.

        Raises NotUnderstood if neither gives a number, UnknownName if there is no match with it, or
        if it is not of the game that the line named.
        """
        return self.boards.get(self.board_number(given), self.game)

    def ply_seen(self, number: int) -> int | None:
        """Return the ply that was due in the mail of board `number` that this one replies to.

        Returns 0 if that was its invitation, or if moves have been taken back since; None if
        this does not reply to a mail of the board.
        """
        if self.reply is None or self.reply.number != number:
            return None
        now = self.boards.get(number).match.log.undos
        return self.reply.ply if self.reply.undos == now % 256 else 0

    def players(self, userids: Iterable[str]) -> tuple[Player, ...]:
        """Return the active players of these names; raise UnknownName with near ones.

        The error does not repeat the name: it may be a password in the wrong place.
        """
        return tuple(self._player(userid) for userid in userids)

    def _player(self, userid: str) -> Player:
        player = self.work.players.by_userid(userid)
        if player is not None and player.active:
            return player
        if "@" in userid:
            raise UnknownName(_BY_ADDRESS, "games all")
        hint = near_userids(self.work, userid)
        raise UnknownPlayer(userid, hint, "games all")

    def people(self, ids: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        """Return the players with these ids."""
        return self.work.players.by_ids(ids)

    def person(self, player: PlayerId) -> Player:
        """Return the player with this id."""
        return self.work.players.by_ids([player])[player]

    def to_operator(
        self, template: str, *, files: tuple[Attachment, ...] = (), **facts: Any
    ) -> Iterator[Message]:
        """Yield a letter to the operator, if the server has named one."""
        if self.services.operator:
            yield letter(self.services.operator, template, files=files, **facts)

    def today(self, what: str) -> int:
        """Count `what` once more, and return how often it has happened today."""
        return self.work.tally(what, day_of(self.now))

    @property
    def draw(self) -> Draw:
        """The source of what games draw."""
        return by_weight(self.services.chance)

    @property
    def catalogue(self) -> Catalogue:
        """The games that this server offers."""
        return self.services.catalogue

    @property
    def named_game(self) -> AnyGame:
        """The game that the line named, for a command that needs one."""
        return self.catalogue.get(self.game or "")


_BY_ADDRESS = (
    "Players are called by their userids here, not by their mail addresses; only challenge takes "
    "an address."
)


def context_without_mail(services: Services, work: UnitOfWork, now: datetime) -> Context:
    """Return the context of work that no mail asked for: a job, a report, an operator's act."""
    boards = LoadedBoards(work, services.catalogue, now)
    passwords, budget = services.passwords, boundless(work, now)
    return Context(services, work, boards, now, author="", passwords=passwords, budget=budget)


def everybody(board: AnyBoard) -> frozenset[PlayerId]:
    """Return everybody who has, or has had, a seat at the board."""
    return frozenset((*board.match.players, *board.match.starters))


def board_token(board: AnyBoard, player: PlayerId, kind: TokenKind = TokenKind.BOARD) -> Token:
    """Return the token with which `player` answers a mail of the board as it is now.

    A mail that only passed on what was written to the board has the kind TALK.
    """
    match = board.match
    return Token(kind, match.number, player, board.due, match.log.undos)


def seat_token(board: AnyBoard, player: Player) -> Token | None:
    """Return the token of the board now, or None if `player` has no seat there."""
    return board_token(board, player.id) if board.match.seats_of(player.id) else None


def near_userids(work: UnitOfWork, userid: str) -> str:
    """Return " Did you mean alice?", to follow a sentence; "" if no userid is like this one.

    For a userid that was given up it is the present one.
    """
    if now := work.players.now_called(userid):
        return f" That player is now called {now}."
    return did_you_mean(near(userid, work.players.similar(userid)))


def hour_of(now: datetime) -> datetime:
    """Return the beginning of the hour that `now` lies in."""
    return now.replace(minute=0, second=0, microsecond=0)


def day_of(now: datetime) -> datetime:
    """Return the beginning of the day, in UTC, that `now` lies in."""
    return hour_of(now).replace(hour=0)
