"""A relay that signs each mail by DKIM on its way to another relay.

Nothing changes a mail behind it: the octets that are signed are those that leave.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from pbm.dkim import Signer
from pbm.domain.mail import OutgoingMail
from pbm.service.relaying import Judged, Relay, always


@dataclass(frozen=True, slots=True)
class SigningRelay:
    """Hands mails to `relay`, each under a signature of `signer`."""

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
