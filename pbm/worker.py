"""The play stage: plays mails from the inbox in batches, one transaction each.

A batch is claimed, read, carried out, answered into the outbox and marked done in one commit.
So one fsync serves many mails, and a kill -9 at any instruction undoes all of a batch or nothing.
The password hashes that it will need are worked out before, while nothing is locked.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbm.domain.mail import IncomingMail, OutgoingMail
from pbm.mail.reading.incoming import read
from pbm.service.bugs import trace_of
from pbm.service.foresight import hashes_wanted
from pbm.service.hashing import NO_HASHES, Hashes, Wanted, work_out
from pbm.service.ports import Conflict, OpenUnit, StoreUnavailable, UnitOfWork, WaitingMail
from pbm.service.reception import Reception
from pbm.service.sequels import do_a_part

log = logging.getLogger("pbm.play")

BATCH = 64
"""Mails per transaction: enough to share an fsync, few enough to keep answers prompt."""

HASHES = 16
"""Password hashes after which a batch begins to play: 400 ms of them."""

BATCH_TIME = timedelta(seconds=0.5)
"""How long a transaction is kept open: intake, and whoever waits for an answer, wait as long."""

_AT_ONCE = 8
"""Mails claimed at a time, because large ones are not read before their turn."""

MOST_CONFLICTS = 100
"""How often in a row another worker may be first with a mail before the stage gives up."""


@dataclass(frozen=True, slots=True)
class PlayStage:
    """Plays what waits in the inbox of the server with this `address`."""

    open_unit: OpenUnit
    open_reading: OpenUnit
    reception: Reception
    address: str
    clock: Callable[[], datetime]
    tell_operator: Callable[[int, datetime], OutgoingMail | None]
    authserv_id: str | None = None

    def play_waiting(
        self, limit: int = BATCH, *, stopping: Callable[[], bool] = lambda: False
    ) -> int:
        """Play up to `limit` waiting mails; return how many were taken.

        A batch ends after the mail in which its time is up, or `stopping` has become true. What
        was played is kept, the others wait for the next batch. If another worker saves one of the
        same matches first, the whole batch is rolled back and its mails are played one by one,
        the oldest first.
        """
        hashes = self._hashes_for_waiting(limit)
        try:
            return self._play_batch(len(hashes), hashes, stopping)
        except Conflict:
            log.info("another worker was first; playing one by one")
            return self._play_one_by_one(len(hashes), hashes, stopping)

    def go_on(self) -> bool:
        """Do a part of what earlier mails have begun; return False if nothing is left to do."""
        return do_a_part(self.open_unit, self.open_reading, self.reception.services, self.clock())

    def _hashes_for_waiting(self, limit: int) -> Mapping[int, Hashes]:
        """Return the password hashes that up to `limit` waiting mails will need, the oldest first.

        There are fewer mails if they need many hashes. Nothing is locked meanwhile. If another
        worker is first with some of them, the rest meet hashes that are not worked out.
        """
        wanted: dict[int, tuple[Wanted, ...]] = {}
        with self.open_reading() as work:
            for row in work.inbox.peek(limit):
                wanted[row.id] = self._hashes_wanted(work, row)
                if sum(map(len, wanted.values())) >= HASHES:
                    break
        passwords = self.reception.services.passwords
        return {mail: work_out(passwords, hashes) for mail, hashes in wanted.items()}

    def _hashes_wanted(self, work: UnitOfWork, row: WaitingMail) -> tuple[Wanted, ...]:
        """Return the hashes that one mail will need; none if it meets a bug, as it soon will."""
        services = self.reception.services
        try:
            with work.savepoint():
                mail = self._read(row)
                return hashes_wanted(work, services.grammar, services.mint, mail, self.clock())
        except (Conflict, StoreUnavailable):
            raise
        except Exception:  # noqa: BLE001 - the same bug, or another, is told of when it is played
            return ()

    def _read(self, row: WaitingMail) -> IncomingMail:
        return read(row.mail, self.address, self.authserv_id)

    def _play_one_by_one(
        self, limit: int, hashes: Mapping[int, Hashes], stopping: Callable[[], bool]
    ) -> int:
        """Play mail by mail, and retry while others are faster; raise Conflict if they always are.

        Each failed try means that another worker has finished a mail, so a hundred of them in a
        row mean a bug, and it is better to restart the process.
        """
        played = conflicts = 0
        while played < limit and not stopping():
            try:
                taken = self._play_batch(1, hashes, stopping)
            except Conflict:
                conflicts += 1
                if conflicts == MOST_CONFLICTS:
                    raise
                continue
            if not taken:
                break
            played, conflicts = played + taken, 0
        return played

    def _play_batch(
        self, limit: int, hashes: Mapping[int, Hashes], stopping: Callable[[], bool]
    ) -> int:
        ends = self.clock() + BATCH_TIME
        played = 0
        with self.open_unit() as work:
            for row in _claimed(work, limit):
                self._play(work, row, hashes.get(row.id, NO_HASHES))
                played += 1
                if stopping() or self.clock() >= ends:
                    break
            if played:
                work.commit()
        return played

    def _play(self, work: UnitOfWork, row: WaitingMail, hashes: Hashes) -> None:
        """Play one mail; shunt it if it meets a bug, so that it does not hold up the others."""
        now = self.clock()
        try:
            with work.savepoint():
                cost = self.reception.receive(work, self._read(row), now, hashes)
                work.inbox.done(row.id)
            log.debug(
                "mail %d: %d units, %d octets, %d answers",
                row.id,
                cost.units,
                cost.octets,
                cost.answers,
            )
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


def _claimed(work: UnitOfWork, limit: int) -> Iterator[WaitingMail]:
    """Yield up to `limit` waiting mails. Each must be done or shunted before the next is taken."""
    while limit > 0:
        rows = work.inbox.claim(min(limit, _AT_ONCE))
        yield from rows
        limit = limit - len(rows) if len(rows) == _AT_ONCE else 0
