"""One connection to a relay, on which the words of a dialogue are exchanged.

The standard library's smtplib opens it: greeting, TLS, login. The exchange of mails is our own,
on its socket, because smtplib waits for every answer, and flushes and parses through a file: that
was three round trips a mail and 70 % of what delivery cost.
"""

import contextlib
import select
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator

from pbm.relay.connection import SmtpTarget, open_connection
from pbm.relay.dialogue import CLOSING, Dialogue, Letter, Reply
from pbm.service.relaying import Verdict

_TIMEOUT = 30.0
# The relay may scan the mail before it answers. If we hang up too early, the mail goes out twice
# (RFC 1047).
_CONTENT_TIMEOUT = 300.0
_QUIT_TIMEOUT = 1.0
_SLOW = 10.0

_CHUNK = 65_536
_LONGEST_REPLY = 65_536


class Session:
    """An open connection and its dialogue; every method raises OSError once it is lost.

    `kept`: it is from an earlier batch and has not been heard of in this one. `slow`: the relay
    has a mail and has said nothing for ten seconds.
    """

    def __init__(self, target: SmtpTarget, hostname: str) -> None:
        """Open it; raises ConnectionLost."""
        self._smtp = open_connection(target, hostname)
        self._socket = _wire(self._smtp)
        self._socket.settimeout(0)
        if self._socket.family != socket.AF_UNIX:
            # A group is one write, whose last packet must not wait for the answer to the first.
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._heard = b""
        self.kept = False
        self.slow = False
        self.used_at = time.monotonic()
        self.dialogue = Dialogue(
            pipelining=self._smtp.has_extn("pipelining"),
            eight_bit=self._smtp.has_extn("8bitmime"),
            lmtp=target.lmtp,
        )

    def fileno(self) -> int:
        """Return the descriptor to wait for."""
        return self._socket.fileno()

    @property
    def deadline(self) -> float:
        """Until when the next answer must have come, on the monotonic clock."""
        return self.used_at + (_CONTENT_TIMEOUT if self.dialogue.awaits_verdict else _TIMEOUT)

    @property
    def look_at(self) -> float:
        """When to look after it, on the monotonic clock, if it is not heard of before."""
        if self.slow or not self.dialogue.awaits_verdict:
            return self.deadline
        return min(self.deadline, self.used_at + _SLOW)

    def turns_slow(self) -> bool:
        """Return whether it is slow now, and was not when this was asked before."""
        if self.slow or not self.dialogue.awaits_verdict:
            return False
        self.slow = time.monotonic() >= self.used_at + _SLOW
        return self.slow

    def speak(self) -> None:
        """Send what the dialogue has to say."""
        unsent = memoryview(self.dialogue.words())
        if unsent:
            self.used_at = time.monotonic()
        while unsent:
            try:
                unsent = unsent[self._socket.send(unsent) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                _wait(self._socket, select.POLLOUT)
            except ssl.SSLWantReadError:
                _wait(self._socket, select.POLLIN)

    def hear(self, reply: Reply) -> tuple[Letter, Verdict] | None:
        """Take a reply; return the letter that it judges, and how."""
        if self.kept and reply.code == CLOSING:
            raise smtplib.SMTPServerDisconnected("Connection closed while it was idle")
        self.kept = False
        return self.dialogue.hear(reply)

    def replies(self) -> Iterator[Reply]:
        """Yield the replies that have arrived whole; raise TimeoutError if they are overdue."""
        received = self._receive()
        if received:
            self.used_at = time.monotonic()
        elif time.monotonic() >= self.deadline:
            raise TimeoutError("timed out")
        lines = (self._heard + received).split(b"\n")
        begun = 0
        for number, line in enumerate(lines[:-1]):
            if line[3:4] != b"-":
                yield _reply(lines[begun : number + 1])
                begun = number + 1
        self._heard = b"\n".join(lines[begun:])
        if len(self._heard) > _LONGEST_REPLY:
            raise smtplib.SMTPServerDisconnected("The reply does not end")

    def _receive(self) -> bytes:
        """Return what has arrived, b"" if that is nothing whole yet."""
        chunks = []
        try:
            chunks.append(self._socket.recv(_CHUNK))
            # TLS may have more decrypted than one call returns, of which poll() knows nothing.
            while isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
                chunks.append(self._socket.recv(_CHUNK))
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return b"".join(chunks)
        received = b"".join(chunks)
        if not received:
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
        return received

    def quit(self) -> None:
        """Say goodbye if the relay is still there, and hang up."""
        with contextlib.suppress(OSError):
            self._socket.settimeout(_QUIT_TIMEOUT)
            self._smtp.docmd("QUIT")
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection; a mail that is not whole yet is not taken."""
        self._smtp.close()


def _reply(lines: list[bytes]) -> Reply:
    """Return the reply that consists of `lines`."""
    text = b"\n".join([line[4:].strip() for line in lines])
    code = lines[-1][:3]
    return Reply(int(code), text) if code.isdigit() else Reply(-1, lines[-1].strip())


def _wait(wire: socket.socket, event: int) -> None:
    """Return when `event` is possible on `wire`; raise TimeoutError if it takes too long."""
    poll = select.poll()
    poll.register(wire, event)
    if not poll.poll(_TIMEOUT * 1000):
        raise TimeoutError("timed out")


def _wire(connection: smtplib.SMTP) -> socket.socket:
    """Return the underlying socket; raise OSError if it has been closed."""
    if connection.sock is None:
        raise smtplib.SMTPServerDisconnected("Connection closed")
    return connection.sock
