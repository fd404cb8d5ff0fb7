"""Relays under test, and servers that say what no proper server says."""

import socketserver
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pbm.domain.mail import OutgoingMail
from pbm.relay import open_relay
from pbm.service.relaying import Deferred, Relay, Verdict


@contextmanager
def scripted(talk: Callable[[IO[bytes], IO[bytes]], None]) -> Iterator[int]:
    """Run `talk` for each connection, to say what no proper server says; yield the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with self.request.makefile("rwb", buffering=0) as wire:
                talk(wire, wire)

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def unreached(error: str) -> Deferred:
    """Return the verdict on a mail that could not even be offered."""
    return Deferred(error, relay_down=True, offered=False)


@contextmanager
def relay_to(url: str) -> Iterator[Relay]:
    relay = open_relay(url, "games.example.org")
    try:
        yield relay
    finally:
        relay.close()


def deliver(url: str, *mails: OutgoingMail) -> list[Verdict]:
    """Deliver through a relay that is opened and closed for these mails."""
    with relay_to(url) as relay:
        return verdicts_of(relay, *mails)


def verdicts_of(relay: Relay, *mails: OutgoingMail) -> list[Verdict]:
    """Deliver, and return the verdict on each mail in the order of the mails."""
    judged = list(relay.deliver(mails))
    assert sorted(place for place, _ in judged) == list(range(len(mails)))
    return [verdict for _, verdict in sorted(judged, key=lambda each: each[0])]


def mail(recipient: str = "bob@example.net", content: bytes | None = None) -> OutgoingMail:
    message_id = f"<{recipient}.1@games.example.org>"
    if content is None:
        head = f"Subject: [Gonnect 104] alice - bob\r\nMessage-ID: {message_id}\r\n"
        content = head.encode() + b"\r\nalice played C4.\r\n"
    return OutgoingMail("bounce+k3v9@games.example.org", recipient, message_id, content)


def make_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a new self-signed certificate for localhost and a server context that uses it."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context
