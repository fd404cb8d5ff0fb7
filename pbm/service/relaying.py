"""What a relay is, and what it says of a mail; pbm/relay says how to talk to one."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pbm.domain.mail import OutgoingMail


@dataclass(frozen=True, slots=True)
class Sent:
    """The relay has taken the mail and is responsible for it from now on.

    `words` are those with which it said so: by them the relay's own log is searched.
    """

    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not now: there is trouble that may pass.

    `relay_down`: the trouble is at the relay or on the way to it, whatever the recipient.
    `offered`: the relay has heard of this mail, and if its answer was lost, may have taken it.
    """

    error: str
    relay_down: bool = False
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Failed:
    """Never: the relay refused this mail for good.

    `about_us`: it would have refused any recipient, so this says nothing about the recipient.
    """

    error: str
    about_us: bool = False


Verdict = Sent | Deferred | Failed

Judged = tuple[int, Verdict]
"""The place of a mail in its batch, and the verdict on it."""


def always() -> bool:
    """Say yes."""
    return True


class Relay(Protocol):
    """Takes mails from us. It may keep connections; it belongs to one thread at a time."""

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        """Yield one verdict a mail, each as soon as it is known; mails of one recipient in order.

        A problem with one mail is that mail's verdict and does not hold up the others; a relay
        that cannot be reached defers all that remain. `go_on` is asked before each mail. Once it
        says no, the mails that have been begun get their verdicts, and the others none: they have
        not been tried.
        """

    def close(self) -> None:
        """Close connections. The relay can be used again and then opens new ones."""
