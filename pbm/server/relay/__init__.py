"""Relays take the mails that wait in the outbox."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pbm.core.relaying import Judged, Relay, Sent, always
from pbm.domain.mail import OutgoingMail
from pbm.server.dkim import Signer
from pbm.server.relay.connection import SCHEMES, RelayUrlError, smtp_target
from pbm.server.relay.maildir import MaildirRelay
from pbm.server.relay.smtp import SmtpRelay

__all__ = ["NullRelay", "RelayUrlError", "SigningRelay", "open_relay"]


def open_relay(url: str, hostname: str, *, spare: bool = False) -> Relay:
    """Return the relay that `url` names; it connects and creates nothing before a mail goes out.

    `hostname` is our name in EHLO; for `spare` see SmtpRelay. Raises RelayUrlError, whose text
    leaves the password out.
    """
    scheme, colon, rest = url.partition(":")
    kind = scheme.lower() if colon else ""
    if kind in SCHEMES:
        return SmtpRelay(smtp_target(url), hostname, spare=spare)
    if kind == "maildir":
        if not rest:
            raise RelayUrlError("The relay URL names no directory; write maildir:PATH.")
        return MaildirRelay(Path(rest))
    if kind == "null":
        if rest:
            raise RelayUrlError("Nothing may follow null: in the relay URL.")
        return NullRelay()
    known = ", ".join(f"{name}:" for name in ("maildir", *SCHEMES, "null"))
    raise RelayUrlError(f"The relay URL must begin with one of {known}")


class NullRelay:
    """Takes every mail and throws it away, for benchmarks."""

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay."""
        for place in range(len(mails)):
            if not go_on():
                return
            yield place, Sent()

    def close(self) -> None:
        """See Relay."""


@dataclass(frozen=True, slots=True)
class SigningRelay:
    """Hands mails to `relay`, each under a DKIM signature of `signer`.

    Nothing changes a mail behind it: the octets that are signed are those that leave.
    """

    relay: Relay
    signer: Signer

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay."""
        signed = [replace(mail, content=self.signer.signed(mail.content)) for mail in mails]
        yield from self.relay.deliver(signed, go_on)

    def close(self) -> None:
        """See Relay."""
        self.relay.close()
