"""The check that each listener answers, with a greeting that is pbm's."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass

from pbm.config import Endpoint, UnixEndpoint
from pbm.diagnosis.verdict import Verdict, fail, ok

_PATIENCE = 5.0

_LONGEST = 1000
"""Octets of a greeting that are read."""

_PROXY = b"PROXY UNKNOWN\r\n"
"""What a health check of a proxy says of itself (the PROXY protocol, 2.1)."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """Where the server should listen; `configured`: the operator said so, it is no default."""

    smtp: tuple[Endpoint, ...] = ()
    lmtp: tuple[Endpoint, ...] = ()
    proxy_protocol: bool = False
    configured: bool = False


def answering(listeners: Listeners) -> Verdict:
    """Check that pbm greets at each of them."""
    told = [
        *(("smtp", endpoint, listeners.proxy_protocol) for endpoint in listeners.smtp),
        *(("lmtp", endpoint, False) for endpoint in listeners.lmtp),
    ]
    if not told:
        return ok("none is configured, so mails come in by pbm inject")
    names = ", ".join(f"{protocol} {endpoint}" for protocol, endpoint, _ in told)
    faults = tuple(filter(None, (_fault(*each) for each in told)))
    if faults and not listeners.configured and all(fault.nobody for fault in faults):
        return ok(f"nobody listens at {names}, which is the default: so it is without a daemon")
    if faults:
        return fail("; ".join(fault.text for fault in faults))
    return ok(f"pbm answers at {names}")


@dataclass(frozen=True, slots=True)
class _Fault:
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
    return _Fault(f"another program than pbm answers at {where}")


def _greeting(endpoint: Endpoint, *, proxy: bool) -> bytes:
    """Return the first line that is said; raise OSError if there is none."""
    with _connected(endpoint) as wire:
        if proxy:
            wire.sendall(_PROXY)
        line = b"".join(_until_newline(wire))
        wire.sendall(b"QUIT\r\n")
    return line


def _until_newline(wire: socket.socket) -> Iterator[bytes]:
    octets = 0
    while octets < _LONGEST:
        chunk = wire.recv(_LONGEST)
        yield chunk
        octets += len(chunk)
        if not chunk or b"\n" in chunk:
            return


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
