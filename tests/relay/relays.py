"""Relays under test, mails for them, and servers that say what no proper server says."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BufferedRWPair as Wire
from pathlib import Path

from pbm.domain.mail import OutgoingMail
from pbm.server.relay import open_relay
from tests.doors import Deferred, Relay, Verdict
from tests.processes import PATIENCE, run


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


def mails(*names: str) -> list[OutgoingMail]:
    return [mail(f"{name}@example.net") for name in names]


def kinds(verdicts: list[Verdict]) -> str:
    """Return the first letter of each verdict: Sent, Deferred or Failed."""
    return "".join(type(verdict).__name__[0] for verdict in verdicts)


Deed = Callable[[Wire], bool]
"""Done in place of an answer; True ends the connection, or the usual answer follows."""


class Scripted:
    """A relay that follows SMTP, but has other `replies` by command and `answers` to RCPT by name.

    At a recipient, or after a content, it does what `at_rcpt` and `at_end` say.
    """

    def __init__(
        self,
        *greetings: bytes,
        extension: str = "PIPELINING",
        replies: Mapping[bytes, bytes] | None = None,
        answers: Mapping[str, bytes] | None = None,
    ) -> None:
        self.greetings = iter(greetings)
        self.hello = f"250-x\r\n250 {extension}".encode()
        self.replies = {b"EHLO": self.hello, b"LHLO": self.hello, **(replies or {})}
        self.answers = answers or {}
        self.at_rcpt: dict[str, Deed] = {}
        self.at_end: dict[str, Deed] = {}
        self.heard: list[bytes] = []
        self.whole: list[str] = []
        self.taken: list[str] = []
        self.connections = self.most = self._open = 0

    def meet(self, wire: Wire) -> None:
        """Talk to a client, and count how many there are, at `most` at a time."""
        self.connections += 1
        self._open += 1
        self.most = max(self.most, self._open)
        try:
            self.talk(wire)
        finally:
            self._open -= 1

    def talk(self, wire: Wire) -> None:
        greeting = next(self.greetings, b"220 x")
        say(wire, greeting)
        if not greeting.startswith(b"220"):
            return
        recipient = ""
        for line in wire:
            self.heard.append(line)
            command = line[:4].upper()
            if command == b"RCPT":
                recipient = line.decode().partition("<")[2].partition("@")[0]
            if self._does_as_it_likes(command, recipient, wire):
                return
            usual = self.replies.get(command, b"250 OK")
            say(wire, self.answers.get(recipient, usual) if command == b"RCPT" else usual)

    def _does_as_it_likes(self, command: bytes, recipient: str, wire: Wire) -> bool:
        if command == b"RCPT" and recipient in self.at_rcpt:
            return self.at_rcpt[recipient](wire)
        if command != b"DATA" or b"DATA" in self.replies:
            return False
        say(wire, b"354 go")
        while (line := wire.readline()) not in (b".\r\n", b""):
            self.heard.append(line)
        if not line:
            return True
        self.heard.append(line)
        self.whole.append(recipient)
        if recipient in self.at_end and self.at_end[recipient](wire):
            return True
        self.taken.append(recipient)
        return False


def say(wire: Wire, line: bytes) -> None:
    wire.write(line + b"\r\n")
    wire.flush()


@contextmanager
def listening(relay: Scripted) -> Iterator[str]:
    """Run a thread for each connection; yield the URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def meet(connection: socket.socket) -> None:
            # The relay under test may hang up while this one talks.
            with suppress(ConnectionError), connection, connection.makefile("rwb") as wire:
                relay.meet(wire)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=meet, args=(connection,), daemon=True).start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield f"smtp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            accepting.join(PATIENCE)


def make_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a new self-signed certificate for localhost and a server context that uses it."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = run(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        *("-keyout", key, "-out", certificate),
    )
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context
