"""Checks of the path of mails: the relay, the domain of the address, the certificate."""

import os
import smtplib
import socket
import ssl
from datetime import datetime, timedelta
from pathlib import Path

from pbm.diagnosis.certificates import validity
from pbm.diagnosis.verdict import Verdict, fail, ok, warn
from pbm.relay import RelayUrlError, open_relay
from pbm.relay.connection import ConnectionLost, open_connection, smtp_target

SMTP_PORT = 25

_EXAMPLES = ("example.org", "example.com", "example.net")
"""Domains that belong to nobody (RFC 2606), and stand in deploy/pbm.toml."""

SOON = timedelta(days=14)
"""How long before a certificate expires there is a warning."""


def relay(url: str, hostname: str) -> Verdict:
    """Check that the relay would take a mail, without sending one."""
    try:
        open_relay(url, hostname).close()
    except RelayUrlError as error:
        return fail(str(error))
    scheme, _, rest = url.partition(":")
    if scheme.lower() == "null":
        return warn("null: throws every mail away; it is for benchmarks")
    return _maildir(Path(rest)) if scheme.lower() == "maildir" else _smtp(url, hostname)


def _maildir(path: Path) -> Verdict:
    for folder in (path, *(path / name for name in ("tmp", "new", "cur"))):
        # A folder that does not exist yet is created with the first mail.
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not nearest.is_dir():
            return fail(f"{nearest} is not a directory, so no mail can be filed in {path}")
        if not os.access(nearest, os.W_OK | os.X_OK):
            return fail(f"{nearest} cannot be written by this user")
    return ok(f"mails are filed in {path}, and never leave this host")


def _smtp(url: str, hostname: str) -> Verdict:
    target = smtp_target(url)
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
    if any(f".{domain}".endswith(f".{example}") for example in _EXAMPLES):
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
    begins, ends = validity(Path(file))
    if not begins <= now:
        return fail(f"{file} is not valid before {begins:%Y-%m-%d %H:%M} UTC")
    if ends <= now:
        return fail(f"{file} expired on {ends:%Y-%m-%d %H:%M} UTC: renew it")
    told = f"{file} is good for {(ends - now).days} days, until {ends:%Y-%m-%d %H:%M} UTC"
    return warn(f"{told}: renew it") if ends - now < SOON else ok(told)
