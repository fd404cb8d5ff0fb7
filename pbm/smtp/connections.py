"""Who is connected: how many in all, how many from one place, and the door where it is asked."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Protocol, cast

from pbm.smtp.limits import SmtpLimits
from pbm.smtp.peers import Peer, network_of, peer_of

_TOO_MANY = "421 4.7.0 Too many connections, please try again later"
_STOPPING = "421 4.3.2 The server is stopping, please try again later"

_ALL = "all strangers"


class Guest(Protocol):
    """A session, as far as the door is concerned."""

    def dismiss(self, reply: str) -> None:
        """Say `reply` and close, but not before a mail that is on its way has been answered."""

    def abort(self) -> None:
        """Close at once."""


class Connections:
    """The open sessions of all listeners, and what their peers are counted for.

    A relay is counted in all and nowhere else: it brings the mails of many, and strangers may
    not take its place.
    """

    def __init__(self, limits: SmtpLimits) -> None:
        self._limits = limits
        self._peers: dict[Guest, Peer] = {}
        self._strangers: Counter[str] = Counter()
        self._stopping = False
        self._one_left = asyncio.Event()

    def refusal(self, peer: Peer) -> str:
        """Return "" if one more may come from `peer`, or the reply."""
        if self._stopping:
            return _STOPPING
        most = self._limits.connections + self._limits.connections_for_relays
        full = len(self._peers) >= most
        if not peer.relay:
            bounds = self._bounds(peer)
            full = full or any(self._strangers[name] >= bound for name, bound in bounds.items())
        return _TOO_MANY if full else ""

    def _bounds(self, peer: Peer) -> dict[str, int]:
        """Return how many strangers there may be under each name that `peer` is counted under."""
        limits = self._limits
        bounds = {
            _ALL: limits.connections,
            peer_of(peer.host): limits.connections_per_peer,
            network_of(peer.host): limits.connections_per_network,
        }
        return {name: most for name, most in bounds.items() if name}

    def enter(self, guest: Guest, peer: Peer) -> None:
        """Count `guest` as one from `peer`."""
        self._peers[guest] = peer
        if not peer.relay:
            self._strangers.update(self._bounds(peer).keys())

    def leave(self, guest: Guest) -> None:
        """Count `guest` no more; a second call does nothing."""
        peer = self._peers.pop(guest, None)
        if peer is None:
            return
        if not peer.relay:
            for name in self._bounds(peer):
                self._strangers[name] -= 1
                if not self._strangers[name]:
                    del self._strangers[name]
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
        self,
        connections: Connections,
        peer_at: Callable[[str], Peer],
        new_session: Callable[[Peer], asyncio.Protocol],
        turned_away: Callable[[Peer, str], None],
    ) -> None:
        self._turned_away = turned_away
        self._connections = connections
        self._peer_at = peer_at
        self._new_session = new_session

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the peer in, or tell it to come back later."""
        stream = cast("asyncio.Transport", transport)  # so it is on TCP and Unix sockets
        peer = self._peer_at(_host_of(stream))
        refusal = self._connections.refusal(peer)
        if refusal:
            self._turned_away(peer, refusal)
            stream.write(f"{refusal}\r\n".encode())
            stream.close()
            return
        session = self._new_session(peer)
        stream.set_protocol(session)
        session.connection_made(stream)


def _host_of(transport: asyncio.Transport) -> str:
    """Return the address of the peer, "" on a Unix socket."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""
