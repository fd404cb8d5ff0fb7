"""Who is at the other end: the names that a peer is counted under, and the relays of ours."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

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


@dataclass(frozen=True, slots=True)
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

    Raises ValueError with a sentence for the operator.
    """
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a network like 192.0.2.0/24 or an address.") from None


def is_among(host: str, networks: Iterable[Network]) -> bool:
    """Return whether the address `host` is in one of `networks`."""
    address = _address(host)
    return address is not None and any(address in network for network in networks)


def peer_of(host: str) -> str:
    """Return what `host` is counted under: an IPv4 address itself, an IPv6 address by its /64.

    One customer commonly holds a whole /64, so addresses within it cost nothing.
    """
    address = _address(host)
    if address is None:
        return host
    return str(address) if address.version == 4 else _around(address, 64)


@lru_cache(maxsize=1024)
def network_of(host: str) -> str:
    """Return the network that `host` is counted under as well: its /24, or its /48 of IPv6.

    That is what one organisation commonly holds. It is "" if `host` is no address.
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
