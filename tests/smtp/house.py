"""A listener on loopback with an inbox that can be slow or broken, and a client that types."""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from pbm.config import Endpoint, TcpEndpoint, UnixEndpoint
from pbm.domain.mail import ReceivedMail
from pbm.server.smtp import Listener, ListenerSettings, SmtpLimits
from pbm.server.smtp import listening as open_listeners
from pbm.server.watch.traces import LogObserver

PATIENCE = 10.0
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LOOPBACK = TcpEndpoint("127.0.0.1", 0)
MAIL = b"Subject: move 101 G7\r\n\r\nHello.\r\n"


class MemoryInbox:
    """An inbox that counts its commits. Clear `open` to hold them; set `failure` to refuse.

    The senders in `full_for` have as many mails waiting as they may.
    """

    def __init__(self) -> None:
        self.batches: list[tuple[ReceivedMail, ...]] = []
        self.open = threading.Event()
        self.open.set()
        self.asked = threading.Event()
        self.failure: Exception | None = None
        self.full_for: frozenset[str] = frozenset()

    @property
    def mails(self) -> list[ReceivedMail]:
        return [mail for batch in self.batches for mail in batch]

    def put(self, mails: Sequence[ReceivedMail]) -> frozenset[int]:
        self.asked.set()
        assert self.open.wait(PATIENCE)
        if self.failure is not None:
            raise self.failure
        beyond = frozenset(n for n, mail in enumerate(mails) if mail.sender in self.full_for)
        self.batches.append(tuple(mail for n, mail in enumerate(mails) if n not in beyond))
        return beyond


def ours(address: str) -> bool:
    return address.lower().startswith(("pbm@", "pbm+", "postmaster"))


class House:
    """The listener in a thread of its own, for the length of a `with` block."""

    def __init__(
        self,
        limits: SmtpLimits | None = None,
        *,
        inbox: MemoryInbox | None = None,
        accepts: Callable[[str], bool] = ours,
        now: Callable[[], datetime] = lambda: NOON,
        lmtp: Path | None = None,
        hostname: str = "mx.example.org",
        **settings: Any,
    ) -> None:
        self.inbox = inbox or MemoryInbox()
        self.wakes = 0
        self.listeners: tuple[Listener, ...] = ()
        self.settings = ListenerSettings(
            hostname,
            smtp=(LOOPBACK,),
            lmtp=(LOOPBACK,) if lmtp is None else (UnixEndpoint(lmtp),),
            limits=limits or SmtpLimits(),
            **settings,
        )
        self._accepts = accepts
        self._now = now
        self._ready = threading.Event()
        self.drained = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="house")
        self._clients: list[Client] = []

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - raised again in the test's thread
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._end = asyncio.Event()
        async with open_listeners(
            self.settings,
            self.inbox.put,
            self._accepts,
            on_stored=self._stored,
            now=self._now,
            observer=LogObserver(time.monotonic),
        ) as self.listeners:
            self._ready.set()
            await self._stop.wait()
        self.drained.set()
        await self._end.wait()

    def _stored(self) -> None:
        self.wakes += 1

    def begin_to_stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)

    def wait_until_drained(self) -> None:
        """Return once the listeners are closed; the event loop still runs."""
        assert self.drained.wait(PATIENCE)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        if self._error is not None:
            self._thread.join(PATIENCE)
            raise self._error
        return self

    def __exit__(self, *details: object) -> None:
        for client in self._clients:
            client.close()
        self.inbox.open.set()
        self.begin_to_stop()
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the house did not stop"
        if self._error is not None:
            raise self._error

    def endpoint(self, protocol: str) -> Endpoint:
        return next(at.endpoint for at in self.listeners if at.protocol == protocol)

    def visitor(self, protocol: str = "smtp") -> "Client":
        """Return a client that has connected and heard nothing yet."""
        client = Client(self.endpoint(protocol))
        self._clients.append(client)
        return client

    def wait_for_room(self) -> None:
        """Return once the listener lets one more in."""
        give_up = time.monotonic() + PATIENCE
        while True:
            visitor = self.visitor()
            greeting = visitor.hear()
            visitor.say("QUIT")
            visitor.close()
            if greeting.startswith("220"):
                return
            assert time.monotonic() < give_up, greeting

    def client(self) -> "Client":
        """Return an SMTP client after the greetings."""
        client = self.visitor()
        assert client.hear().startswith("220 ")
        assert client.say("EHLO client.example").startswith("250")
        return client

    def front_mta(self) -> "Client":
        """Return an LMTP client after the greetings."""
        client = self.visitor("lmtp")
        assert client.hear().startswith("220 ")
        assert client.say("LHLO client.example").startswith("250")
        return client


class Client:
    """Types commands and reads replies; a reply is its lines, joined by LF; "" is the end."""

    def __init__(self, endpoint: Endpoint) -> None:
        if isinstance(endpoint, UnixEndpoint):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(PATIENCE)
            self.socket.connect(str(endpoint.path))
        else:
            self.socket = socket.create_connection((endpoint.host, endpoint.port), PATIENCE)
        self._replies = self.socket.makefile("rb")

    def hear(self) -> str:
        lines = []
        while True:
            try:
                line = self._replies.readline().decode().rstrip("\r\n")
            except ConnectionError:
                line = ""
            lines.append(line)
            if line[3:4] != "-":
                return "\n".join(lines)

    def type(self, octets: bytes) -> None:
        self.socket.sendall(octets)

    def say(self, command: str) -> str:
        self.type(command.encode("utf-8", "surrogateescape") + b"\r\n")
        return self.hear()

    def address(self, *recipients: str, sender: str = "<alice@example.com>") -> None:
        """Go as far as the 354 of DATA."""
        assert self.say(f"MAIL FROM:{sender}").startswith("250")
        for recipient in recipients or ("pbm@example.org",):
            assert self.say(f"RCPT TO:<{recipient}>").startswith("250")
        assert self.say("DATA").startswith("354")

    def post(self, octets: bytes = MAIL, *recipients: str) -> None:
        """Send a mail, `octets` as they are, and do not wait for the reply."""
        self.address(*recipients)
        self.type(octets + b".\r\n")

    def send(self, octets: bytes = MAIL, *recipients: str) -> str:
        """Send a mail, `octets` as they are, and return the reply."""
        self.post(octets, *recipients)
        return self.hear()

    def ends(self, *replies: str) -> bool:
        """Return whether these replies come, and then the end."""
        return all(self.hear().startswith(reply) for reply in replies) and self.hear() == ""

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Begin to encrypt, and greet again."""
        assert self.say("STARTTLS").startswith("220")
        self.encrypt(context)
        assert self.say("EHLO x").startswith("250")

    def encrypt(self, context: ssl.SSLContext) -> None:
        self._replies.close()
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self._replies = self.socket.makefile("rb")

    @property
    def certificate(self) -> bytes:
        """The certificate of the server, in DER."""
        assert isinstance(self.socket, ssl.SSLSocket)
        return self.socket.getpeercert(binary_form=True) or b""

    def close(self) -> None:
        self._replies.close()
        self.socket.close()
