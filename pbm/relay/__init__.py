"""Relays take the mails that the outbox holds. Each adapter has a file, and a row here."""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import MappingProxyType

from pbm.domain.mail import OutgoingMail
from pbm.relay.maildir import MaildirRelay
from pbm.relay.smtp import SmtpRelay
from pbm.relay.url import RelayUrlError, smtp_target
from pbm.service.relaying import Judged, Relay, Sent, always

__all__ = ["NullRelay", "RelayUrlError", "open_relay"]


class NullRelay:
    """Takes every mail; `taken` is their number."""

    def __init__(self) -> None:
        self.taken = 0

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay."""
        for place in range(len(mails)):
            if not go_on():
                return
            self.taken += 1
            yield place, Sent()

    def close(self) -> None:
        """See Relay."""


def open_relay(url: str, hostname: str) -> Relay:
    """Return the relay that `url` names; it connects and creates nothing before a mail goes out.

    `hostname` is our name in EHLO. Raises RelayUrlError, whose text leaves the password out.
    """
    scheme, colon, _ = url.partition(":")
    opener = _OPENERS.get(scheme.lower()) if colon else None
    if opener is None:
        known = ", ".join(f"{name}:" for name in _OPENERS)
        raise RelayUrlError(f"The relay URL must begin with one of {known}")
    return opener(url, hostname)


def _maildir(url: str, _hostname: str) -> Relay:
    path = url.partition(":")[2]
    if not path:
        raise RelayUrlError("The relay URL names no directory; write maildir:PATH.")
    return MaildirRelay(Path(path))


def _smtp(url: str, hostname: str) -> Relay:
    return SmtpRelay(smtp_target(url), hostname)


def _null(url: str, _hostname: str) -> Relay:
    if url.partition(":")[2]:
        raise RelayUrlError("Nothing may follow null: in the relay URL.")
    return NullRelay()


_OPENERS: MappingProxyType[str, Callable[[str, str], Relay]] = MappingProxyType(
    {
        "maildir": _maildir,
        "smtp": _smtp,
        "smtp+starttls": _smtp,
        "smtps": _smtp,
        "lmtp": _smtp,
        "null": _null,
    }
)
