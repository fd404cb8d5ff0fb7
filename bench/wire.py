"""The other ends of the server's wires: clients, a sink for the answers, and the yardstick N.

Clients and sink are threads that do as little as they can, in the process of the benchmark, so that
what is measured is the server. A client keeps its connection, sends the commands of a mail as one
group (RFC 2920), and the text once it is asked for.

`python -m bench.wire` is N: aiosmtpd with a handler that throws the mail away. It prints its port
on the first line, and ends with its standard input.
"""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from queue import SimpleQueue
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, Any

from bench.report import BenchError

if TYPE_CHECKING:
    from bench.boards import Sent

HOST = "127.0.0.1"

PATIENCE = 300.0
"""Seconds after which a server is given up."""


class Arrivals:
    """The mails that a sink has got: their number, and when the last one came for each recipient.

    Each move leads to so many `answers`. There is `room` for so many moves at once; one leaves it
    when all its answers have come.
    """

    def __init__(self, answers: int = 0, at_once: int = 1) -> None:
        self.answers = answers
        self.room = threading.Semaphore(at_once)
        self.count = 0
        self.at: dict[str, float] = {}
        self._lock = threading.Lock()

    def add(self, recipient: str) -> None:
        """Note that a mail has come."""
        with self._lock:
            self.at[recipient] = time.perf_counter()
            self.count += 1
            if self.answers and not self.count % self.answers:
                self.room.release()

    def reach(self, count: int) -> None:
        """Return once so many have come since the beginning; raise BenchError if they do not."""
        end = time.monotonic() + PATIENCE
        while self.count < count:
            if time.monotonic() > end:
                text = f"After {PATIENCE:.0f} s only {self.count} mails have come to the sink."
                raise BenchError(text)
            time.sleep(0.002)

    def last(self, mail: "Sent") -> float:
        """Return when the last of the readers of a move got their last mail."""
        return max(self.at[reader] for reader in mail.readers)


class Client:
    """A connection to a server, which is kept open."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), PATIENCE)
        self._replies = self.socket.makefile("rb")
        self.socket.sendall(b"EHLO client.example\r\n")
        self._take(2)  # the greeting and the answer

    def send(self, mail: "Sent") -> None:
        """Hand a mail in; return once it is taken. Raises BenchError for a refusal."""
        envelope = f"MAIL FROM:<{mail.sender}>\r\nRCPT TO:<{mail.recipient}>\r\nDATA\r\n"
        self.socket.sendall(envelope.encode())
        self._take(3)
        self.socket.sendall(mail.content.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        self._take(1)

    def close(self) -> None:
        """Hang up."""
        self._replies.close()
        self.socket.close()

    def _take(self, replies: int) -> None:
        while replies:
            line = self._replies.readline()
            if not line.startswith((b"2", b"3")):
                said = line.decode("ascii", "replace").strip() or "it hung up"
                raise BenchError(f"The server refuses a mail: {said}")
            replies -= line[3:4] != b"-"


class Clients:
    """Connections to the servers at `ports`, in turn, each with a thread; close them.

    No mail that leads to answers is begun while there is no room for it in `arrivals`.
    """

    def __init__(self, ports: Sequence[int], many: int, arrivals: Arrivals) -> None:
        self._room = arrivals.room if arrivals.answers else None
        self._idle: SimpleQueue[Client] = SimpleQueue()
        self._all = [Client(port) for port in islice(cycle(ports), many)]
        for client in self._all:
            self._idle.put(client)
        self._pool = ThreadPoolExecutor(many)

    def begin(self, mails: Iterable["Sent"]) -> list["Future[None]"]:
        """Hand mails in, by and by, over connections that are idle."""
        waiting = deque(mails)
        threads = min(len(waiting), len(self._all))
        return [self._pool.submit(self._carry, waiting) for _ in range(threads)]

    def hand_in(self, mails: Iterable["Sent"]) -> None:
        """Hand mails in; return once all are taken. Raises BenchError for a refusal."""
        for thread in self.begin(mails):
            thread.result()

    def close(self) -> None:
        """Hang up, whatever is under way."""
        for client in self._all:
            with suppress(OSError):  # the server may have been first
                client.socket.shutdown(socket.SHUT_RDWR)
        if self._room:
            self._room.release(len(self._all))
        self._pool.shutdown(cancel_futures=True)
        for client in self._all:
            client.close()

    def _carry(self, waiting: deque["Sent"]) -> None:
        client = self._idle.get()
        while not self._room or self._room.acquire():
            try:
                mail = waiting.popleft()
            except IndexError:
                if self._room:
                    self._room.release()
                break
            client.send(mail)
        self._idle.put(client)


class Relay(StreamRequestHandler):
    """A connection to the sink, which takes every mail and only notes that it came."""

    disable_nagle_algorithm = True
    wbufsize = -1

    def __init__(self, arrivals: Arrivals, *given: Any) -> None:
        self._arrivals = arrivals
        self._recipient = ""
        super().__init__(*given)

    def handle(self) -> None:
        """Take mails until the other end hangs up."""
        self._say(b"220 sink.example ESMTP")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"RCPT":
                self._recipient = line.partition(b"<")[2].partition(b">")[0].decode("ascii")
            if verb == b"EHLO":
                self._say(b"250-sink.example\r\n250 8BITMIME")
            elif verb == b"DATA":
                self._take_mail()
            else:
                self._say(b"250 OK")

    def _take_mail(self) -> None:
        self._say(b"354 go on")
        while self.rfile.readline() != b".\r\n":
            pass
        self._arrivals.add(self._recipient)
        self._say(b"250 OK")

    def _say(self, reply: bytes) -> None:
        self.wfile.write(reply + b"\r\n")
        self.wfile.flush()


@contextmanager
def sink(arrivals: Arrivals) -> Iterator[int]:
    """Yield the port of a relay, where mails arrive."""
    with ThreadingTCPServer((HOST, 0), partial(Relay, arrivals)) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
