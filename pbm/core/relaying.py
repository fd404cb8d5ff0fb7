"""The relay as delivery sees it, and its verdicts on mails; pbm/server/relay talks to it."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import field
from typing import Protocol

from pbm.domain.mail import OutgoingMail
from pbm.engine import frozen


@frozen
class Sent:
    """The relay has taken the mail and is responsible for it from now on.

    `words` are the relay's reply, by which its own log can be searched.
    """

    words: str = field(default="", compare=False)


@frozen
class Deferred:
    """The mail was not sent, for a reason that may pass.

    `relay_down`: the reason is the relay or the way to it, not the recipient. `offered`: the relay
    has heard of this mail, and may have taken it if its answer was lost.
    """

    error: str
    relay_down: bool = False
    offered: bool = True


@frozen
class Failed:
    """The relay refused this mail for good.

    `about_us`: it would have refused it for any recipient.
    """

    error: str
    about_us: bool = False


Verdict = Sent | Deferred | Failed

Judged = tuple[int, Verdict]
"""The place of a mail in its batch, and the verdict on it."""


def always() -> bool:
    """Return True."""
    return True


class Relay(Protocol):
    """A taker of mails. It may keep connections; it belongs to one thread at a time."""

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """Yield one verdict a mail, each as soon as it is known; mails of one recipient in order.

        A problem with one mail does not delay the others; a relay that cannot be reached defers
        all that remain. `go_on` is asked before each mail. Once it returns False, only the mails
        that have been begun get verdicts; the others are not tried.
        """

    def close(self) -> None:
        """Close connections. The relay can be used again and then opens new ones."""
