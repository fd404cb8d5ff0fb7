"""The play stage: plays mails from the inbox in batches.

A batch is claimed, read, carried out, answered into the outbox and marked done in one commit.
So one fsync serves many mails, and a kill -9 at any instruction undoes all of a batch or nothing.
The rows that the mails will ask for are read ahead, and nothing is locked while they are played,
except for those that need a transaction of their own. Mails that need password hashes wait for them
aside.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbm.core.bugs import trace_of
from pbm.core.context import Services
from pbm.core.passwords import NO_HASHES, Hashes
from pbm.dispatch.carry_out import receive
from pbm.dispatch.jobs import do_a_part
from pbm.dispatch.prefetch import hashes_wanted, locks, prefetch_keys
from pbm.dispatch.script import Reading
from pbm.domain.mail import Fate, MailOutcome, OutgoingMail
from pbm.domain.observer import Observer, Played
from pbm.engine import frozen
from pbm.mail.reading.incoming import read
from pbm.server.hashing import HashWorks
from pbm.store.batch import Batch, OpenBatch
from pbm.store.errors import Conflict, NeedsTransaction, StoreUnavailable
from pbm.store.inbox import WaitingMail
from pbm.store.unit import OpenUnit, UnitOfWork
from pbm.system.time_limit import EndlessError

log = logging.getLogger("pbm.play")

BATCH = 64
"""Mails per transaction: enough to share an fsync, few enough to keep answers prompt."""

BATCH_TIME = timedelta(seconds=0.5)
"""The longest time of a batch: whoever waits for an answer waits as long."""

LOCKED_TIME = timedelta(seconds=0.02)
"""The longest time of its transaction, once it has begun: intake waits as long."""

MOST_CONFLICTS = 100
"""Times in a row that another worker may be first with a mail before the stage gives up."""


@frozen
class _Letter:
    """A mail in the hands of the stage: the row, and what was read in it, or why that failed."""

    row: WaitingMail
    reading: Reading | Exception

    @property
    def author(self) -> str | None:
        """The author, as far as is known."""
        return self.reading.mail.author if isinstance(self.reading, Reading) else None

    def played(self, outcome: MailOutcome, took: timedelta) -> Played:
        """Return the event for the observer once it is played."""
        message_id = self.reading.mail.message_id if isinstance(self.reading, Reading) else None
        return Played(self.row.id, outcome, message_id, took.total_seconds())


@frozen
class PlayStage:
    """Plays what waits in the inbox of a server."""

    open_batch: OpenBatch
    open_unit: OpenUnit
    open_reading: OpenUnit
    services: Services
    hashes: HashWorks
    clock: Callable[[], datetime]
    tell_operator: Callable[[int, datetime], OutgoingMail | None]
    authserv_id: str | None = None
    observer: Observer = Observer()

    def play_waiting(
        self, limit: int = BATCH, *, stopping: Callable[[], bool] = lambda: False
    ) -> int:
        """Play up to `limit` waiting mails; return how many, 0 once none waits.

        A batch ends after the mail in which its time is up, or `stopping` has become true. What
        was played is kept, the others wait for the next batch. If another worker saves one of the
        same matches first, the batch is rolled back and played again, and smaller each time.
        """
        conflicts = 0
        while True:
            try:
                played, aside = self._play_batch(limit, stopping)
            except Conflict:
                # Each one means that another worker has finished a mail, so a hundred in a row
                # mean a bug, and it is better to restart the process.
                conflicts += 1
                if conflicts == MOST_CONFLICTS:
                    raise
                log.info("another worker was first; playing again")
                limit = max(1, limit // 4)
                continue
            if played or not aside or stopping():
                return played
            self.hashes.wait(aside)

    def go_on(self) -> bool:
        """Do a part of what earlier mails have begun; return False if nothing is left to do."""
        return do_a_part(self.open_unit, self.open_reading, self.services, self.clock())

    def _play_batch(self, limit: int, stopping: Callable[[], bool]) -> tuple[int, set[int]]:
        """Play up to `limit` mails; return how many, and the numbers of those that are aside."""
        aside = dict(self.hashes.under_way)
        with self.open_batch() as batch:
            letters = [self._read(row) for row in batch.claim(limit, aside)]
            played = self._play_letters(batch, letters, aside, stopping)
            if played:
                batch.commit()
        self.hashes.forget([each.number for each in played])
        if played:
            self.observer.played(played)
        return len(played), set(aside)

    def _read(self, row: WaitingMail) -> _Letter:
        if kept := self.hashes.reading(row.id):
            return _Letter(row, kept)
        try:
            mail = read(row.mail, self.services.address, self.authserv_id)
            return _Letter(row, Reading(mail, self.services.grammar, self.services.mint))
        except Exception as bug:  # noqa: BLE001 - any bug is reported when the mail is played
            return _Letter(row, bug)

    def _play_letters(
        self,
        batch: Batch,
        letters: Sequence[_Letter],
        aside: dict[int, str | None],
        stopping: Callable[[], bool],
    ) -> list[Played]:
        """Play these until the time is up, and return what became of each.

        Those that need hashes first are put `aside`, by number with their authors. Other mails of
        such an author wait as well, because people mean their mails in order.
        """
        readings = [letter.reading for letter in letters if isinstance(letter.reading, Reading)]
        batch.read_ahead(prefetch_keys(readings))
        began = self.clock()
        ends = began + BATCH_TIME
        played: list[Played] = []
        held = {author for author in aside.values() if author}
        for letter in letters:
            if letter.author in held or self._is_put_aside(batch, letter, aside):
                held.update({letter.author} if letter.author else ())
                continue
            hashes = self.hashes.found(letter.row.id) or NO_HASHES
            outcome, locked = self._play(batch, letter, hashes)
            now = self.clock()
            if locked:
                ends = min(ends, now + LOCKED_TIME)
            played.append(letter.played(outcome, now - began))
            if stopping() or now >= ends:
                break
            began = now
        return played

    def _is_put_aside(self, batch: Batch, letter: _Letter, aside: dict[int, str | None]) -> bool:
        """Return whether a mail waits for hashes; it is `aside` if that has begun."""
        number, reading = letter.row.id, letter.reading
        if isinstance(reading, Exception) or self.hashes.found(number) is not None:
            return False
        try:
            wanted = hashes_wanted(batch, reading, self.clock())
        except (Conflict, StoreUnavailable):
            raise
        except Exception:  # noqa: BLE001 - it meets the same bug when it is played
            return False
        if wanted and self.hashes.begin(number, reading, wanted):
            aside[number] = letter.author
        return bool(wanted)

    def _play(self, batch: Batch, letter: _Letter, hashes: Hashes) -> tuple[MailOutcome, bool]:
        """Play one mail; return what became of it, and whether that took a transaction."""
        try:
            with batch.savepoint(), self.services.time_limited():
                return self._receive_in_memory(batch, letter, hashes), False
        except (Conflict, StoreUnavailable):
            raise
        except EndlessError as bug:  # not played again, with the database locked as long
            with batch.transaction() as work:
                return self._shunt(work, letter.row.id, bug), True
        except Exception:  # noqa: BLE001 - NeedsTransaction, or a bug, which it meets again
            with batch.transaction() as work:
                return self._play_in(work, letter, hashes), True

    def _play_in(self, work: UnitOfWork, letter: _Letter, hashes: Hashes) -> MailOutcome:
        """Play one mail; shunt it if it meets a bug, so that it does not hold up the others."""
        try:
            with work.savepoint(), self.services.time_limited():
                return self._receive(work, letter, hashes)
        except (Conflict, StoreUnavailable):
            raise
        except Exception as bug:  # noqa: BLE001 - any bug: the mail is kept for the operator
            return self._shunt(work, letter.row.id, bug)

    def _receive_in_memory(self, batch: Batch, letter: _Letter, hashes: Hashes) -> MailOutcome:
        """Play one mail; raise NeedsTransaction, perhaps before it begins, if it writes more."""
        if isinstance(letter.reading, Reading) and locks(batch, letter.reading):
            raise NeedsTransaction
        return self._receive(batch, letter, hashes)

    def _receive(self, work: UnitOfWork, letter: _Letter, hashes: Hashes) -> MailOutcome:
        if isinstance(letter.reading, Exception):
            raise letter.reading
        now, number = self.clock(), letter.row.id
        outcome, cost = receive(self.services, work, letter.reading, now, hashes, number)
        work.inbox.done(number, str(outcome), now)
        told = "mail %d: %d units, %d octets, %d answers"
        log.debug(told, number, cost.units, cost.octets, cost.answers)
        return outcome

    def _shunt(self, work: UnitOfWork, mail: int, bug: Exception) -> MailOutcome:
        now = self.clock()
        work.inbox.shunt(mail, trace_of(bug), now)
        note = self.tell_operator(mail, now)
        if note:
            work.outbox.add([note], now, mail)
        return MailOutcome(Fate.SHUNTED, type(bug).__name__)
