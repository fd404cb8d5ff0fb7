"""Relay URLs of the SMTP family, read into values.

    smtp://[user:password@]host[:25]      STARTTLS if offered; with a password, demanded
    smtp+starttls://[...]host[:587]       STARTTLS demanded and verified
    smtps://[...]host[:465]               TLS from the first byte, verified
    lmtp://host[:24], lmtp:PATH           LMTP to a port or a socket

Special characters in user and password are written as %XX. No error text contains any part of
the URL that could be a password.
"""

from dataclasses import dataclass, field
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit


class RelayUrlError(ValueError):
    """A relay URL that cannot be used; `str()` is a sentence for the operator."""


class Tls(Enum):
    """How a connection is secured.

    OFFERED is what Postfix calls "may" (RFC 7435, opportunistic security): encrypt if the relay
    can, without checking its identity. Checking the certificate would gain nothing there,
    because an attacker who can forge one can also hide the offer. DEMANDED and IMPLICIT are
    verified against the system's authorities (or SSL_CERT_FILE) and the host name, or no mail
    goes out.
    """

    OFFERED = "offered"
    DEMANDED = "demanded"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class SmtpTarget:
    """Where a relay listens and how to talk to it.

    For an LMTP socket `host` is its path and `port` is 0. `user` is "" for no AUTH.
    """

    host: str
    port: int
    tls: Tls
    lmtp: bool = False
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class _Scheme:
    port: int
    tls: Tls
    lmtp: bool = False


_SCHEMES = {
    "smtp": _Scheme(25, Tls.OFFERED),
    "smtp+starttls": _Scheme(587, Tls.DEMANDED),
    "smtps": _Scheme(465, Tls.IMPLICIT),
    "lmtp": _Scheme(24, Tls.OFFERED, lmtp=True),
}


def smtp_target(url: str) -> SmtpTarget:
    """Return what `url` says; its scheme is one of the four above. Raise RelayUrlError."""
    name, _, rest = url.partition(":")
    scheme = _SCHEMES[name.lower()]
    if scheme.lmtp and rest and not (rest.startswith("//") and not rest.startswith("///")):
        return SmtpTarget(str(Path(rest).absolute()), 0, scheme.tls, lmtp=True)
    parts, host, port = _split(url)
    user, password = _credentials(parts)
    if user and scheme.lmtp:
        raise RelayUrlError("LMTP knows no login; leave user and password out of the relay URL.")
    tls = scheme.tls
    if user and tls is Tls.OFFERED and not is_loopback(host):
        # A password leaves this host only under TLS, to a relay that has proved its identity.
        tls = Tls.DEMANDED
    return SmtpTarget(host, port or scheme.port, tls, scheme.lmtp, user, password)


def _split(url: str) -> tuple[SplitResult, str, int | None]:
    """Return the parts of `url`, its host and its port."""
    hint = "special characters in a user or password are written as %XX, so / is %2F."
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        # The library's own message quotes the URL, and with it the password.
        raise RelayUrlError(f"The host or port in the relay URL cannot be read; {hint}") from None
    if not host:
        raise RelayUrlError(f"The relay URL names no host; write {parts.scheme}://HOST:PORT.")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise RelayUrlError(f"Nothing may follow the port in the relay URL; {hint}")
    if port == 0:
        raise RelayUrlError("The port in the relay URL must be from 1 to 65535.")
    return parts, host, port


def _credentials(parts: SplitResult) -> tuple[str, str]:
    """Return user and password, both "" if there are none."""
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(user) != bool(password):
        raise RelayUrlError("The relay URL needs both a user and a password, or neither.")
    if not (user + password).isascii() or not (user + password).isprintable():
        raise RelayUrlError("The user and password of the relay URL must be printable ASCII.")
    return user, password


def is_loopback(host: str) -> bool:
    """Return True if `host` is this machine by name (RFC 6761 section 6.3) or address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
