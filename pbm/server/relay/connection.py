"""Relay URLs of the SMTP family, and connections to what they name: greeting, TLS, login.

    smtp://[user[:password]@]host[:25]      STARTTLS if offered; with a password, demanded
    smtp+starttls://[...]host[:587]       STARTTLS demanded and verified
    smtps://[...]host[:465]               TLS from the first byte, verified
    lmtp://host[:24], lmtp:PATH           LMTP to a port or a socket

Special characters in user and password are written as %XX. No error text contains any part of
the URL that could be a password. A failure to connect is about us, not about a mail.

RFC 5321, LMTP RFC 2033, STARTTLS RFC 3207, AUTH RFC 4954, by the standard library's smtplib.
"""

import smtplib
import socket
import ssl
from dataclasses import field, replace
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from pbm.engine import frozen
from pbm.errors import PlainError
from pbm.system import Secret


class RelayUrlError(PlainError, ValueError):
    """A relay URL that cannot be used; `str()` is a sentence for the operator."""


class Tls(Enum):
    """The ways to secure a connection.

    OFFERED is what Postfix calls "may" (RFC 7435, opportunistic security): encrypt if the relay
    can, without checking its identity. Checking the certificate would gain nothing there,
    because an attacker who can forge one can also hide the offer. DEMANDED and IMPLICIT are
    verified against the system's authorities (or SSL_CERT_FILE) and the host name, or no mail
    goes out.
    """

    OFFERED = "offered"
    DEMANDED = "demanded"
    IMPLICIT = "implicit"


@frozen
class SmtpTarget:
    """Where a relay listens and how to talk to it.

    For an LMTP socket `host` is its path and `port` is 0. `user` is "" for no AUTH. Without a
    password, the `secret` is asked for one at each login.
    """

    host: str
    port: int
    tls: Tls
    lmtp: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    secret: Secret | None = None


SCHEMES = {
    "smtp": SmtpTarget("", 25, Tls.OFFERED),
    "smtp+starttls": SmtpTarget("", 587, Tls.DEMANDED),
    "smtps": SmtpTarget("", 465, Tls.IMPLICIT),
    "lmtp": SmtpTarget("", 24, Tls.OFFERED, lmtp=True),
}
"""Each scheme as its URL without a host, a port and a login."""


def smtp_target(url: str, secret: Secret | None = None) -> SmtpTarget:
    """Return what `url` says; its scheme is one of the four above. Raise RelayUrlError.

    If it has a user alone, the `secret` has the password.
    """
    name, _, rest = url.partition(":")
    scheme = SCHEMES[name.lower()]
    if scheme.lmtp and rest and not (rest.startswith("//") and not rest.startswith("///")):
        return replace(scheme, host=str(Path(rest).absolute()), port=0)
    parts, host, port = _split(url)
    user, password = _credentials(parts, needs_password=secret is None)
    if user and scheme.lmtp:
        raise RelayUrlError("LMTP knows no login; leave user and password out of the relay URL.")
    tls = scheme.tls
    if user and tls is Tls.OFFERED and not is_loopback(host):
        # A password leaves this host only under TLS, to a relay that has proved its identity.
        tls = Tls.DEMANDED
    asked = secret if user and not password else None
    return SmtpTarget(host, port or scheme.port, tls, scheme.lmtp, user, password, asked)


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


def _credentials(parts: SplitResult, *, needs_password: bool) -> tuple[str, str]:
    """Return user and password, both "" if there are none."""
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(user) != bool(password) and (needs_password or password):
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


TIMEOUT = 30.0
"""Seconds that a command may take."""


class ConnectionLost(Exception):  # noqa: N818 - an ordinary event
    """There is no connection, or no longer one; `str()` is a sentence without secrets."""


