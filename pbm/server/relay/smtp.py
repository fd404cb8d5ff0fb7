"""A relay that speaks SMTP or LMTP by smtplib, over one connection that is kept for many mails.

RFC 5321; LMTP RFC 2033, which for mails of one recipient differs in its greeting only; 8BITMIME
RFC 6152. Each command waits for the answer to the one before. So at most one mail is uncertain when
the connection breaks: the one whose content was on its way.

A failure before the first mail (greeting, EHLO, STARTTLS, AUTH) is about us: every mail waits, and
none is lost to a mistyped password. After that, a 5xx fails that one mail. A 4xx to RCPT, DATA or
the content is trouble with that mail; a 4xx to MAIL, a 421 and a lost connection are trouble with
the relay. A 5xx to MAIL fails the mail, but does not count against any address. A provider at
which we log in may say 5xx because we have sent too much for today: then all mails wait.
"""

import re
import smtplib
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from io import IncrementalNewlineDecoder

from pbm.core.relaying import Deferred, Failed, Judged, Sent, Verdict, always
from pbm.domain.mail import OutgoingMail
from pbm.server.relay.connection import (
    TIMEOUT,
    ConnectionLost,
    SmtpTarget,
    connection_error,
    open_connection,
    reply_error,
    reply_words,
    wait_at_most,
)

_KEEP = 60.0

# The relay may scan the mail before it answers. If we hang up too early, the mail goes out twice
# (RFC 1047).
_CONTENT_TIMEOUT = 300.0
_QUIT_TIMEOUT = 1.0

_CLOSING = 421

# Refusals that are about the session, not the mail: commands out of order, and a login or TLS
# that the relay requires first (RFC 4954 section 6, RFC 3207 section 4).
_OURS = frozenset({503, 530, 534, 535, 538})

# The limit of a sender (RFC 3463: 5.4.5), as providers word it. A full mailbox (5.2.2) is not one,
# nor is a mail that is too large (5.3.4).
_LIMIT = re.compile(
    r"^The relay answered 5\d\d[ -](?!5\.[23]\.|.*\bsize\b)(?:5\.4\.5\b"
    r"|.*\b(?:daily|hourly|sending|sender|outgoing|messages?|rate)\b.{0,40}\b(?:limit|quota)"
    r"|.*\b(?:limit|quota)\b.{0,40}\b(?:day|hour|sending)\b)",
    re.IGNORECASE | re.DOTALL,
)

Reply = tuple[int, bytes | str]
"""The code of a reply, -1 if it has none, and its text."""


