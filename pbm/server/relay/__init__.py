"""Relays take the mails that wait in the outbox."""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from pbm.core.relaying import Deferred, Judged, Relay, Sent, always
from pbm.domain.mail import OutgoingMail
from pbm.engine import frozen
from pbm.server.relay.connection import SCHEMES, RelayUrlError, smtp_target
from pbm.server.relay.maildir import MaildirRelay
from pbm.server.relay.smtp import SmtpRelay
from pbm.system import Secret

__all__ = ["NullRelay", "RationedRelay", "RelayUrlError", "open_relay"]


def open_relay(
    url: str, hostname: str, secret: Secret | None = None, *, spare: bool = False
) -> Relay:
    """Return the relay that `url` names; it connects and creates nothing before a mail goes out.

    `hostname` is our name in EHLO; for `secret` see `smtp_target`, for `spare` see SmtpRelay.
    Raises RelayUrlError, whose text leaves the password out.
    """
    scheme, colon, rest = url.partition(":")
    kind = scheme.lower() if colon else ""
    if kind in SCHEMES:
        return SmtpRelay(smtp_target(url, secret), hostname, spare=spare)
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


_ALL_SENT = "All mails that mailbox_daily allows were sent within a day."


@frozen
class RationedRelay:
    """Hands mails to `relay` as long as some are `left` to be sent today; the others wait.

    Threads that deliver at the same time may send a few more.
    """

    relay: Relay
    left: Callable[[], int]

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """See Relay."""
        room = max(0, min(self.left(), len(mails)))
        if room:
            yield from self.relay.deliver(mails[:room], go_on)
        full = Deferred(_ALL_SENT, relay_down=True, offered=False)
        yield from ((place, full) for place in range(room, len(mails)))

    def close(self) -> None:
        """See Relay."""
        self.relay.close()
