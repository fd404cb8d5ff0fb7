"""One SMTP session with bounds: aiosmtpd's command loop, and what it leaves open.

aiosmtpd 1.4.6 bounds neither the time nor the number of commands and errors of a session,
answers a failed handler with a permanent 500 that shows the exception, and closes politely
even when the client reads nothing, which then lasts for ever.
"""

import asyncio
import logging
import ssl
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import NoReturn, cast

from aiosmtpd.proxy_protocol import AF, ProxyData
from aiosmtpd.smtp import Envelope, Session

from pbm.core.bugs import trace_of
from pbm.domain.mail import ReceivedMail
from pbm.engine import frozen
from pbm.server.smtp.aiosmtpd_inside import OpenSMTP
from pbm.server.smtp.connections import Connections, Peer, SmtpLimits
from pbm.server.smtp.syntax import DataRoom

log = logging.getLogger("pbm.server.smtp")

TROUBLE = "451 4.3.0 Trouble on our side, please try again later"
_TOO_IDLE = "421 4.4.2 Idle for too long, goodbye"
_TOO_SLOW = "421 4.4.2 The mail comes too slowly, goodbye"
_TOO_LONG = "421 4.4.2 This session has lasted too long, please connect again"
_TOO_MANY_COMMANDS = "421 4.7.0 Too many commands without a mail, goodbye"
_TOO_MANY_ERRORS = "421 4.7.0 Too many errors, goodbye"
TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients, send the rest in another mail"


@frozen
class Intake:
    """The values that all sessions of a server share."""

    hostname: str
    limits: SmtpLimits
    accepts: Callable[[str], bool]
    store: Callable[[ReceivedMail], Awaitable[bool]]
    now: Callable[[], datetime]
    connections: Connections
    peer_at: Callable[[str], Peer]
    room: DataRoom
    tls: Callable[[], ssl.SSLContext] | None = None
    turned_away: Callable[[str], None] = lambda _: None