class SmtpRelay:
    """Hands mails to the server at `target`, greeting it as `hostname`.

    A connection that was idle for `keep` seconds is closed. A `spare` relay is a further connection
    beside that of another one: if it gets none, it leaves the mails untried.
    """

    def __init__(
        self, target: SmtpTarget, hostname: str, keep: float = _KEEP, *, spare: bool = False
    ) -> None:
        self._target = target
        self._hostname = hostname
        self._keep = keep
        self._spare = spare
        self._connection: smtplib.SMTP | None = None
        self._used_at = 0.0

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay. If a mail loses the connection, it waits, and the next mail gets a new one.

        So a mail that crashes the relay does not hold up the others. Only if no new connection
        is possible, the remaining mails are deferred untried.
        """
        if time.monotonic() - self._used_at >= self._keep:
            self.close()
        for place, mail in enumerate(mails):
            if not go_on():
                return
            try:
                verdict = self._verdict(mail)
            except ConnectionLost as error:
                if not self._spare:
                    unreached = Deferred(str(error), relay_down=True, offered=False)
                    yield from ((left, unreached) for left in range(place, len(mails)))
                return
            yield place, verdict

    def close(self) -> None:
        """See Relay."""
        if self._connection is not None:
            with suppress(OSError):
                wait_at_most(self._connection, _QUIT_TIMEOUT)
                self._connection.quit()
            self._hang_up()

    def _verdict(self, mail: OutgoingMail) -> Verdict:
        """Hand a mail over; raise ConnectionLost if no connection can be had."""
        refusal = envelope_error(mail)
        if refusal is not None:
            return Failed(refusal, about_us=True)
        try:
            verdict = self._handed_over(mail)
        except OSError as error:
            self._hang_up()
            verdict = Deferred(connection_error(error), relay_down=True)
        except BaseException:
            self._hang_up()  # in the middle of a mail
            raise
        self._used_at = time.monotonic()
        return verdict

    def _handed_over(self, mail: OutgoingMail) -> Verdict:
        connection, (code, text) = self._begun(mail)
        to_mail = code // 100 != 2
        if not to_mail:
            code, text = connection.docmd("RCPT", f"TO:<{mail.recipient}>")
            if code // 100 == 2:
                code, text = _send(connection, mail.content)
                if code // 100 == 2:
                    return Sent(reply_words(code, text))
        if code == _CLOSING or code // 100 not in {4, 5}:
            self._hang_up()
        else:
            self._reset(connection)
        error = reply_error(code, text)
        if self._target.user and code // 100 == 5 and _LIMIT.search(error):
            raise ConnectionLost(error)
        return _refusal(code, text, to_mail=to_mail)

    def _begun(self, mail: OutgoingMail) -> tuple[smtplib.SMTP, Reply]:
        """Return a connection and its answer to MAIL.

        A kept connection may have been closed since the last mail, which is nobody's fault.
        """
        if self._connection is not None:
            with suppress(OSError):
                reply = _mail_from(self._connection, mail)
                if reply[0] != _CLOSING:
                    return self._connection, reply
            self._hang_up()
        self._connection = open_connection(self._target, self._hostname)
        return self._connection, _mail_from(self._connection, mail)

    def _reset(self, connection: smtplib.SMTP) -> None:
        """End the transaction of a mail that was refused, or the connection."""
        try:
            if connection.rset()[0] // 100 == 2:
                return
        except OSError:
            pass
        self._hang_up()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _mail_from(connection: smtplib.SMTP, mail: OutgoingMail) -> Reply:
    """Say MAIL. smtplib's own `mail` and `rcpt` would read the address, and shorten some."""
    # Eight bits go out even to a relay without 8BITMIME, as most servers do it: no relay is
    # known to refuse them, and rewriting the content here would break signatures.
    eight_bit = connection.has_extn("8bitmime") and not mail.content.isascii()
    body = " BODY=8BITMIME" if eight_bit else ""
    return connection.docmd("MAIL", f"FROM:<{mail.sender}>{body}")


def _send(connection: smtplib.SMTP, content: bytes) -> Reply:
    """Say DATA and the content; return the answer to the content, or the refusal of DATA."""
    wait_at_most(connection, _CONTENT_TIMEOUT)
    try:
        reply: Reply = connection.data(content)
    except smtplib.SMTPDataError as refused:
        if refused.smtp_code // 100 == 2:
            raise  # it has taken the command for the whole mail
        reply = refused.smtp_code, refused.smtp_error
    wait_at_most(connection, TIMEOUT)
    return reply


def _refusal(code: int, text: bytes | str, *, to_mail: bool) -> Verdict:
    """Return what a reply that is no consent means for the mail; an invalid one defers it.

    `to_mail`: it answers the command MAIL, before any recipient was named.
    """
    error, kind = reply_error(code, text), code // 100
    if kind == 5 and code not in _OURS:
        return Failed(error, about_us=to_mail)
    return Deferred(error, relay_down=to_mail or kind != 4 or code == _CLOSING)


# Printable ASCII without space and angle brackets (RFC 5321 section 4.1.2, except the quoted
# local parts that nobody has): nothing that could end the command it is written into.
_PATH = re.compile(r"[!-;=?-~]{1,254}")


def envelope_error(mail: OutgoingMail) -> str | None:
    """Return a sentence that says why no relay can take `mail`; None if one can.

    Guards against commands and headers smuggled in by an address, and against mails smuggled in
    by line endings other than CRLF, which some servers take for the end of a line.
    """
    if not _PATH.fullmatch(mail.recipient) or not (
        mail.sender == "" or _PATH.fullmatch(mail.sender)
    ):
        return "An address of the envelope cannot be written in SMTP."
    if not _has_only_crlf(mail.content):
        return "The mail has line endings other than CRLF."
    return None


def _has_only_crlf(content: bytes) -> bool:
    """Return whether no line of `content` ends otherwise.

    Python's reader of text files notes the ends that it meets. It goes through a mail once, in a
    third of the time that it takes to count them, which is felt where there are pictures.
    """
    reader = IncrementalNewlineDecoder(None, translate=False)
    reader.decode(content.decode("latin-1"), final=True)
    return reader.newlines in {None, "\r\n"}
