"""What taking in a mail needs from the store: one durable write for all mails that wait.

The listener says "250" only after `put` has returned, so a mail that was promised is stored,
and a mail that could not be stored is asked for again with a 4xx. `put` is synchronous and is
called in one dedicated thread, never by two threads at a time.
"""

from collections.abc import Sequence
from typing import Protocol

from pbm.domain.mail import ReceivedMail


class IntakeUnavailable(Exception):  # noqa: N818 - a state of the house, answered with 451
    """Nothing can be stored now; the sender is asked to try again.

    `str()` is a sentence for the operator's log, without contents or addresses of a mail.
    """


class Letterbox(Protocol):
    """Where mails are stored before anything else happens to them: the way into the inbox."""

    def put(self, mails: Sequence[ReceivedMail]) -> None:
        """Store all `mails` durably in one transaction: all of them, or none.

        A mail that is stored already (the same content key, played or not) is left as it is,
        so a sender who missed our "250" may repeat. Raises IntakeUnavailable when the database
        is down, the disk is full, or more mails wait than the high-water mark allows.
        """
