"""The certificate with which STARTTLS is offered, read anew when its files have changed.

A certificate is renewed every few weeks by a program that knows nothing of us. A server that went
on with the old one would show it long after it has expired, and only its visitors would see.
"""

import logging
import ssl
from pathlib import Path

_Stamp = tuple[tuple[int, int] | None, ...]

log = logging.getLogger("pbm.smtp")


class CertificateError(Exception):
    """A certificate or its key cannot be used; `str()` is a sentence with the files and why."""


class Certificate:
    """A certificate in a PEM `file`, and its key in another one unless it is in the same."""

    def __init__(self, file: Path, key: Path | None = None) -> None:
        """Read it; raise CertificateError."""
        self._file = file
        self._key = key
        self._stamp = self._there()
        self._context = self._read()

    def __call__(self) -> ssl.SSLContext:
        """Return the context for a new session, with the newest certificate that can be used."""
        stamp = self._there()
        if stamp != self._stamp:
            self._stamp = stamp
            self._renew()
        return self._context

    def _renew(self) -> None:
        """Read it anew; if that fails, as between the writing of both files, keep what there is."""
        try:
            self._context = self._read()
        except CertificateError as error:
            log.warning("%s The one from before is still shown.", error)
        else:
            log.info("the certificate %s was read anew", self._file)

    def _read(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            # The empty password is for an encrypted key: otherwise OpenSSL asks at the terminal.
            context.load_cert_chain(self._file, self._key, password="")
        except OSError as error:
            # Of a file that is missing or closed to us, ssl does not say which one it is.
            files = f"{self._file} with the key {self._key}" if self._key else str(self._file)
            reason = error if isinstance(error, ssl.SSLError) else error.strerror
            raise CertificateError(f"The certificate {files} cannot be used: {reason}.") from error
        return context

    def _there(self) -> _Stamp:
        """Return what changes with the files; also their rights, by the time of that change."""
        return tuple(_stamp(file) for file in (self._file, self._key) if file)


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns
