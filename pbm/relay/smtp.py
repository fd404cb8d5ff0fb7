"""A relay that speaks SMTP or LMTP over a connection that is kept and serves many mails.

RFC 5321; LMTP RFC 2033, which for mails of one recipient differs in its greeting only;
8BITMIME RFC 6152; PIPELINING RFC 2920. The standard library's smtplib opens the connection and
reads the replies. The transaction is our own code, because a mail must go out byte for byte as
it was composed, and a refusal must be told apart from trouble.

What a failure is about: a 5xx to MAIL, RCPT, DATA or the content fails that one mail. A failure
before that (greeting, EHLO, STARTTLS, AUTH) is about us: every mail waits, and none is lost to a
mistyped password. A 4xx to RCPT or to the content is trouble with that mail; a 4xx to MAIL, a
421 and a lost connection are trouble with the relay. A 5xx to MAIL fails the mail, but does not
count against any address.
"""

import contextlib
import smtplib
import socket
import time
from collections.abc import Generator, Sequence
from typing import NamedTuple

from pbm.domain.mail import OutgoingMail
from pbm.relay.connection import ConnectionLost, connection_error, open_connection, reply_error
from pbm.relay.envelope import envelope_error
from pbm.relay.url import SmtpTarget
from pbm.service.delivery import Deferred, Failed, Sent, Verdict

# The relay may scan the mail before it answers. If we hang up too early, the mail goes out twice
# (RFC 1047).
_CONTENT_TIMEOUT = 300.0
_QUIT_TIMEOUT = 1.0
_KEEP = 60.0

_CLOSING = 421
_CLASSES = frozenset({2, 4, 5})
# Refusals that are about the session, not the mail: commands out of order, and a login or TLS
# that the relay requires first (RFC 4954 section 6, RFC 3207 section 4).
_OURS = frozenset({503, 530, 534, 535, 538})

# The first digits of the replies to MAIL, RCPT and DATA after which the transaction goes on.
_GO_ON = (2, 2, 3)


class _Reply(NamedTuple):
    """A reply; `to_mail` if it answers the command MAIL, before any recipient was named."""

    code: int
    text: bytes
    to_mail: bool = False


class SmtpRelay:
    """Hands mails to the server at `target`, greeting it as `hostname`.

    A connection that was idle for `keep` seconds is replaced; otherwise RSET tests it first.
    """

    def __init__(self, target: SmtpTarget, hostname: str, keep: float = _KEEP) -> None:
        self._target = target
        self._hostname = hostname
        self._keep = keep
        self._session: _Session | None = None
        self._used_at = 0.0

    def deliver(self, mails: Sequence[OutgoingMail]) -> Generator[Verdict, None, None]:
        """See Relay. If a mail loses the connection, it waits, and the next mail gets a new one.

        So a mail that crashes the relay does not hold up the others. Only if no new connection
        is possible, the remaining mails are deferred untried.
        """
        self._drop_stale()
        unreachable: Deferred | None = None
        for mail in mails:
            refusal = envelope_error(mail)
            if refusal is not None:
                yield Failed(refusal, about_us=True)
            elif unreachable is not None:
                yield unreachable
            else:
                try:
                    session = self._connected()
                except ConnectionLost as error:
                    unreachable = Deferred(str(error), relay_down=True)
                    yield unreachable
                    continue
                yield self._hand_over(session, mail)

    def close(self) -> None:
        """See Relay."""
        if self._session is not None:
            self._session.quit()
            self._session = None

    def _drop_stale(self) -> None:
        """Close a kept connection that is too old, or that the relay has closed."""
        if self._session is None:
            return
        if time.monotonic() - self._used_at >= self._keep:
            self.close()
            return
        try:
            self._session.reset()
        except OSError:
            self.close()

    def _connected(self) -> "_Session":
        """Return the session, opening one if there is none; raise ConnectionLost."""
        if self._session is None:
            self._session = _Session(open_connection(self._target, self._hostname))
        return self._session

    def _hand_over(self, session: "_Session", mail: OutgoingMail) -> Verdict:
        """Return the verdict on `mail`; close the session if it can no longer be used."""
        try:
            reply = session.transact(mail)
        except OSError as error:
            self.close()
            return Deferred(connection_error(error), relay_down=True)
        self._used_at = time.monotonic()
        if reply.code == _CLOSING or reply.code // 100 not in _CLASSES:
            self.close()
        return _verdict(reply)


class _Session:
    """Transactions over one connection; every method raises OSError once it is lost."""

    def __init__(self, connection: smtplib.SMTP) -> None:
        self._connection = connection
        self._eight_bit = connection.has_extn("8bitmime")
        self._pipelining = connection.has_extn("pipelining")

    def transact(self, mail: OutgoingMail) -> _Reply:
        """Return the decisive reply: the refusal of a command, or the reply to the content."""
        refusal = self._envelope(mail)
        if refusal is not None:
            if refusal.code != _CLOSING:
                self.reset()
            return refusal
        self._connection.send(_as_data(mail.content))
        wire = _wire(self._connection)
        patience = wire.gettimeout()
        wire.settimeout(_CONTENT_TIMEOUT)
        reply = _Reply(*self._connection.getreply())
        wire.settimeout(patience)
        return reply

    def reset(self) -> None:
        """Abort an open transaction; this also tests whether the relay is still there."""
        code, text = self._connection.rset()
        if code != 250:
            raise smtplib.SMTPResponseException(code, text)

    def quit(self) -> None:
        """Say goodbye if the relay is still there, and hang up."""
        with contextlib.suppress(OSError):
            _wire(self._connection).settimeout(_QUIT_TIMEOUT)
            self._connection.docmd("QUIT")
        self._connection.close()

    def _envelope(self, mail: OutgoingMail) -> _Reply | None:
        """Send MAIL, RCPT and DATA; return the first reply that is a refusal."""
        # Eight bits go out even to a relay without 8BITMIME, as most servers do it: no relay is
        # known to refuse them, and rewriting the content here would break signatures.
        body = " BODY=8BITMIME" if self._eight_bit and not mail.content.isascii() else ""
        replies = self._ask(
            (f"MAIL FROM:<{mail.sender}>{body}", f"RCPT TO:<{mail.recipient}>", "DATA")
        )
        refusals = [
            reply
            for reply, go_on in zip(replies, _GO_ON, strict=False)
            if reply.code // 100 != go_on
        ]
        if refusals and replies[-1].code // 100 == _GO_ON[-1]:
            # RFC 2920 section 3.1: this relay has refused the recipient but still waits for the
            # content; an empty one ends the transaction and goes to nobody.
            self._connection.send(b".\r\n")
            self._connection.getreply()
        return refusals[0] if refusals else None

    def _ask(self, commands: Sequence[str]) -> list[_Reply]:
        """Send `commands`, in one group if the relay offers PIPELINING; return the replies.

        Without it, the first refusal is the last reply. So is a 421 in both cases.
        """
        if self._pipelining:
            self._connection.send("".join(f"{command}\r\n" for command in commands).encode())
        replies: list[_Reply] = []
        for command, go_on in zip(commands, _GO_ON, strict=True):
            if self._pipelining:
                code, text = self._connection.getreply()
            else:
                code, text = self._connection.docmd(command)
            replies.append(_Reply(code, text, to_mail=not replies))
            if code == _CLOSING or (code // 100 != go_on and not self._pipelining):
                break
        return replies


def _wire(connection: smtplib.SMTP) -> socket.socket:
    """Return the underlying socket; raise OSError if it has been closed."""
    if connection.sock is None:
        raise smtplib.SMTPServerDisconnected("Connection closed")
    return connection.sock


def _as_data(content: bytes) -> bytes:
    """Return `content`, whose lines end with CRLF, as DATA sends it (RFC 5321 section 4.5.2)."""
    stuffed = content.replace(b"\r\n.", b"\r\n..")
    if stuffed.startswith(b"."):
        stuffed = b"." + stuffed
    if stuffed and not stuffed.endswith(b"\r\n"):
        stuffed += b"\r\n"
    return stuffed + b".\r\n"


def _verdict(reply: _Reply) -> Verdict:
    """Return what the decisive reply means for the mail; an invalid reply defers it."""
    kind = reply.code // 100
    if kind == 2:
        return Sent()
    error = reply_error(reply.code, reply.text)
    if kind == 5 and reply.code not in _OURS:
        return Failed(error, about_us=reply.to_mail)
    return Deferred(error, relay_down=reply.to_mail or kind != 4 or reply.code == _CLOSING)
