"""Checks of the path of mails: relay, listeners, front MTA, the domain, the certificate."""

import os
import shutil
import smtplib
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography.x509 import load_pem_x509_certificate

from pbm.config import Endpoint, UnixEndpoint
from pbm.domain.mail import bounce_address
from pbm.engine import frozen, listing
from pbm.operator.doctor.verdict import Verdict, fail, ok, warn
from pbm.server.postfix import local_relay
from pbm.server.relay import open_relay
from pbm.server.relay.connection import (
    ConnectionLost,
    RelayUrlError,
    open_connection,
    smtp_target,
)
from pbm.system import Secret

SMTP_PORT = 25

_EXAMPLES = ("example.org", "example.com", "example.net")
"""Domains that belong to nobody (RFC 2606), as in deploy/pbm.toml."""

SOON = timedelta(days=14)
"""The time before the end of a certificate in which there is a warning."""

_PATIENCE = 5.0

_LONGEST = 1000
"""Octets of a greeting that are read."""

_PROXY = b"PROXY UNKNOWN\r\n"
"""The header of a proxy's own health check (the PROXY protocol, 2.1)."""

PAGE = "pbm setup prints the lines for Postfix"

_WORD = "doctor"
"""A word in the place of a token; it is none."""


def relay(url: str, hostname: str, secret: Secret | None = None) -> Verdict:
    """Check that the relay would take a mail, without sending one; see `smtp_target`."""
    try:
        open_relay(url, hostname, secret).close()
    except RelayUrlError as error:
        return fail(str(error))
    scheme, _, rest = url.partition(":")
    if scheme.lower() == "null":
        return warn("null: throws every mail away; it is for benchmarks")
    return _maildir(Path(rest)) if scheme.lower() == "maildir" else _smtp(url, hostname, secret)


def _maildir(path: Path) -> Verdict:
    for folder in (path, *(path / name for name in ("tmp", "new", "cur"))):
        # A folder that does not exist yet is created with the first mail.
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not nearest.is_dir():
            return fail(f"{nearest} is not a directory, so no mail can be filed in {path}")
        if not os.access(nearest, os.W_OK | os.X_OK):
            return fail(f"{nearest} cannot be written by this user")
    return ok(f"mails are filed in {path}, and never leave this host")


def _smtp(url: str, hostname: str, secret: Secret | None) -> Verdict:
    target = smtp_target(url, secret)
    where = f"{target.host}:{target.port}" if target.port else target.host
    try:
        connection = open_connection(target, hostname)
    except ConnectionLost as error:
        return fail(f"{where}: {error}")
    encrypted = isinstance(connection.sock, ssl.SSLSocket)
    try:
        connection.quit()
    except (smtplib.SMTPException, OSError):
        # The relay has said hello, which is all that this check needs.
        connection.close()
    login = " and takes the login" if target.user else ""
    return ok(f"{where} answers {'under' if encrypted else 'without'} TLS{login}")


def domain_resolves(domain: str) -> Verdict:
    """Check that mails to the address reach a host."""
    if domain == "localhost" or domain.endswith(".localhost"):
        return ok(f"{domain} is this host, and nobody else can write to it")
    if _is_example(domain):
        return warn(f"{domain} is an example: set address in pbm.toml to one of your own")
    look = f"see dig +short MX {domain}, because pbm cannot look it up"
    try:
        found = socket.getaddrinfo(domain, SMTP_PORT, proto=socket.IPPROTO_TCP)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            return warn(f"{domain} cannot be looked up now: no name server answers")
        return warn(f"{domain} has no address of its own, so it needs an MX record: {look}")
    except UnicodeError:
        return fail(f"{domain} is not a valid host name")
    addresses = sorted({str(where[0]) for *_, where in found})
    return ok(f"{domain} is {', '.join(addresses)}. An MX record would come first: {look}")


def _is_example(domain: str) -> bool:
    return any(f".{domain}".endswith(f".{example}") for example in _EXAMPLES)


