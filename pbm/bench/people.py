"""Simulated people: they sign up, challenge, and answer the mails that they read, all by SMTP."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

from pbm.bench.boards import Sent
from pbm.bench.errors import BenchError
from pbm.bench.letters import reply
from pbm.bench.wire import Arrivals, Clients

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which somebody who waits for a mail gives up."""

_REPLY_TO = re.compile(rb"^Reply-To:\s*<?([^\s<>]+)>?", re.MULTILINE | re.IGNORECASE)
_SUBJECT = re.compile(rb"^Subject:((?:.*\r\n)(?:[ \t].*\r\n)*)", re.MULTILINE | re.IGNORECASE)
_BOARD = re.compile(rb"(\d+)\]")

ANY = 0
"""Stands for the mails that are about no board."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that somebody has got: when, in seconds of this process, and all its octets."""

    at: float
    content: bytes

    @property
    def reply_to(self) -> str:
        """Where an answer goes; raise BenchError if nowhere."""
        found = _REPLY_TO.search(self.content)
        if found is None:
            raise BenchError("The server has sent a mail that nobody can answer.")
        return found[1].decode("ascii")

    @property
    def board(self) -> int:
        """The board that it is about, ANY if it is about none."""
        subject = _SUBJECT.search(self.content)
        number = _BOARD.search(subject[1]) if subject else None
        return int(number[1]) if number else ANY


class PostOffice:
    """Hands letters in at a server, and out to whom they are for, sorted by boards."""

    def __init__(self, clients: Clients, arrivals: Arrivals, server: str) -> None:
        self.server = server
        self._clients = clients
        self._letters = 0
        self._boxes: dict[tuple[str, int], asyncio.Queue[Letter]] = defaultdict(asyncio.Queue)
        self._new: dict[str, asyncio.Queue[int]] = defaultdict(asyncio.Queue)
        arrivals.reader = self._deliver

    def write(self, author: str, to: str, text: str) -> None:
        """Send a mail whose first line is `text`."""
        self._letters += 1
        name = f"{self._letters}.{time.monotonic_ns()}"
        self._clients.send(Sent(author, to, reply(author, to, text, name)))

    async def read(self, reader: str, board: int = ANY) -> Letter:
        """Return the next letter to `reader` about a board; raise BenchError if there is none."""
        about = f"board {board}" if board else "no board"
        return await _in_time(self._boxes[reader, board].get(), f"{reader}, about {about}")

    async def new_board(self, reader: str) -> int:
        """Return the next board that `reader` hears of for the first time; raise BenchError."""
        return await _in_time(self._new[reader].get(), f"{reader}, about a new board")

    def _deliver(self, recipient: str, content: bytes) -> None:
        letter = Letter(time.perf_counter(), content)
        key = recipient, letter.board
        if letter.board and key not in self._boxes:
            self._new[recipient].put_nowait(letter.board)
        self._boxes[key].put_nowait(letter)


async def _in_time(coming: Awaitable[T], what: str) -> T:
    try:
        return await asyncio.wait_for(coming, PATIENCE)
    except TimeoutError:
        raise BenchError(f"No mail has come for {what}.") from None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an address, who writes to the server."""

    name: str
    post: PostOffice = field(repr=False)

    @property
    def address(self) -> str:
        """Each person has a domain: strangers of one domain get few answers an hour."""
        return f"{self.name}@{self.name}.example"

    @property
    def password(self) -> str:
        """A password that is not well known."""
        return f"zq-{self.name}-7"

    def write(self, text: str) -> None:
        """Write a mail to the server."""
        self.post.write(self.address, self.post.server, text)

    def answer(self, letter: Letter, text: str) -> None:
        """Reply to a letter."""
        self.post.write(self.address, letter.reply_to, text)

    async def read(self, board: int = ANY) -> Letter:
        """Return the next letter about a board."""
        return await self.post.read(self.address, board)

    async def sign_up(self) -> None:
        """Open an account."""
        self.write(f"signup {self.name} {self.password}")
        self.answer(await self.read(), "yes")
        await self.read()

    async def challenge(self, other: "Person", game: str, options: str) -> int:
        """Begin a match with somebody, who accepts; return the number of its board."""
        line = f"{game} challenge {self.name} {self.password} {other.name} {options}"
        self.write(line.strip())
        await self.post.new_board(self.address)
        number = await self.post.new_board(other.address)
        await self.read(number)
        other.answer(await other.read(number), "accept")
        return number
