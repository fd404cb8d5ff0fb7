"""Opens a connection to a relay: greeting, TLS, login. A failure here is about us, not a mail.

RFC 5321, LMTP RFC 2033, STARTTLS RFC 3207, AUTH RFC 4954, by the standard library's smtplib.
"""

import smtplib
import ssl

from pbm.relay.url import SmtpTarget, Tls

_TIMEOUT = 30.0


class ConnectionLost(Exception):  # noqa: N818 - an ordinary event
    """There is no connection, or no longer one; `str()` is a sentence without secrets."""


def open_connection(target: SmtpTarget, hostname: str) -> smtplib.SMTP:
    """Return a connection that is ready for MAIL; raise ConnectionLost if there is none.

    Every wait on it ends after 30 seconds.
    """
    try:
        connection = _connect(target, hostname)
        try:
            _secure(connection, target.tls)
            if target.user:
                connection.login(target.user, target.password)
        except BaseException:
            connection.close()
            raise
    except OSError as error:
        raise ConnectionLost(connection_error(error)) from None
    return connection


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
        case _:
            return f"The relay cannot be used: {error.strerror or error}."


def reply_error(code: int, text: bytes | str) -> str:
    """Return the sentence for a reply of the relay that is not the expected one."""
    words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    return f"The relay answered {code} {words}".rstrip()


def _connect(target: SmtpTarget, hostname: str) -> smtplib.SMTP:
    """Return a connection that has said hello."""
    where = (target.host, target.port, hostname)
    connection: smtplib.SMTP
    if target.lmtp:
        connection = smtplib.LMTP(*where, timeout=_TIMEOUT)
    elif target.tls is Tls.IMPLICIT:
        connection = smtplib.SMTP_SSL(
            *where, timeout=_TIMEOUT, context=ssl.create_default_context()
        )
    else:
        connection = smtplib.SMTP(*where, timeout=_TIMEOUT)
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