def operator_hears(address: str | None) -> Verdict:
    """Check that somebody hears of bugs, and reads what comes to postmaster@."""
    if address is None:
        return warn(
            "none is set, so nobody hears of bugs, and mail to postmaster@ is left in the shunt: "
            "set operator in pbm.toml to an address"
        )
    if _is_example(address.rpartition("@")[2]):
        return warn(f"{address} is an example: set operator in pbm.toml to an address of yours")
    return ok(f"{address} hears of bugs, and of players who cannot be reached")


def certificate(file: str | None, key: str | None, now: datetime) -> Verdict:
    """Check the certificate with which the server offers STARTTLS."""
    if not file:
        return ok("none is configured, so mails come in without TLS or through a front MTA")
    try:
        # The empty password is for an encrypted key: otherwise OpenSSL asks at the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, key, password="")
    except OSError as error:
        if getattr(error, "reason", "") == "KEY_VALUES_MISMATCH":
            return fail(f"the key {key or file} does not belong to {file}")
        return fail(f"{file} or its key {key or file} cannot be read: {error.strerror or error}")
    shown = load_pem_x509_certificate(Path(file).read_bytes())
    begins, ends = shown.not_valid_before_utc, shown.not_valid_after_utc
    if not begins <= now:
        return fail(f"{file} is not valid before {begins:%Y-%m-%d %H:%M} UTC")
    if ends <= now:
        return fail(f"{file} expired on {ends:%Y-%m-%d %H:%M} UTC: renew it")
    told = f"{file} is good for {(ends - now).days} days, until {ends:%Y-%m-%d %H:%M} UTC"
    return warn(f"{told}: renew it") if ends - now < SOON else ok(told)


@frozen
class Listeners:
    """Where the server should listen; `configured`: the operator said so, it is no default."""

    smtp: tuple[Endpoint, ...] = ()
    lmtp: tuple[Endpoint, ...] = ()
    proxy_protocol: bool = False
    configured: bool = False
    relays: tuple[str, ...] = ()


def vouching(authserv_id: str | None, listeners: Listeners) -> Verdict:
    """Check that whoever vouches for authors comes by a way on which that is believed."""
    if authserv_id is None:
        return ok("no authserv_id is set, so replies and passwords alone prove who wrote")
    if not listeners.smtp or listeners.relays:
        return ok(f"{authserv_id} is believed by LMTP and from relay_from alone")
    return fail(
        f"authserv_id is set, and what comes in at smtp {listeners.smtp[0]} is not believed, nor "
        'checked by DMARC: close it (smtp = ""), or name the front MTA in relay_from'
    )


def answering(listeners: Listeners) -> Verdict:
    """Check that pbm greets at each of them."""
    told = [
        *(("smtp", endpoint, listeners.proxy_protocol) for endpoint in listeners.smtp),
        *(("lmtp", endpoint, False) for endpoint in listeners.lmtp),
    ]
    if not told:
        return ok("none is configured, so mails come in by a mailbox or pbm inject")
    names = ", ".join(f"{protocol} {endpoint}" for protocol, endpoint, _ in told)
    faults = tuple(filter(None, (_fault(*each) for each in told)))
    if faults and not listeners.configured and all(fault.nobody for fault in faults):
        return ok(f"nobody listens at {names}, which is the default: so it is without a daemon")
    if faults:
        return fail("; ".join(fault.text for fault in faults))
    return ok(f"pbm answers at {names}")


class _Fault(NamedTuple):
    text: str
    nobody: bool = False


def _fault(protocol: str, endpoint: Endpoint, proxy: bool) -> _Fault | None:  # noqa: FBT001
    """Return what is wrong at an endpoint; None if pbm greets there."""
    where = f"{protocol} {endpoint}"
    try:
        greeting = _greeting(endpoint, proxy=proxy)
    except TimeoutError:
        hint = "" if proxy else ": does it expect a PROXY header (--proxy-protocol)?"
        return _Fault(f"{where} says nothing within {_PATIENCE:.0f} s{hint}")
    except OSError as error:
        why = error.strerror or "no answer"
        return _Fault(f"nobody answers at {where} ({why}): is pbm serve running?", nobody=True)
    if greeting.startswith(b"220 ") and greeting.rstrip().endswith(b"pbm"):
        return None
    if greeting.startswith(b"421 "):
        return _Fault(f"{where} is full: see the log for floods")
    return _Fault(f"another program than pbm answers at {where}: ss -ltnp shows which")


