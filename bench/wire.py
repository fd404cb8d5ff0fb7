"""The other ends of the server's wires: clients that hand mails in, a sink that takes the answers.

Both are asyncio protocols that do as little as they can, in the process of the benchmark, so that
what is measured is the server. A client keeps its connection, sends the commands of a mail as one
group (RFC 2920), and the text once it is asked for.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import cast

from bench.boards import Sent
from bench.report import BenchError

PATIENCE = 300.0
"""Seconds after which a server is given up."""

_CRLF = b"\r\n"
_END = b"\r\n.\r\n"
_ENVELOPE = (b"2", b"2", b"3")
"""How the replies to MAIL, RCPT and DATA begin."""


class Client(asyncio.Protocol):
    """One connection. `on_free` is called when it may send, `on_refusal` with a wrong reply."""

    def __init__(
        self, on_free: Callable[["Client"], None], on_refusal: Callable[[str], None]
    ) -> None:
        self._on_free = on_free
        self._on_refusal = on_refusal
        self._transport: asyncio.Transport | None = None
        self._unread = b""
        self._expected: deque[bytes] = deque((b"2", b"2"))
        self._content: bytes | None = None
        self.sent: Sent | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say hello at once: the greeting comes before the answer to that."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"EHLO client.example\r\n")

    def send(self, mail: Sent) -> None:
        """Hand a mail in."""
        self.sent = mail
        self._content = mail.content.replace(b"\r\n.", b"\r\n..") + _END[2:]
        self._expected.extend(_ENVELOPE)
        self._write(f"MAIL FROM:<{mail.sender}>\r\nRCPT TO:<{mail.recipient}>\r\nDATA\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Take replies, each in one or more lines."""
        *lines, self._unread = (self._unread + data).split(_CRLF)
        for line in lines:
            if line[3:4] != b"-":
                self._answered(line)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell that the server has hung up, if it has."""
        if self._transport is not None and not self._transport.is_closing():
            self._on_refusal(f"the connection is lost: {error}")

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def _answered(self, line: bytes) -> None:
        if not self._expected or not line.startswith(self._expected.popleft()):
            self._on_refusal(line.decode("ascii", "replace"))
        elif self._content is not None and not self._expected:
            self._expected.append(b"2")
            content, self._content = self._content, None
            self._write(content)
        elif not self._expected:
            self._on_free(self)

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


class Clients:
    """Connections to a server, which share the mails that are to be handed in."""

    def __init__(self) -> None:
        self._clients: list[Client] = []
        self._idle: list[Client] = []
        self._mails: deque[Sent] = deque()
        self._unanswered = 0
        self._may_send: Callable[[], bool] = _always
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.handed_in = 0

    async def open(self, ports: Sequence[int], many: int, host: str = "127.0.0.1") -> None:
        """Connect `many` times, to the ports in turn."""
        loop = asyncio.get_running_loop()
        self._unanswered = many
        for port in islice(cycle(ports), many):
            _, client = await loop.create_connection(
                lambda: Client(self._free, self._refused), host, port
            )
            self._clients.append(client)
        await asyncio.wait_for(self._done, PATIENCE)

    async def hand_in(
        self, mails: Iterable[Sent], may_send: Callable[[], bool] | None = None
    ) -> None:
        """Hand all mails in; return once all are answered. Raises BenchError for a refusal.

        While `may_send` says no, no mail is begun; call `go_on` when it may have changed.
        """
        self._done = asyncio.get_running_loop().create_future()
        self._mails.extend(mails)
        self._may_send = may_send or _always
        self.go_on()
        await self._done

    def send(self, mail: Sent) -> None:
        """Hand one mail in, without waiting for the answer."""
        self._mails.append(mail)
        self.go_on()

    def go_on(self) -> None:
        """Let idle connections begin the next mails."""
        while self._idle and self._mails and self._may_send():
            self.handed_in += 1
            self._unanswered += 1
            self._idle.pop().send(self._mails.popleft())

    def close(self) -> None:
        """Hang up."""
        for client in self._clients:
            client.close()

    def _free(self, client: Client) -> None:
        self._idle.append(client)
        self._unanswered -= 1
        self.go_on()
        if not self._unanswered and not self._mails and not self._done.done():
            self._done.set_result(None)

    def _refused(self, reply: str) -> None:
        if not self._done.done():
            self._done.set_exception(BenchError(f"The server refuses a mail: {reply}"))


def _always() -> bool:
    return True


class Arrivals:
    """What has come to a sink: how many mails, and when the last one for each recipient.

    Only a `reader` gets to see the mails themselves, each with its recipient.
    """

    def __init__(self) -> None:
        self.count = 0
        self.at: dict[str, float] = {}
        self.on_arrival: Callable[[], None] = _nothing
        self.reader: Callable[[str, bytes], None] | None = None
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    def add(self, recipient: str, content: bytes) -> None:
        """Note that a mail has come."""
        if self.reader:
            self.reader(recipient, content)
        self.count += 1
        self.at[recipient] = time.perf_counter()
        for enough, reached in self._waiters:
            if not reached.done() and enough():
                reached.set_result(None)
        self.on_arrival()

    async def reach(self, count: int) -> None:
        """Return once so many have come since the beginning; raise BenchError if they do not."""
        await self.wait(lambda: self.count >= count)

    async def wait(self, enough: Callable[[], bool]) -> None:
        """Return once what has come is enough; raise BenchError if it never is."""
        if enough():
            return
        waiter = enough, asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await asyncio.wait_for(waiter[1], PATIENCE)
        except TimeoutError:
            raise BenchError(
                f"After {PATIENCE:.0f} s only {self.count} mails have come to the sink."
            ) from None
        finally:
            self._waiters.remove(waiter)


def _nothing() -> None:
    """Tell nobody."""


class Sink(asyncio.Protocol):
    """One connection of a relay, which takes every mail and only notes that it came."""

    def __init__(self, arrivals: Arrivals) -> None:
        self._arrivals = arrivals
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._recipient = ""
        self._in_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"220 sink.example ESMTP\r\n")

    def data_received(self, data: bytes) -> None:
        """Take commands and mails, and answer all that are complete in one write."""
        searched = max(0, len(self._unread) - len(_END) + 1)
        self._unread += data
        replies = bytearray()
        while True:
            end = _END if self._in_data else _CRLF
            found = self._unread.find(end, searched)
            if found < 0:
                break
            wanted = not self._in_data or self._arrivals.reader
            text = bytes(self._unread[:found]) if wanted else b""
            del self._unread[: found + len(end)]
            searched = 0
            replies += self._mail_taken(text) if self._in_data else self._command(text)
        if replies and self._transport is not None:
            self._transport.write(bytes(replies))

    def _mail_taken(self, text: bytes) -> bytes:
        self._in_data = False
        self._arrivals.add(self._recipient, text.replace(b"\r\n..", b"\r\n."))
        return b"250 2.0.0 OK\r\n"

    def _command(self, line: bytes) -> bytes:
        verb = line[:4].upper()
        if verb == b"EHLO":
            return b"250-sink.example\r\n250-PIPELINING\r\n250 8BITMIME\r\n"
        if verb == b"RCPT":
            self._recipient = line.partition(b"<")[2].partition(b">")[0].decode("ascii")
        if verb == b"DATA":
            self._in_data = True
            return b"354 go on\r\n"
        if verb == b"QUIT" and self._transport is not None:
            self._transport.close()
            return b""
        return b"250 2.0.0 OK\r\n"


@asynccontextmanager
async def sink(host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[tuple[int, Arrivals]]:
    """Yield the port of a sink and what comes there; on the loopback unless told otherwise."""
    arrivals = Arrivals()
    server = await asyncio.get_running_loop().create_server(lambda: Sink(arrivals), host, port)
    try:
        yield server.sockets[0].getsockname()[1], arrivals
    finally:
        server.close()


@asynccontextmanager
async def clients(
    ports: Sequence[int], many: int, host: str = "127.0.0.1"
) -> AsyncIterator[Clients]:
    """Yield so many kept connections to the servers at `ports`, in turn."""
    connected = Clients()
    try:
        await connected.open(ports, many, host)
        yield connected
    finally:
        connected.close()
