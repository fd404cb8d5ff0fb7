"""Simulated people: they challenge each other and play on, by the mails that they get."""

import queue
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from games.gonnect import game as gonnect
from pbm.config import Settings
from pbm.engine import Position, advance, begin
from pbm.operator.administration import Administration
from pbm.server.assembly import App
from pbm.store import migrations
from tests.doors import Passwords
from tests.e2e.people import letter
from tests.sink import Arrived
from tests.torture.post import Letter, Post
from tests.torture.relay import NOBODY

SERVER = "pbm@localhost"
SIZES = (5, 7)

GHOST = "ghost"
"""Somebody who follows boards, and whom no mail reaches any more."""

_FOLLOWED = 10
"""Of so many boards, one is followed."""

_MAY_RESIGN = 4
"""The first move in whose place somebody may resign, so that matches end soon."""

_DUE = re.compile(r"\bmove (\d+)[).]")
_PLAYED = re.compile(
    r"^.{,40} \d+ (?:against \S+ |between \S+ and \S+ )?(You|\S+) played (\S+?)\. "
)
_BOARD = re.compile(r"Gonnect, size (\d+), [^.]*board (\d+)\. ")
_NO_MATCH = re.compile(
    "You have already accepted|invitations an hour|invitations from players in this hour"
)
"""Refusals to those who ask for a match and cannot have it."""

_CHATS = 25
"""The most chats of a player: 30 an hour may go to the same one."""

_WORDS = re.compile(r"Hello \d+ from (\w+)")

OVER = ("You won", "You lost", "A draw", "Over")


@cache
def random_match(seed: int, size: int) -> tuple[str, ...]:
    """Return the moves of a whole match; everybody knows them beforehand."""
    chance = Random(seed)
    position: Position[Any] = begin(gonnect, gonnect.info.setup({"size": str(size)}))
    moves: list[str] = []
    while seats := gonnect.to_move(position.state):
        move = chance.choice(list(gonnect.legal_moves(position.state, seats[0])))
        position, turn = advance(gonnect, position, seats[0], str(move))
        moves.append(turn.text)
    return tuple(moves)


def password_of(name: str) -> str:
    """Return the password that somebody has."""
    return f"zq-{name}-pw-1"


def address_of(name: str) -> str:
    """Return the address that somebody has."""
    return NOBODY if name == GHOST else f"{name}@example.com"


def house_of(settings: Settings, names: Sequence[str], passwords: Passwords) -> App:
    """Return a house in which these people, and the ghost, have accounts.

    All but the first want no HTML: with a picture it takes long to compose, and nobody looks at it.
    """
    migrations.upgrade(settings.database)
    house = App(settings, passwords=passwords)
    with house.open_unit() as work:
        operator = Administration(house.services, work, datetime.now(UTC))
        for name in (*names, GHOST):
            player = operator.add_player(name, password_of(name), [address_of(name)])
            if name != names[0]:
                work.players.set_setting(player.id, "format", "text")
        work.commit()
    return house


@dataclass(frozen=True)
class Told:
    """Plies of boards, with the players who were told of them."""

    recipient: str
    board: int
    ply: int