class _Hooks:
    """The hooks that aiosmtpd calls in a handler, apart from the mail itself."""

    async def handle_EHLO(  # noqa: N802 - the name is aiosmtpd's
        self,
        server: "BoundedSession",
        session: Session,
        _envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Return the extensions: PIPELINING too, as the reader takes commands from a buffer.

        AUTH is left out; nobody has an account here.
        """
        session.host_name = hostname
        *offered, last = [line for line in responses if not line.startswith("250-AUTH")]
        log.debug("%s says hello", server.peer)
        return [*offered, "250-PIPELINING", last]

    async def handle_PROXY(  # noqa: N802 - the name is aiosmtpd's
        self, server: "BoundedSession", _session: Session, _envelope: Envelope, proxy: ProxyData
    ) -> bool:
        """Count the session for the client that the proxy names; False closes it."""
        if not proxy.valid:
            return False
        named = proxy.family in {AF.INET, AF.INET6} and proxy.src_addr is not None
        return server.comes_from(str(proxy.src_addr) if named else "")


class BoundedSession(OpenSMTP):
    """An SMTP session that ends: by time, by idleness, by errors, or because the server stops."""

    line_length_limit = 16 * 1024  # of the reader's buffer; pauses the client at twice of it
    greeting = "ESMTP pbm"

    def __init__(
        self, intake: Intake, peer: Peer, *, size: int | None, behind_proxy: bool = False
    ) -> None:
        limits = intake.limits
        # aiosmtpd keeps one dictionary for all sessions, and every new session clears it.
        self.command_size_limits = defaultdict(lambda: limits.command_bytes)
        self.command_size_limit = limits.command_bytes
        super().__init__(
            _Hooks(),
            data_size_limit=size,
            enable_SMTPUTF8=True,
            hostname=intake.hostname,
            ident=self.greeting,
            tls_context=intake.tls() if intake.tls else None,
            timeout=limits.idle_seconds,
            proxy_protocol_timeout=limits.proxy_seconds if behind_proxy else None,
            loop=asyncio.get_running_loop(),
        )
        self.intake = intake
        self.peer = peer
        self._commands = 0
        self._errors = 0
        self.taking = False  # between DATA and its reply
        self._dismissal = ""
        self._answers: list[str] = []  # not sent yet
        self._session_timer: asyncio.TimerHandle | None = None

    @property
    def _mail(self) -> Envelope:
        """The mail in the making; aiosmtpd has one from the greeting on."""
        return cast("Envelope", self.envelope)

    # The connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; called a second time when STARTTLS has put TLS between."""
        super().connection_made(transport)
        if self._session_timer is not None:
            return
        limits = self.intake.limits
        self._session_timer = self.loop.call_later(limits.session_seconds, self.dismiss, _TOO_LONG)
        self.intake.connections.enter(self, self.peer)
        if self.conversation is not None:
            self.conversation.add_done_callback(self._ended)

    def connection_lost(self, error: Exception | None) -> None:
        """End, whatever the reason."""
        self.intake.connections.leave(self)
        if self._session_timer is not None:
            self._session_timer.cancel()
        super().connection_lost(error)

    def comes_from(self, host: str) -> bool:
        """Count the session for `host` and not for the proxy; False if there is no room."""
        connections = self.intake.connections
        self.peer = self.intake.peer_at(host)
        connections.leave(self)
        refusal = connections.refusal(self.peer)
        connections.enter(self, self.peer)
        if refusal:
            self._part(refusal)
        return not refusal

    def _ended(self, conversation: "asyncio.Task[None]") -> None:
        if conversation.cancelled():
            return
        error = conversation.exception()
        if isinstance(error, ConnectionError):
            log.debug("%s hung up", self.peer)
        elif error is not None:
            log.error("%s: the session broke: %s", self.peer, trace_of(error))

    # Ends

    def dismiss(self, reply: str) -> None:
        """Say `reply` and close; if a mail is on its way, after the answer to it."""
        if self.taking:
            self._dismissal = reply
        else:
            self._part(reply)

    def abort(self) -> None:
        """Close at once, whatever is still unsent."""
        transport = self.socket_transport
        if isinstance(transport, asyncio.Transport):
            transport.abort()

    def _part(self, reply: str) -> None:
        transport = self.transport
        if isinstance(transport, asyncio.Transport) and not transport.is_closing():
            self.intake.turned_away(reply)
            log.info("%s: %s", self.peer, reply)
            self.send_answers()
            transport.write(f"{reply}\r\n".encode())
            transport.close()
        # close() waits until the client has read everything, and some never do.
        self.loop.call_later(self.intake.limits.linger_seconds, self.abort)

    def _hang_up(self, reply: str) -> NoReturn:
        """Say `reply`, close, and end the command loop, as a lost connection does."""
        self._part(reply)
        raise asyncio.CancelledError

    def timed_out(self) -> None:
        """Say what took too long, and close."""
        self._part(_TOO_SLOW if self.taking else _TOO_IDLE)

    # Replies

    async def push(self, status: str | bytes) -> None:
        """Send a reply at once."""
        reply = status if isinstance(status, str) else status.decode()
        self.answer(reply)
        self.send_answers()
        await self.drain()

    def answer(self, reply: str) -> None:
        """Send a reply together with all that are due before the session waits for anything.

        To a client that sends commands in groups (RFC 2920), the replies to a group are one
        write. The loop comes to it as soon as the session waits, for the client or the store.
        """
        if not self._answers:
            self.loop.call_soon(self.send_answers)
        self._answers.append(reply)
        self._count(reply)

    def send_answers(self) -> None:
        """Send the replies that have not left yet."""
        if self._answers:
            lines, self._answers = self._answers, []
            self.write("".join(f"{line}\r\n" for line in lines).encode())

    def _count(self, reply: str) -> None:
        """Count a reply: each command has one, and the first digit judges it."""
        if reply[3:4] == "-":
            return
        self._commands += 1
        if reply[0] in "45" and reply != TOO_MANY_RECIPIENTS:
            self._errors += 1
            self.intake.turned_away(reply)
            if self._errors >= self.intake.limits.errors:
                self._hang_up(_TOO_MANY_ERRORS)
        if self._commands >= self.intake.limits.commands_between_mails:
            self._hang_up(_TOO_MANY_COMMANDS)

    async def handle_exception(self, error: Exception) -> str:
        """Return the reply to a command that met a bug: try again, and not a word why."""
        log.error("%s: a command failed: %s", self.peer, trace_of(error))
        return TROUBLE

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802
        """Say the same of every address."""
        await self.push("252 2.5.2 Cannot verify, but send a mail and see")

    async def smtp_AUTH(self, _arg: str | None) -> None:  # noqa: N802
        """Nobody has an account here, so no password is asked for."""
        await self.push("502 5.5.1 Not implemented")