def _greeting(endpoint: Endpoint, *, proxy: bool) -> bytes:
    """Return the first line that is said; raise OSError if there is none."""
    with _connected(endpoint) as wire, wire.makefile("rb") as heard:
        if proxy:
            wire.sendall(_PROXY)
        line = heard.readline(_LONGEST)
        wire.sendall(b"QUIT\r\n")
    return line


def _connected(endpoint: Endpoint) -> socket.socket:
    if not isinstance(endpoint, UnixEndpoint):
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(endpoint.host, endpoint.host)  # noqa: S104
        return socket.create_connection((host, endpoint.port), timeout=_PATIENCE)
    wire = socket.socket(socket.AF_UNIX)
    wire.settimeout(_PATIENCE)
    try:
        wire.connect(str(endpoint.path))
    except OSError:
        wire.close()
        raise
    return wire


def front(url: str, address: str, listeners: Listeners) -> Verdict:
    """Check that the MTA of this host takes mails for the server, and for nobody else.

    It is the one that the server hands its own mails to, and that hands mails over by LMTP.
    """
    target = local_relay(url)
    if not listeners.lmtp or target is None:
        return ok("there is none on this host that could be asked")
    try:
        connection = open_connection(target, address.rpartition("@")[2])
    except ConnectionLost as error:
        return fail(str(error))
    where, secret = f"{target.host}:{target.port}", isinstance(connection.sock, ssl.SSLSocket)
    try:
        wrong = list(_wrong(connection, address))
    except (smtplib.SMTPException, OSError):
        return fail(f"{where} hung up when it was asked what it takes")
    finally:
        with suppress(smtplib.SMTPException, OSError):
            connection.quit()
    if wrong:
        return fail(f"{where} {listing(wrong, last='and')}: {PAGE}")
    told = f"{where} takes mails to {address}, to its replies and bounces, and to nobody else"
    wants = [
        *([] if secret else ["offers no STARTTLS"]),
        *([f"needs {_NO_SMUGGLING} = yes"] if _takes_bare_newlines() else []),
    ]
    return warn(f"{told}, but {listing(wants, last='and')}: {PAGE}") if wants else ok(told)


_NO_SMUGGLING = "smtpd_forbid_bare_newline"
"""Postfix's setting against ends of a mail that other hosts take for text (CVE-2023-51764)."""


def _takes_bare_newlines() -> bool:
    """Return whether a Postfix of this host takes a bare newline for the end of a line.

    The host itself is exempt, so this cannot be tried. An old Postfix does not know the setting.
    """
    postconf = shutil.which("postconf", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if postconf is None:
        return False
    asked = subprocess.run([postconf, "-h", _NO_SMUGGLING], capture_output=True, check=False)  # noqa: S603 - a program of this host
    return asked.stdout.strip() in (b"", b"no")


def _wrong(connection: smtplib.SMTP, address: str) -> Iterator[str]:
    """Yield what the MTA says to recipients that is not as it must be."""
    local, _, domain = address.rpartition("@")
    connection.mail("")
    for recipient in (
        address,
        f"{local}+{_WORD}@{domain}",
        bounce_address(_WORD, address),
        f"postmaster@{domain}",
    ):
        code, text = connection.rcpt(recipient)
        if code >= 300:
            said = " ".join(text.decode("ascii", "replace").split())
            yield f"refuses {recipient} ({code} {said})"
    nobody = f"no-such-address@{domain}"
    if connection.rcpt(nobody)[0] < 300:
        yield f"takes {nobody}, and would have to send it back to a sender who may be forged"
    connection.rset()