@dataclass
class People:
    """Players; the first ones of the pairs challenge, and all answer what the relay brings."""

    pairs: Sequence[tuple[str, str]]
    post: Post
    chance: Random
    sizes: dict[int, int] = field(default_factory=dict)
    sent: set[tuple[int, int]] = field(default_factory=set)
    resigned: set[int] = field(default_factory=set)
    """Boards on which a resignation was acknowledged."""
    acknowledged: set[tuple[int, int]] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    """Players who asked for a match, once for each acknowledgement."""
    answered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The Message-IDs of the mails that said what became of it."""
    told: dict[Told, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The Message-IDs of the mails that told of a ply."""
    chats: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The words of chats that were acknowledged, each with its board and its author."""
    heard: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The Message-IDs of the mails that brought words of others."""
    contents: dict[str, bytes] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    """Message-IDs that came with another content than before."""
    repeats: int = 0
    asked_twice: int = 0
    refusals: list[Arrived] = field(default_factory=list)
    resting: bool = False
    failed: BaseException | None = None
    """Why they read no more."""

    def __post_init__(self) -> None:
        self._came: queue.SimpleQueue[Arrived | None] = queue.SimpleQueue()
        self._done: set[tuple[str, int]] = set()
        self._chats: Counter[str] = Counter()
        self._reader = threading.Thread(target=self._read_all, name="people")
        self._reader.start()

    def get(self, mail: Arrived) -> None:
        """Take a mail; it is read by and by."""
        self._came.put(mail)

    def close(self) -> None:
        """Read what has come, and no more."""
        if self._reader.is_alive():
            self._came.put(None)
            self._reader.join()

    def begin(self, boards: int) -> None:
        """Let each of the first ones begin so many matches."""
        for _ in range(boards):
            for first, _second in self.pairs:
                self._challenge(first)

    def _read_all(self) -> None:
        try:
            while mail := self._came.get():
                self._read(mail)
        except BaseException as error:
            self.failed = error
            raise

    def _read(self, mail: Arrived) -> None:
        known = self.contents.setdefault(mail.message_id, mail.content)
        if known is not mail.content:
            self.repeats += 1
            if known != mail.content:
                self.changed.append(mail.message_id)
            return
        name = mail.recipient.partition("@")[0]
        self._listen(name, mail)
        if mail.headline.startswith(("Please check", "Please choose")):
            self.refusals.append(mail)
            if _NO_MATCH.search(mail.prose):
                self.answered[name].add(mail.message_id)
        elif mail.headline.startswith("Waiting for an answer"):
            self.answered[name].add(mail.message_id)
        elif mail.headline.startswith("An invitation"):
            self._answer_once(mail, "accept")
        else:
            self._look(name, mail)

    def _listen(self, name: str, mail: Arrived) -> None:
        """Note the words of others that a mail brings."""
        for words in _WORDS.finditer(mail.prose):
            if words[1] != name:
                self.heard[words[0]].add(mail.message_id)

    def _look(self, name: str, mail: Arrived) -> None:
        if about := _BOARD.search(mail.prose):
            self._look_at_board(name, int(about[2]), int(about[1]), mail)

    def _look_at_board(self, name: str, board: int, size: int, mail: Arrived) -> None:
        self.sizes[board] = size
        if board % _FOLLOWED == 0 and self._first_time(GHOST, board):
            self._write(GHOST, f"follow {board} {GHOST} {password_of(GHOST)}")
        over = mail.headline.startswith(OVER)
        due = len(random_match(board, size)) + 1 if over else due_by(mail)
        if _PLAYED.match(mail.prose):
            self.told[Told(mail.recipient, board, due - 1)].add(mail.message_id)
        if self.resting:
            return
        if over:
            self._play_again(name, board, mail)
        elif mail.headline.startswith("Your move"):
            self._move(name, board, due, mail)
        elif due and self.chance.random() < 0.1:
            self._disturb(name, board, mail)

    def _move(self, name: str, board: int, due: int, mail: Arrived) -> None:
        if (board, due) in self.sent:
            return
        self.sent.add((board, due))
        if due >= _MAY_RESIGN and self.chance.random() < 0.08:
            self._resign(name, board, mail)
            return
        move = random_match(board, self.sizes[board])[due - 1]

        def acknowledged() -> None:
            self.acknowledged.add((board, due))

        way = self.chance.random()
        if way < 0.1:
            line = f"move {board} {name} {password_of(name)} {move}#{due}"
            self._write(name, line, "", acknowledged=acknowledged)
            return
        self._write(name, f"Re: {mail.subject}", move, mail.reply_to, acknowledged)
        if way < 0.15:
            self.asked_twice += 1
            self._write(name, f"Re: {mail.subject}", move, mail.reply_to)

    def _resign(self, name: str, board: int, mail: Arrived) -> None:
        def acknowledged() -> None:
            self.resigned.add(board)

        self._write(name, f"Re: {mail.subject}", "resign", mail.reply_to, acknowledged)

    def _disturb(self, name: str, board: int, mail: Arrived) -> None:
        """Write to the board while the other one moves."""
        if self.chance.random() < 0.3 or self._chats[name] >= _CHATS:
            self._write(name, f"Re: {mail.subject}", "show", mail.reply_to)
            return
        self._chats[name] += 1
        words = f"Hello {self._chats[name]} from {name}"

        def acknowledged() -> None:
            self.chats[words] = (board, name)

        self._write(name, f"Re: {mail.subject}", f"chat\n{words}", mail.reply_to, acknowledged)

    def _play_again(self, name: str, board: int, mail: Arrived) -> None:
        challenges = any(first == name for first, _ in self.pairs)
        if not challenges or not self._first_time(name, -board):
            return
        if self.chance.random() < 0.5:
            self._ask(name, f"Re: {mail.subject}", "rematch", mail.reply_to)
        else:
            self._challenge(name)

    def _challenge(self, first: str) -> None:
        """Challenge anybody: a player may be asked by the same one ten times an hour."""
        _, second = self.chance.choice(self.pairs)
        size = self.chance.choice(SIZES)
        line = f"gonnect challenge {first} {password_of(first)} {second} -size={size}"
        self._ask(first, line)

    def _ask(self, name: str, subject: str, text: str = "", to: str = SERVER) -> None:
        """Ask for a match, which is answered once in any case."""

        def acknowledged() -> None:
            self.asked.append(name)

        self._write(name, subject, text, to, acknowledged)

    def _answer_once(self, mail: Arrived, text: str) -> None:
        name = mail.recipient.partition("@")[0]
        if not self.resting and self._first_time(name, int(mail.board)):
            self._write(name, f"Re: {mail.subject}", text, mail.reply_to)

    def _first_time(self, name: str, what: int) -> bool:
        if (name, what) in self._done:
            return False
        self._done.add((name, what))
        return True

    def _write(
        self, name: str, subject: str, text: str = "", to: str = SERVER,
        acknowledged: Any = lambda: None,
    ) -> None:  # fmt: skip
        author = address_of(name)
        content = letter(author, subject, text, to=to)
        self.post.send(Letter(author, to, content, acknowledged))


def due_by(mail: Arrived) -> int:
    """Return the number of the move that is due by a mail; 0 if none is."""
    found = _DUE.search(mail.prose)
    return int(found[1]) if found else 0
