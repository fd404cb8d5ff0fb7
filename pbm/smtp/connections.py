"""Who is connected: how many in all, how many from one peer, and the door where it is asked."""

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Protocol, cast

from pbm.smtp.limits import SmtpLimits

_TOO_MANY = "421 4.7.0 Too many connections, please try again later"
_STOPPING = "421 4.3.2 The server is stopping, please try again later"


class Guest(Protocol):
    """A session, as far as the door is concerned."""

    def dismiss(self, reply: str) -> None:
        """Say `reply` and close, but not before a mail that is on its way has been answered."""

    def abort(self) -> None:
        """Close at once."""


class Connections:
    """The open sessions of all listeners, and the peers that they are counted for."""

    def __init__(self, limits: SmtpLimits) -> None:
        self._limits = limits
        self._peers: dict[Guest, str] = {}
        self._per_peer: Counter[str] = Counter()
        self._stopping = False
        self._one_left = asyncio.Event()

    def refusal(self, host: str) -> str:
        """Return "" if one more may come from `host` ("" is never counted), or the reply."""
        if self._stopping:
            return _STOPPING
        full = len(self._peers) >= self._limits.connections
        if host and self._per_peer[peer_of(host)] >= self._limits.connections_per_peer:
            full = True
        return _TOO_MANY if full else ""

    def enter(self, guest: Guest, host: str) -> None:
        """Count `guest` under `host`."""
        self._peers[guest] = peer_of(host)
        self._per_peer[self._peers[guest]] += 1

    def leave(self, guest: Guest) -> None:
        """Count `guest` no more; a second call does nothing."""
        peer = self._peers.pop(guest, None)
        if peer is None:
            return
        self._per_peer[peer] -= 1
        if not self._per_peer[peer]:
            del self._per_peer[peer]
        self._one_left.set()

    def dismiss_all(self) -> None:
        """Tell everyone that it is time to go, and let nobody in any more."""
        self._stopping = True
        for guest in tuple(self._peers):
            guest.dismiss(_STOPPING)

    def abort_all(self) -> None:
        """Cut every connection that is left."""
        for guest in tuple(self._peers):
            guest.abort()

    async def emptied(self) -> None:
        """Return once nobody is connected."""
        while self._peers:
            self._one_left.clear()
            await self._one_left.wait()


class Door(asyncio.Protocol):
    """Meets a new connection, and hands it to a session if there is room.

    The objects of a session cost more than all else in a short connection, so one that is
    refused gets none.
    """

    def __init__(
        self, connections: Connections, new_session: Callable[[str], asyncio.Protocol]
    ) -> None:
        self._connections = connections
        self._new_session = new_session

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the peer in, or tell it to come back later."""
        stream = cast("asyncio.Transport", transport)  # so it is on TCP and Unix sockets
        host = _host_of(stream)
        refusal = self._connections.refusal(host)
        if refusal:
            stream.write(f"{refusal}\r\n".encode())
            stream.close()
            return
        session = self._new_session(host)
        stream.set_protocol(session)
        session.connection_made(stream)


def _host_of(transport: asyncio.Transport) -> str:
    """Return the address of the peer, "" on a Unix socket."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""


def peer_of(host: str) -> str:
    """Return what `host` is counted under: an IPv4 address itself, an IPv6 address by its /64.

    One customer commonly holds a whole /64, so addresses within it cost nothing.
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
