"""The play stage: plays mails from the inbox in batches, one transaction each.

A batch is claimed, read, carried out, answered into the outbox and marked done in one commit.
So one fsync serves many mails, and a kill -9 at any instruction undoes all of a batch or nothing.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbm.domain.mail import OutgoingMail
from pbm.mail.reading.incoming import read
from pbm.service.bugs import trace_of
from pbm.service.ports import Conflict, StoreUnavailable, UnitOfWork, WaitingMail
from pbm.service.reception import Reception

log = logging.getLogger("pbm.play")

BATCH = 64
"""Mails per transaction: enough to share an fsync, few enough to keep answers prompt."""

MOST_CONFLICTS = 100
"""How often in a row another worker may be first with a mail before the stage gives up."""


@dataclass(frozen=True, slots=True)
class PlayStage:
    """Plays what waits in the inbox of the server with this `address`."""

    open_unit: Callable[[], UnitOfWork]
    reception: Reception
    address: str
    clock: Callable[[], datetime]
    tell_operator: Callable[[int, datetime], OutgoingMail | None]
    authserv_id: str | None = None

    def play_waiting(self, limit: int = BATCH) -> int:
        """Play up to `limit` waiting mails; return how many were taken.

        If another worker saves one of the same matches first, the whole batch is rolled back
        and its mails are played one by one, the oldest first.
        """
        try:
            return self._play_batch(limit)
        except Conflict:
            log.info("another worker was first; playing one by one")
            return self._play_one_by_one(limit)

    def _play_one_by_one(self, limit: int) -> int:
        """Play mail by mail, and retry while others are faster; raise Conflict if they always are.

        Each failed try means that another worker has finished a mail, so a hundred of them in a
        row mean a bug, and it is better to restart the process.
        """
        played = conflicts = 0
        while played < limit:
            try:
                taken = self._play_batch(1)
            except Conflict:
                conflicts += 1
                if conflicts == MOST_CONFLICTS:
                    raise
                continue
            if not taken:
                break
            played, conflicts = played + taken, 0
        return played

    def _play_batch(self, limit: int) -> int:
        with self.open_unit() as work:
            waiting = work.inbox.claim(limit)
            for row in waiting:
                self._play(work, row)
            if waiting:
                work.commit()
        return len(waiting)

    def _play(self, work: UnitOfWork, row: WaitingMail) -> None:
        """Play one mail; shunt it if it meets a bug, so that it does not hold up the others."""
        now = self.clock()
        try:
            with work.savepoint():
                self.reception.receive(work, read(row.mail, self.address, self.authserv_id), now)
                work.inbox.done(row.id)
        except (Conflict, StoreUnavailable):
            raise
        except Exception as bug:  # noqa: BLE001 - any bug: the mail is kept for the operator
            self._shunt(work, row, bug, now)

    def _shunt(self, work: UnitOfWork, row: WaitingMail, bug: Exception, now: datetime) -> None:
        log.error(
            "mail %d met a bug (%s); see `pbm shunt show %d`", row.id, type(bug).__name__, row.id
        )
        work.inbox.shunt(row.id, trace_of(bug), now)
        note = self.tell_operator(row.id, now)
        if note:
            work.outbox.add([note], now)
