"""A relay that throws mails away and counts them, for benchmarks."""

from collections.abc import Generator, Sequence

from pbm.domain.mail import OutgoingMail
from pbm.service.delivery import Sent, Verdict


class NullRelay:
    """Takes every mail; `taken` is their number."""

    def __init__(self) -> None:
        self.taken = 0

    def deliver(self, mails: Sequence[OutgoingMail]) -> Generator[Verdict, None, None]:
        """See Relay."""
        for _ in mails:
            self.taken += 1
            yield Sent()

    def close(self) -> None:
        """See Relay."""
