"""Real servers on the loopback interface that take mails from a relay under test."""

import asyncio
import socketserver
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbm.domain.mail import OutgoingMail
from pbm.relay import open_relay
from pbm.service.relaying import Deferred, Relay, Verdict

USER, PASSWORD = "pbm", "s3cret/word"
LOGIN = "pbm:s3cret%2Fword"


@dataclass(frozen=True)
class Taken:
    """A mail as the sink got it."""

    sender: str
    recipient: str
    content: bytes
    options: tuple[str, ...]
    encrypted: bool


@dataclass
class Sink:
    """The handler of an aiosmtpd server that keeps what it gets.

    `answers` are replies to RCPT by recipient; for those in `hang_up_at` it drops the connection.
    """

    answers: dict[str, str] = field(default_factory=dict)
    hang_up_at: set[str] = field(default_factory=set)
    pipelining: bool = False
    mails: list[Taken] = field(default_factory=list)
    hellos: list[str] = field(default_factory=list)
    logins: list[bytes] = field(default_factory=list)
    port: int = 0
    hang_up: Callable[[], object] = lambda: None

    async def handle_EHLO(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        session.host_name = name
        self.hellos.append(name)
        self.hang_up = lambda: server.loop.call_soon_threadsafe(_abort, server)
        return ["250-PIPELINING", *replies] if self.pipelining else replies

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.hang_up_at:
            _abort(server)
        answer = self.answers.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        assert envelope.mail_from is not None
        (recipient,) = envelope.rcpt_tos
        options = tuple(envelope.mail_options)
        encrypted = session.ssl is not None
        self.mails.append(Taken(envelope.mail_from, recipient, content, options, encrypted))
        return "250 OK"

    def check_login(self, *words: Any) -> AuthResult:
        login = words[-1]
        assert isinstance(login, LoginPassword)
        self.logins.append(login.password)
        right = (login.login, login.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=right, handled=False)


def _abort(server: SMTP) -> None:
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()


@contextmanager
def serving(
    sink: Sink, *, tls: ssl.SSLContext | None = None, logins: bool = False, **settings: Any
) -> Iterator[Sink]:
    """Serve on a free port of 127.0.0.1, with TLS from the first byte if `tls` is given.

    `settings` are those of aiosmtpd.
    """
    if logins:
        settings |= {"authenticator": sink.check_login, "auth_require_tls": False}
    with _loop_in_a_thread() as loop:
        listening = loop.create_server(
            lambda: SMTP(sink, loop=loop, hostname="sink.example", **settings),
            "127.0.0.1",
            0,
            ssl=tls,
        )
        server = asyncio.run_coroutine_threadsafe(listening, loop).result(10)
        sink.port = server.sockets[0].getsockname()[1]
        yield sink
        loop.call_soon_threadsafe(server.close)


@contextmanager
def serving_lmtp(sink: Sink, path: Path) -> Iterator[Sink]:
    """Serve LMTP on a socket."""
    with _loop_in_a_thread() as loop:
        listening = loop.create_unix_server(
            lambda: LMTP(sink, loop=loop, hostname="sink.example"), str(path)
        )
        server = asyncio.run_coroutine_threadsafe(listening, loop).result(10)
        yield sink
        loop.call_soon_threadsafe(server.close)


@contextmanager
def _loop_in_a_thread() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_end_sessions(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_sessions() -> None:
    sessions = asyncio.all_tasks() - {asyncio.current_task()}
    for session in sessions:
        session.cancel()
    await asyncio.gather(*sessions, return_exceptions=True)


@contextmanager
def scripted(talk: Callable[[IO[bytes], IO[bytes]], None]) -> Iterator[int]:
    """Run `talk` for each connection, to say what no proper server says; yield the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with self.request.makefile("rwb", buffering=0) as wire:
                talk(wire, wire)

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def unreached(error: str) -> Deferred:
    """Return the verdict on a mail that could not even be offered."""
    return Deferred(error, relay_down=True, offered=False)


@contextmanager
def relay_to(url: str) -> Iterator[Relay]:
    relay = open_relay(url, "games.example.org")
    try:
        yield relay
    finally:
        relay.close()


def deliver(url: str, *mails: OutgoingMail) -> list[Verdict]:
    """Deliver through a relay that is opened and closed for these mails."""
    with relay_to(url) as relay:
        return verdicts_of(relay, *mails)


def verdicts_of(relay: Relay, *mails: OutgoingMail) -> list[Verdict]:
    """Deliver, and return the verdict on each mail in the order of the mails."""
    judged = list(relay.deliver(mails))
    assert sorted(place for place, _ in judged) == list(range(len(mails)))
    return [verdict for _, verdict in sorted(judged, key=lambda each: each[0])]


def mail(recipient: str = "bob@example.net", content: bytes | None = None) -> OutgoingMail:
    message_id = f"<{recipient}.1@games.example.org>"
    if content is None:
        head = f"Subject: [Gonnect 104] alice - bob\r\nMessage-ID: {message_id}\r\n"
        content = head.encode() + b"\r\nalice played C4.\r\n"
    return OutgoingMail("bounce+k3v9@games.example.org", recipient, message_id, content)


def make_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a new self-signed certificate for localhost and a server context that uses it."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context