def open_connection(target: SmtpTarget, hostname: str) -> smtplib.SMTP:
    """Return a connection that is ready for MAIL; raise ConnectionLost if there is none.

    Every wait on it ends after 30 seconds.
    """
    try:
        connection = _connect(target, hostname)
        try:
            _send_at_once(connection)
            _secure(connection, target.tls)
            if target.user:
                _log_in(connection, target)
        except BaseException:
            connection.close()
            raise
    except OSError as error:
        raise ConnectionLost(connection_error(error)) from None
    return connection


def _log_in(connection: smtplib.SMTP, target: SmtpTarget) -> None:
    """Log in by a password, or by a token of OAuth 2."""
    secret = target.secret
    if secret is None or not secret.is_token:
        connection.login(target.user, secret.read() if secret else target.password)
        return
    first = f"user={target.user}\1auth=Bearer {secret.read()}\1\1"

    def answer(challenge: bytes | None = None) -> str:
        return "" if challenge else first  # to a challenge that says why the token is refused

    connection.auth("XOAUTH2", answer)


def wait_at_most(connection: smtplib.SMTP, seconds: float) -> None:
    """Bound the waits for the next answers on `connection`."""
    if connection.sock is not None:
        connection.sock.settimeout(seconds)


def _send_at_once(connection: smtplib.SMTP) -> None:
    """Let the last packet of a mail not wait for the answer to the first."""
    if connection.sock is not None and connection.sock.family != socket.AF_UNIX:
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def connection_error(error: OSError) -> str:
    """Return the sentence for an error of smtplib, ssl or a socket, all of which are OSErrors."""
    match error:
        case smtplib.SMTPAuthenticationError():
            # The text after the code is the relay's, and may repeat what was sent.
            return f"The relay refuses the login (code {error.smtp_code})."
        case smtplib.SMTPResponseException():
            return reply_error(error.smtp_code, error.smtp_error)
        case ssl.SSLCertVerificationError():
            reason = error.verify_message.rstrip(".")
            return f"The relay's certificate cannot be verified: {reason}."
        case ssl.SSLError():
            return f"TLS with the relay fails: {error.reason}."
        case smtplib.SMTPServerDisconnected() if isinstance(error.__context__, TimeoutError):
            return "The relay cannot be used: timed out."  # smtplib calls that "closed"
        case _:
            return f"The relay cannot be used: {error.strerror or error}".rstrip(".") + "."


def reply_error(code: int, text: bytes | str) -> str:
    """Return the sentence for a reply of the relay that is not the expected one."""
    return f"The relay answered {reply_words(code, text)}".rstrip()


def reply_words(code: int, text: bytes | str) -> str:
    """Return a reply, as the relay's own log may have it: "250 2.0.0 Ok: queued as 4F"."""
    return f"{code} {text.decode('ascii', 'replace') if isinstance(text, bytes) else text}"


def _connect(target: SmtpTarget, hostname: str) -> smtplib.SMTP:
    """Return a connection that has said hello."""
    where = (target.host, target.port, hostname)
    connection: smtplib.SMTP
    if target.lmtp:
        connection = smtplib.LMTP(*where, timeout=TIMEOUT)
    elif target.tls is Tls.IMPLICIT:
        connection = smtplib.SMTP_SSL(*where, timeout=TIMEOUT, context=ssl.create_default_context())
    else:
        connection = smtplib.SMTP(*where, timeout=TIMEOUT)
    connection.ehlo_or_helo_if_needed()
    return connection


def _secure(connection: smtplib.SMTP, tls: Tls) -> None:
    """Switch to TLS as `tls` asks for."""
    if tls is Tls.IMPLICIT:
        return
    if not connection.has_extn("starttls"):
        if tls is Tls.DEMANDED:
            raise ConnectionLost("The relay offers no STARTTLS, and its URL or login needs it.")
        return
    context = ssl.create_default_context()
    if tls is Tls.OFFERED:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    connection.starttls(context=context)
    # RFC 3207 section 4.2: extensions offered in the clear no longer count.
    connection.ehlo_or_helo_if_needed()
