"""Connections: how many there may be in all and from one place, and the door that checks it."""

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, cast

from pbm.config import ConfigError
from pbm.engine import frozen


@frozen
class SmtpLimits:
    """The limits of intake. Each value is for one session unless its name says more.

    message_bytes           of a mail as it is stored; larger is 552, and SIZE says so beforehand
    discarded_bytes         of a DATA too large that are read and thrown away, so that its sender
                            hears the 552 in order; beyond them the connection is closed
    data_bytes              of all mails on their way in, of all sessions; the longest give way
    command_bytes           of a command line with its parameters (RFC 3461 section 4 adds 500)
    recipients              of a mail; the next ones are 452 (RFC 5321 section 4.5.3.1.8 asks 100)
    received_headers        of a mail; more is a loop
    connections             of strangers, open at a time, all listeners together
    connections_for_relays  more than these, kept free for LMTP and the relays of ours
    connections_per_peer    of strangers, from one IPv4 address or one IPv6 /64
    connections_per_network of strangers, from one IPv4 /24 or one IPv6 /48
    commands_between_mails  without a mail taken: ends NOOP for ever
    errors                  replies of 4xx and 5xx, too many recipients not counted
    idle_seconds            without a command (RFC 5321 section 4.5.3.2.7 asks 300)
    session_seconds         from the greeting; a mail on its way is still taken
    data_grace_seconds      before the data rate counts
    data_bytes_per_second   that DATA must reach on average
    linger_seconds          that a client has to read our last words
    proxy_seconds           for the PROXY header, where one is demanded
    drain_seconds           for mails on their way when the server stops
    group_mails             in one commit
    """

    message_bytes: int = 1024 * 1024
    discarded_bytes: int = 32 * 1024 * 1024
    data_bytes: int = 64 * 1024 * 1024
    command_bytes: int = 2048
    recipients: int = 100
    received_headers: int = 50
    connections: int = 256
    connections_for_relays: int = 64
    connections_per_peer: int = 80
    connections_per_network: int = 120
    commands_between_mails: int = 300
    errors: int = 20
    idle_seconds: float = 300.0
    session_seconds: float = 1800.0
    data_grace_seconds: float = 60.0
    data_bytes_per_second: float = 1000.0
    linger_seconds: float = 5.0
    proxy_seconds: float = 5.0
    drain_seconds: float = 1.0
    group_mails: int = 64


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_RECEIVED = re.compile(rb"(?:\A|\r\n)received:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", re.IGNORECASE)

_LITERAL = r"\[(?:IPv6:)?(?P<{}>[0-9a-fA-F:.]{{2,45}})\]"
# Postfix, Sendmail and Exim put the address of the client into the brackets that follow its
# greeting; Exim alone leaves the greeting for later if the address has no name. The greeting is
# the client's own word, without white space in it.
_CLIENT = re.compile(
    rf"\s*from\s+(?:\S+\s+\((?:\S+\s+)?{_LITERAL.format('after')}|{_LITERAL.format('first')}\s)",
    re.IGNORECASE,
)


@frozen
class Peer:
    """A peer at the door: its address, "" for one that is counted as nobody, and what it is.

    A relay is a host of ours, which says truly where its mails come from.
    """

    host: str
    relay: bool = False

    def __str__(self) -> str:
        return self.host or "local"


def read_network(text: str) -> Network:
    """Return the network, or the one address, that `text` means.

    Raises ConfigError.
    """
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise ConfigError(f"{text!r} is not a network like 192.0.2.0/24 or an address.") from None


def is_among(host: str, networks: Iterable[Network]) -> bool:
    """Return whether the address `host` is in one of `networks`."""
    address = _address(host)
    return address is not None and any(address in network for network in networks)


def peer_of(host: str) -> str:
    """Return what `host` is counted under: an IPv4 address itself, an IPv6 address by its /64.

    One customer commonly has a whole /64, so addresses within it cost nothing.
    """
    address = _address(host)
    if address is None:
        return host
    return str(address) if address.version == 4 else _around(address, 64)


@lru_cache(maxsize=1024)
def network_of(host: str) -> str:
    """Return the network that `host` is counted under as well: its /24, or its /48 of IPv6.

    One organisation commonly has as much. It is "" if `host` is no address.
    """
    address = _address(host)
    return "" if address is None else _around(address, 24 if address.version == 4 else 48)


def told_network(content: bytes) -> str:
    """Return the network of the client that the topmost Received field names; "" if it names none.

    Only what a relay of ours brings has a field on top that is true.
    """
    field = _RECEIVED.search(content.partition(b"\r\n\r\n")[0])
    client = _CLIENT.match(field[1].decode("latin-1")) if field else None
    return network_of(client["after"] or client["first"]) if client else ""


def _address(host: str) -> _Address | None:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _around(address: _Address, prefix: int) -> str:
    return str(ipaddress.ip_network((address, prefix), strict=False))


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
    """The open sessions of all listeners, and how many come from where.

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
        """Ask everyone to leave, and let nobody in any more."""
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


@dataclass(eq=False)
class Door(asyncio.Protocol):
    """Meets a new connection, and hands it to a session if there is room.

    The objects of a session cost more than all else in a short connection, so one that is
    refused gets none.
    """

    connections: Connections
    peer_at: Callable[[str], Peer]
    new_session: Callable[[Peer], asyncio.Protocol]
    turned_away: Callable[[Peer, str], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the peer in, or tell it to come back later."""
        stream = cast("asyncio.Transport", transport)  # so it is on TCP and Unix sockets
        peer = self.peer_at(_host_of(stream))
        refusal = self.connections.refusal(peer)
        if refusal:
            self.turned_away(peer, refusal)
            stream.write(f"{refusal}\r\n".encode())
            stream.close()
            return
        session = self.new_session(peer)
        stream.set_protocol(session)
        session.connection_made(stream)


def _host_of(transport: asyncio.Transport) -> str:
    """Return the address of the peer, "" on a Unix socket."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""
