"""The listeners: open them, and stop so that no mail on its way is lost.

aiosmtpd's own Controller runs a thread and kills the sessions when it stops, so the
sockets belong to our event loop.

The certificate with which STARTTLS is offered is read again when its files have changed. A program
that knows nothing of us renews it every few weeks. A server that went on with the old one would
show it long after it has expired, and only its visitors would notice.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import field
from datetime import datetime
from functools import partial
from pathlib import Path

from pbm.config import Endpoint, TcpEndpoint, UnixEndpoint
from pbm.domain.observer import Observer
from pbm.engine import frozen
from pbm.errors import PlainError
from pbm.server.locks import explained
from pbm.server.smtp.connections import Connections, Door, Network, Peer, SmtpLimits, is_among
from pbm.server.smtp.group_commit import GroupCommit, Put
from pbm.server.smtp.session import Intake
from pbm.server.smtp.syntax import DataRoom
from pbm.server.smtp.transaction import LmtpSession, SmtpSession

_Stamp = tuple[tuple[int, int] | None, ...]

log = logging.getLogger("pbm.server.smtp")


class CertificateError(PlainError):
    """A certificate or its key cannot be used; `str()` is a sentence with the files and why."""


class Certificate:
    """A certificate in a PEM `file`, and its key in another one unless it is in the same."""

    def __init__(self, file: Path, key: Path | None = None) -> None:
        """Read it; raise CertificateError."""
        self._file = file
        self._key = key
        self._stamp = self._there()
        self._context = self._read()

    def __call__(self) -> ssl.SSLContext:
        """Return the context for a new session, with the newest certificate that can be used."""
        stamp = self._there()
        if stamp != self._stamp:
            self._stamp = stamp
            self._renew()
        return self._context

    def _renew(self) -> None:
        """Read it again; if that fails, as between the writing of both files, keep the old one."""
        try:
            self._context = self._read()
        except CertificateError as error:
            log.warning("%s The one from before is still shown.", error)
        else:
            log.info("the certificate %s was read anew", self._file)

    def _read(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            # The empty password is for an encrypted key: otherwise OpenSSL asks at the terminal.
            context.load_cert_chain(self._file, self._key, password="")
        except OSError as error:
            # Of a file that is missing or closed to us, ssl does not say which one it is.
            files = f"{self._file} with the key {self._key}" if self._key else str(self._file)
            reason = error if isinstance(error, ssl.SSLError) else error.strerror
            raise CertificateError(f"The certificate {files} cannot be used: {reason}.") from error
        return context

    def _there(self) -> _Stamp:
        """Return what changes with the files; also their rights, by the time of that change."""
        return tuple(_stamp(file) for file in (self._file, self._key) if file)


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


@frozen
class ListenerSettings:
    """Where to listen, and how.

    `hostname` is our name in the greeting. `tls`, which returns a server-side context with the
    certificate for each session, switches STARTTLS on. With `proxy_protocol` every SMTP
    connection must begin with a PROXY header (version 1 or 2), and clients are counted by the
    address that it names. `relays` are the networks of hosts of ours: a share of the connections
    is kept free for them and for LMTP, and what they say of where a mail comes from is true.
    """

    hostname: str
    smtp: tuple[Endpoint, ...] = ()
    lmtp: tuple[Endpoint, ...] = ()
    tls: Callable[[], ssl.SSLContext] | None = None
    proxy_protocol: bool = False
    relays: tuple[Network, ...] = ()
    limits: SmtpLimits = field(default_factory=SmtpLimits)


@frozen
class Listener:
    """One bound socket; `str()` is "smtp 127.0.0.1:8025"."""

    protocol: str
    endpoint: Endpoint

    def __str__(self) -> str:
        return f"{self.protocol} {self.endpoint}"


@asynccontextmanager
async def listening(
    settings: ListenerSettings,
    put: Put,
    accepts: Callable[[str], bool],
    *,
    on_stored: Callable[[], None],
    now: Callable[[], datetime],
    observer: Observer = Observer(),  # noqa: B008 - it has no state
) -> AsyncIterator[tuple[Listener, ...]]:
    """Take mails while the block runs; yield the bound listeners.

    `accepts` says of an address whether it is ours, `on_stored` is called on the event loop
    after each commit, and `observer` hears of what is not taken. Leaving the block stops
    listening, lets mails on their way finish (up to `drain_seconds`), tells the others 421, and
    stores what waits. Raises Occupied if an address cannot be bound.
    """
    limits = settings.limits
    # aiosmtpd's own log has every command, and so the tokens in RCPT.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    writer = GroupCommit(put, on_stored, limits.group_mails, observer)
    connections = Connections(limits)
    intake = Intake(
        settings.hostname, limits, accepts, writer.store, now, connections,
        lambda host: Peer(host, relay=is_among(host, settings.relays)),
        DataRoom(limits.data_bytes), settings.tls, observer.turned_away,
    )  # fmt: skip
    servers: list[asyncio.Server] = []
    try:
        yield await _open(settings, intake, servers)
    finally:
        paths = tuple(_paths(servers))
        await _drain(servers, connections, writer, limits.drain_seconds)
        for path in paths:
            path.unlink(missing_ok=True)


async def _open(
    settings: ListenerSettings, intake: Intake, servers: list[asyncio.Server]
) -> tuple[Listener, ...]:
    """Bind all endpoints; `servers` has those that are open, also if a later one fails."""

    def turned_away(peer: Peer, reply: str) -> None:
        intake.turned_away(reply)
        log.info("%s: %s", peer, reply)

    door = partial(Door, intake.connections, turned_away=turned_away)

    def smtp() -> Door:
        if settings.proxy_protocol:
            # Until the proxy names its client, that could be a relay, and a place may be free.
            session = partial(SmtpSession, intake, behind_proxy=True)
            return door(lambda _: Peer("", relay=True), session)
        return door(intake.peer_at, partial(SmtpSession, intake))

    def lmtp() -> Door:
        return door(partial(Peer, relay=True), partial(LmtpSession, intake))

    listeners = []
    both = (("smtp", settings.smtp, smtp), ("lmtp", settings.lmtp, lmtp))
    for protocol, endpoints, opened in both:
        for endpoint in endpoints:
            server = await _bind(endpoint, opened)
            servers.append(server)
            listeners += [Listener(protocol, bound) for bound in _bound(endpoint, server)]
    return tuple(listeners)


async def _bind(endpoint: Endpoint, door: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    if isinstance(endpoint, UnixEndpoint):
        return await loop.create_unix_server(door, endpoint.path)
    try:
        return await loop.create_server(door, endpoint.host, endpoint.port)
    except OSError as error:
        raise explained(error, endpoint) from error


def _paths(servers: Iterable[asyncio.Server]) -> Iterator[Path]:
    """Yield the paths of the Unix sockets that are bound; those of others are not touched."""
    for server in servers:
        for bound in server.sockets:
            if bound.family == socket.AF_UNIX:
                yield Path(bound.getsockname())


def _bound(endpoint: Endpoint, server: asyncio.Server) -> tuple[Endpoint, ...]:
    """Return where `server` really listens: a name may mean several addresses, 0 any port."""
    if isinstance(endpoint, UnixEndpoint):
        return (endpoint,)
    return tuple(TcpEndpoint(*bound.getsockname()[:2]) for bound in server.sockets)


async def _drain(
    servers: list[asyncio.Server], connections: Connections, writer: GroupCommit, seconds: float
) -> None:
    connections.dismiss_all()
    await _close(servers)
    if not await _ends_within(seconds, connections.emptied()):
        log.warning("Some clients did not finish their mails within %s s.", seconds)
        connections.abort_all()
    if not await _ends_within(seconds, writer.flush()):
        log.error("The last mails were not stored within %s s; none of them was promised.", seconds)
    writer.close()


async def _close(servers: list[asyncio.Server]) -> None:
    """Stop listening.

    asyncio drops a connection that it has accepted but not yet set up when the server closes,
    and leaves its client waiting: so it accepts nothing more, sets up those, and then closes.
    """
    for server in servers:
        for bound in server.sockets:
            asyncio.get_running_loop().remove_reader(bound.fileno())
    await asyncio.sleep(0)
    for server in servers:
        server.close()


async def _ends_within(seconds: float, work: Awaitable[None]) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        return False
    return True
