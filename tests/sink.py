"""Where the mails of a server or a relay under test arrive: a real SMTP server in this process."""

import asyncio
import re
import ssl
import threading
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.processes import PATIENCE
from tests.sent_mails import SentMail, text_of

USER, PASSWORD = "pbm", "s3cret/word"
LOGIN = "pbm:s3cret%2Fword"
"""The login that a sink accepts, and how it is written in a URL."""

_TOKEN = re.compile(r"pbm\+([a-z2-7]+)@")


@dataclass(frozen=True)
class Arrived:
    """A mail with its envelope, byte for byte."""

    sender: str
    recipient: str
    content: bytes
    options: tuple[str, ...] = ()
    encrypted: bool = False

    @cached_property
    def message(self) -> EmailMessage:
        return SentMail(self.content)

    @cached_property
    def headline(self) -> str:
        """The display name of From, which readers see in their list of mails."""
        return str(self.message["From"].addresses[0].display_name)

    @cached_property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @cached_property
    def board(self) -> str:
        """The number of the board that the mail is about."""
        return self.subject.partition("]")[0].rpartition(" ")[2]

    @cached_property
    def text(self) -> str:
        return text_of(self.message)

    @cached_property
    def prose(self) -> str:
        """The text with every run of white space as one space."""
        return " ".join(self.text.split())

    @cached_property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])

    @cached_property
    def reply_to(self) -> str:
        """The address that a reply goes to."""
        return str((self.message["Reply-To"] or self.message["From"]).addresses[0].addr_spec)

    @cached_property
    def token(self) -> str:
        """The reply token, "" if it has none."""
        found = _TOKEN.search(self.reply_to)
        return found[1] if found else ""

    def says(self, phrase: str) -> bool:
        """Return whether a phrase is where a reader looks."""
        said = f"{self.headline}: {self.subject}\n{self.prose}"
        return phrase.casefold() in said.casefold()


@dataclass
class Sink:
    """A server that takes every mail; as a context manager it listens.

    `answers` are other replies to RCPT, by recipient; with "" the connection is lost. It listens on
    `port` of `host`, or by LMTP at the socket `path`; with `tls` it is encrypted from the first
    byte. `settings` are those of aiosmtpd.
    """

    answers: dict[str, str] = field(default_factory=dict)
    _: KW_ONLY
    host: str = "127.0.0.1"
    port: int = 0
    path: Path | None = None
    tls: ssl.SSLContext | None = None
    logins: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    mails: list[Arrived] = field(default_factory=list)
    greeted: list[str] = field(default_factory=list)
    """The names that clients said at EHLO, one for each connection."""
    passwords: list[bytes] = field(default_factory=list)
    """The passwords that clients have tried."""
    hang_up: Callable[[], object] = lambda: None
    """Ends the newest connection."""

    def __post_init__(self) -> None:
        self._changed = threading.Condition()
        self.loop = asyncio.new_event_loop()
        if self.logins:
            self.settings |= {"authenticator": self._check_login, "auth_require_tls": False}

    @property
    def relay(self) -> str:
        """The URL by which a server delivers here."""
        return f"lmtp:{self.path}" if self.path else f"smtp://{self.host}:{self.port}"

    def wait(self, enough: Callable[[list[Arrived]], object], what: str) -> None:
        """Return once the mails are `enough`."""
        with self._changed:
            if not self._changed.wait_for(lambda: enough(self.mails), PATIENCE):
                heads = "\n".join(f"{m.recipient}: {m.headline}" for m in self.mails[-6:])
                raise AssertionError(f"waited for {what}; the last mails:\n{heads}")

    def rest(self) -> None:
        """Refuse all connections, and end those that are open, until it is to `work_again`."""
        asyncio.run_coroutine_threadsafe(self._close(), self.loop).result(PATIENCE)

    def work_again(self) -> None:
        """Listen on the same port as before."""
        asyncio.run_coroutine_threadsafe(self._listen(), self.loop).result(PATIENCE)

    def __enter__(self) -> Self:
        self.loop.run_until_complete(self._listen())
        self._thread = threading.Thread(target=self.loop.run_forever, name="sink")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.rest()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _listen(self) -> None:
        if self.path:
            self._listener: asyncio.Server = await self.loop.create_unix_server(
                lambda: self._protocol(LMTP), str(self.path)
            )
            return
        self._listener = await self.loop.create_server(
            lambda: self._protocol(SMTP), self.host, self.port, ssl=self.tls
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    def _protocol(self, kind: type[SMTP]) -> SMTP:
        return kind(self, hostname="sink.example", loop=self.loop, **self.settings)

    async def _close(self) -> None:
        """Stop listening, and end the conversations that a killed server left open."""
        self._listener.close()
        running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    # ---- aiosmtpd calls these

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        session.host_name = name
        self.greeted.append(name)
        self.hang_up = lambda: server.loop.call_soon_threadsafe(abort, server)
        return replies

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.answers.get(address, "250 OK")
        if not answer:
            abort(server)
        elif answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.take(arrived(session, envelope))
        return "250 OK"

    def take(self, mail: Arrived) -> None:
        """Keep a mail."""
        with self._changed:
            self.mails.append(mail)
            self._changed.notify_all()

    def _check_login(self, *words: Any) -> AuthResult:
        login = words[-1]
        assert isinstance(login, LoginPassword)
        self.passwords.append(login.password)
        right = (login.login, login.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=right, handled=False)


def abort(server: SMTP) -> None:
    """Drop a connection without a word."""
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()


def arrived(session: Session, envelope: Envelope) -> Arrived:
    """Return the mail of an envelope, as it came."""
    (recipient,) = envelope.rcpt_tos
    assert isinstance(envelope.content, bytes)
    options = tuple(envelope.mail_options)
    return Arrived(
        envelope.mail_from or "", recipient, envelope.content, options, session.ssl is not None
    )
