"""Looks names up in the DNS, which the standard library cannot do for MX and TXT."""

from collections.abc import Sequence
from ipaddress import ip_address

from pbm.config import ConfigError, TcpEndpoint, read_endpoint
from pbm.diagnosis.records import Lookup, LookupFailed

_SECONDS = 3.0
_DNS_PORT = 53


def open_lookup(name_server: str | None) -> Lookup | None:
    """Return what asks `name_server` (HOST or HOST:PORT), or that of the host; None: no dnspython.

    Raises ConfigError for a name server that cannot be read.
    """
    try:
        import dns.exception  # noqa: PLC0415 - an extra, and slow to import
        import dns.resolver  # noqa: PLC0415
    except ImportError:
        return None
    resolver = dns.resolver.Resolver(configure=name_server is None)
    resolver.lifetime = _SECONDS
    if name_server is not None:
        at = _endpoint(name_server)
        resolver.nameservers, resolver.port = [at.host], at.port

    silent = False

    def look(name: str, kind: str) -> Sequence[str]:
        nonlocal silent
        if silent:
            raise LookupFailed("cannot be looked up: no name server answers")
        try:
            answer = resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return ()
        except dns.exception.Timeout:
            # The next question would wait as long.
            silent = True
            return look(name, kind)
        except (dns.exception.DNSException, OSError) as error:
            raise LookupFailed(f"cannot be looked up: {type(error).__name__}") from None
        return tuple(_text(record) for record in answer)

    return look


def _endpoint(text: str) -> TcpEndpoint:
    try:
        at = read_endpoint(text if ":" in text else f"{text}:{_DNS_PORT}")
        host = str(ip_address(at.host)) if isinstance(at, TcpEndpoint) else ""
    except ValueError:
        host = ""
    if not host or not isinstance(at, TcpEndpoint):
        raise ConfigError("A name server is an address, such as 9.9.9.9 or 127.0.0.1:5353.")
    return at


def _text(record: object) -> str:
    """Return a record as text; the strings of a TXT are joined (RFC 7208 section 3.3)."""
    strings = getattr(record, "strings", None)
    return b"".join(strings).decode("utf-8", "replace") if strings else str(record)
