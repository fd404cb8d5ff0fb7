"""A relay that takes mails like any other, and has bad days."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Self

from tests.sink import Arrived

NOBODY = "ghost@gone.example"
"""Somebody whom the relay refuses for good."""


class Mood(Enum):
    """What the relay does to mails."""

    WELL = "takes them"
    SLOW = "takes its time"
    HANGS_UP = "hangs up at the recipient"
    DEFERS = "says 451 to the content"
    CLOSES = "says 421"
    FORGETS_TO_SAY = "takes a mail and dies before it says so"
    KILLS_BEFORE = "takes a mail, and the server dies before it hears of it"
    KILLS_AFTER = "says 250, and the server dies then"
    KILLS_IN_BETWEEN = "the server dies when it has named the recipient"


_KILLING = (Mood.KILLS_BEFORE, Mood.KILLS_AFTER, Mood.KILLS_IN_BETWEEN)


@dataclass
class FaultyRelay:
    """An SMTP server on a thread of its own; as a context manager it listens on `port`."""

    chance: Random
    on_mail: Callable[[Arrived], None]
    on_killing: Callable[[], None]
    """Called to kill the process that delivers."""
    mails: list[Arrived] = field(default_factory=list)
    mood: Mood = Mood.WELL
    share: float = 0.0
    """How many of the mails meet the mood, as a share."""
    host: str = "127.0.0.1"
    port: int = 0
    refused: int = 0

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._listener = self._loop.run_until_complete(
            asyncio.start_server(self._talk, self.host, 0, limit=1 << 20)
        )
        self.port = self._listener.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay")
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        return f"smtp://{self.host}:{self.port}"

    async def _close(self) -> None:
        self._listener.close()
        running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(b"220 relay.example\r\n")
            await self._converse(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sender = recipient = ""
        while line := (await reader.readline()).strip().decode():
            match line[:4].upper():
                case "EHLO":
                    reply = "250-relay.example\r\n250-PIPELINING\r\n250 8BITMIME"
                case "MAIL":
                    sender, recipient, reply = _path(line), "", "250 OK"
                case "RCPT":
                    reply = self._answer_to(_path(line))
                    recipient = _path(line) if reply.startswith("2") else ""
                case "DATA" if recipient:
                    writer.write(b"354 go on\r\n")
                    content = await _content(reader)
                    reply = await self._take(Arrived(sender, recipient, content), writer)
                case "DATA":
                    reply = "503 no recipient"
                case _:
                    reply = "250 OK"
            if not reply or not await _goes_on(reply, writer):
                return

    def _meets(self, *moods: Mood) -> bool:
        return self.mood in moods and self.chance.random() < self.share

    def _answer_to(self, recipient: str) -> str:
        """Return the reply to RCPT; "" hangs up."""
        if recipient == NOBODY:
            self.refused += 1
            return "550 5.1.1 nobody here"
        if self._meets(Mood.CLOSES):
            return "421 4.3.2 closing"
        if self._meets(Mood.KILLS_IN_BETWEEN):
            self.on_killing()
            return ""
        return "" if self._meets(Mood.HANGS_UP) else "250 OK"

    async def _take(self, mail: Arrived, writer: asyncio.StreamWriter) -> str:
        """Return the reply to the content; "" hangs up."""
        if self._meets(Mood.DEFERS):
            return "451 4.3.0 later"
        if self._meets(Mood.SLOW):
            await asyncio.sleep(0.1)
        self.mails.append(mail)
        self.on_mail(mail)
        if self._meets(Mood.FORGETS_TO_SAY):
            return ""
        if self._meets(Mood.KILLS_BEFORE):
            self.on_killing()
            return ""
        if self._meets(Mood.KILLS_AFTER):
            writer.write(b"250 OK\r\n")
            await writer.drain()
            self.on_killing()
            return ""
        return "250 OK"


async def _goes_on(reply: str, writer: asyncio.StreamWriter) -> bool:
    """Say `reply`; return whether the conversation goes on."""
    writer.write(f"{reply}\r\n".encode())
    await writer.drain()
    return not reply.startswith("421")


def _path(line: str) -> str:
    return line.partition("<")[2].partition(">")[0]


async def _content(reader: asyncio.StreamReader) -> bytes:
    content = bytearray()
    while (line := await reader.readline()) != b".\r\n":
        if not line:
            raise asyncio.IncompleteReadError(bytes(content), None)
        content += line[1:] if line.startswith(b".") else line
    return bytes(content)
