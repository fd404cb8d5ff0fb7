"""Who is connected: how many in all, how many from one place, and the door where it is asked."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Protocol, cast

from pbm.smtp.limits import SmtpLimits
from pbm.smtp.peers import Peer, network_of, peer_of

_TOO_MANY = "421 4.7.0 Too many connections, please try again later"
_MAKE_ROOM = "421 4.7.0 Others wait for this place, please try again later"
_STOPPING = "421 4.3.2 The server is stopping, please try again later"

_ALL = "all strangers"


class Guest(Protocol):
    """A session, as far as the door is concerned."""

    taking: bool
    """Whether a mail is on its way."""

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
        """Return "" if one more may come from `peer`, who comes next, or the reply.

        If strangers have all their places, one of them may have to go for it.
        """
        if self._stopping:
            return _STOPPING
        limits, strangers = self._limits, self._strangers
        full = len(self._peers) >= limits.connections + limits.connections_for_relays
        if not peer.relay:
            full = full or strangers[_ALL] >= limits.connections
            shares = self._shares(peer).items()
            had_theirs = any(strangers[name] >= share for name, share in shares)
            full = had_theirs or (full and not self._make_room(peer))
        return _TOO_MANY if full else ""

    def _shares(self, peer: Peer) -> dict[str, int]:
        """Return how many strangers there may be under each name that `peer` is counted under."""
        shares = {
            peer_of(peer.host): self._limits.connections_per_peer,
            network_of(peer.host): self._limits.connections_per_network,
        }
        return {name: most for name, most in shares.items() if name}

    def _make_room(self, peer: Peer) -> bool:
        """Send the oldest session away of the network that has most places, if it has two more.

        Otherwise a handful of hosts that connect and say nothing would keep all others out. Who is
        sent away comes again, and is not let in at the cost of those who have no more.
        """
        guests: dict[str, list[Guest]] = {}
        for guest, other in self._peers.items():
            if not other.relay:
                guests.setdefault(network_of(other.host), []).append(guest)
        theirs = max(guests.values(), key=len, default=[])
        if len(theirs) < len(guests.get(network_of(peer.host), ())) + 2:
            return False
        idle = [guest for guest in theirs if not guest.taking]
        if idle:
            idle[0].dismiss(_MAKE_ROOM)
        else:
            theirs[0].abort()
        self.leave((idle or theirs)[0])
        return True

    def enter(self, guest: Guest, peer: Peer) -> None:
        """Count `guest` as one from `peer`."""
        self._peers[guest] = peer
        if not peer.relay:
            self._strangers.update((_ALL, *self._shares(peer)))

    def leave(self, guest: Guest) -> None:
        """Count `guest` no more; a second call does nothing."""
        peer = self._peers.pop(guest, None)
        if peer is None:
            return
        if not peer.relay:
            for name in (_ALL, *self._shares(peer)):
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
