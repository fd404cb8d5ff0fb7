"""How much waits to be played: counted seldom, so that a mail costs the same however much it is."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from pbm.domain.mail import ReceivedMail
from pbm.service.ports.mail import IntakeUnavailable
from pbm.store.schedule import WAITS
from pbm.store.tables import inbox

MOST_OCTETS = 400 * 1024 * 1024
"""Waiting octets beyond which intake asks senders to come back later."""

_COUNTED_AGAIN = timedelta(seconds=10)

OCTETS = select(func.coalesce(func.sum(inbox.c.octets), 0)).where(WAITS)
"""The octets that wait, in one figure."""


class OctetsWaiting:
    """Knows whether there is room for more octets, and seldom adds up those that wait.

    It remembers a number that is not less, to which it adds what comes. Only when that fills the
    room is it counted anew; while there is no room, once in `_COUNTED_AGAIN`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._at_most = most + 1
        self._counted_at: datetime | None = None

    def check(self, connection: Connection, mails: Sequence[ReceivedMail]) -> None:
        """Raise IntakeUnavailable if there is no room for `mails`, or else count them in."""
        now, coming = mails[-1].received_at, sum(len(mail.content) for mail in mails)
        if self._at_most + coming > self._most:
            self._count(connection, now)
        if self._at_most + coming > self._most:
            raise IntakeUnavailable(f"{self._at_most} octets wait to be played.")
        self._at_most += coming
        self._counted_at = None

    def _count(self, connection: Connection, now: datetime) -> None:
        if self._counted_at is None or abs(now - self._counted_at) >= _COUNTED_AGAIN:
            self._at_most = connection.scalar(OCTETS) or 0
            self._counted_at = now
