"""Delivery: hand the mails in the outbox to the relay, and record what became of them.

A mail is leased in one transaction, handed over with none open, and its verdict is recorded in
another. So a slow relay keeps no lock, and a killed process loses nothing: its leases are freed or
run out, and the same mail goes out again with the same Message-ID. A mail is sent at least once,
and never silently lost. Mails that the relay has taken are noted a few at a time, so a kill repeats
ten at most.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbm.domain.observer import Handed, Handover, Observer
from pbm.service.heartbeat import RELAY
from pbm.service.relaying import Deferred, Failed, Relay, Sent, Verdict
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.liveness import Lifeline, Notes
from pbm.store.outbox import WaitingDelivery
from pbm.store.unit import OpenUnit, UnitOfWork

LOOK = timedelta(seconds=5)
"""The time between two looks for leases of dead processes."""

GRACE = timedelta(seconds=15)
"""The time that a process of another host may be without its lifeline before its work is free. When
the database is restarted, all lose it at the same moment, and soon take another name."""


@dataclass(frozen=True, slots=True)
class Leased:
    """A kind of leases: `owners` returns who has any, and `free` frees those of an owner."""

    owners: Callable[[UnitOfWork], tuple[str, ...]]
    free: Callable[[UnitOfWork, str], None]


class Leases:
    """The leases of this process, on `host`, and those that dead processes have left.

    `is_running` returns whether a process of this host runs, by its number.
    """

    def __init__(
        self, leased: Leased, lifeline: Lifeline, host: str, new_word: Callable[[], str],
        is_running: Callable[[int], bool], clock: Callable[[], datetime],
    ) -> None:  # fmt: skip
        self._leased = leased
        self._lifeline = lifeline
        self._host = host
        self._new_word = new_word
        self._is_running = is_running
        self._clock = clock
        self._name = ""
        self._missing: dict[str, datetime] = {}
        self._looked_at: datetime | None = None

    def hold(self) -> str:
        """Return the name to lease under, "host:pid:word"; raise StoreUnavailable."""
        self._name = self._name or f"{self._host}:{os.getpid()}:{self._new_word()}"
        self._lifeline.hold(self._name)
        return self._name

    def end_batch(self) -> None:
        """Forget the notes of a batch, because all of it is recorded."""
        self._lifeline.forget_noted(self._name)

    def renounce(self) -> None:
        """Give up the name, because the database was lost: its leases are free for others."""
        self._lifeline.close()
        self._name = ""

    def free_abandoned(
        self, open_unit: OpenUnit, open_reading: OpenUnit, *, at_once: bool = False
    ) -> tuple[str, ...]:
        """Free the leases of dead processes; return their names. Look seldom unless `at_once`."""
        now = self._clock()
        if not at_once and self._looked_at is not None and now - self._looked_at < LOOK:
            return ()
        self._looked_at = now
        with open_reading() as work:
            owners = self._leased.owners(work)
        dead = frozenset(owner for owner in owners if self._is_dead(owner, now))
        self._missing = {name: at for name, at in self._missing.items() if name in owners}
        if not dead:
            return ()
        with open_unit() as work:
            freed = tuple(owner for owner in self._leased.owners(work) if owner in dead)
            for owner in freed:
                self._leased.free(work, owner)
            work.commit()
        for owner in freed:
            self._lifeline.forget_noted(owner)
        return freed

    def is_free(self, owner: str) -> bool:
        """Return whether `owner` is known to be dead right now, without waiting for a grace."""
        return owner != self._name and not self._lifeline.is_held(owner)

    def _is_dead(self, owner: str, now: datetime) -> bool:
        if not self.is_free(owner):
            self._missing.pop(owner, None)
            return False
        host, pid, _ = owner.rsplit(":", 2)
        if host == self._host and (int(pid) == os.getpid() or not self._is_running(int(pid))):
            # In a container the process before this one had the same host and number.
            return True
        return now - self._missing.setdefault(owner, now) >= GRACE


# The pause after the first failed try, the second, and so on; the last one repeats.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240))
# The longest pause of a mail that the relay has not heard of. Trying our own relay costs little,
# and mails should not wait for hours once it works again.
LONGEST_UNOFFERED = timedelta(minutes=15)
# RFC 5321 section 4.5.4.1: give up after at least four to five days.
PATIENCE = timedelta(days=5)
# Even at a relay that answers every command at the last moment, one mail takes less than
# LEASE - BATCH_TIME, so the lease of a live worker never runs out.
LEASE = timedelta(minutes=30)
BATCH_TIME = timedelta(minutes=15)

NOTED_AT_ONCE = 6
"""Mails that are noted as sent together while the batch goes on. With those that the relay may have
just taken, one on each of its four connections, at most ten are sent and not noted."""

_MOST_CONFLICTS = 10
"""The tries in a row to record the verdicts, if other transactions are first."""

_ERROR_LENGTH = 200
_PLUS_WORD = re.compile(r"\+[^\s@<>]+")
_UNPRINTABLE = re.compile(r"[^ -~]+")


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A mail was given up because its recipient cannot be reached."""

    recipient: str
    error: str


def _next_try(delivery: WaitingDelivery, verdict: Deferred, now: datetime) -> datetime | None:
    """Return when to try a mail again that was deferred at `now`, or None to give up."""
    if now - delivery.created_at >= PATIENCE:
        return None
    pause = PAUSES[min(delivery.tries, len(PAUSES) - 1)]
    return now + (pause if verdict.offered else min(pause, LONGEST_UNOFFERED))


def short_error(error: str) -> str:
    """Return `error` as it may be stored and listed: one ASCII line, 200 characters, no tokens.

    Relays repeat addresses in their refusals; the part after "+" in ours is a secret.
    """
    line = " ".join(_UNPRINTABLE.sub(" ", error).split())
    return _PLUS_WORD.sub("+***", line)[:_ERROR_LENGTH]


def deliver_waiting(
    open_unit: OpenUnit,
    relay: Relay,
    clock: Callable[[], datetime],
    owner: str,
    limit: int,
    *,
    stopping: Callable[[], bool] = lambda: False,
    given_up: Callable[[Sequence[Undelivered]], None] = lambda _: None,
    outlast: Callable[[StoreUnavailable], bool] = lambda _: False,
    notes: Notes | None = None,
    observer: Observer = Observer(),  # noqa: B008 - it has no state
) -> int:
    """Hand up to `limit` due mails to `relay`; return how many got a verdict.

    `owner` names this worker as "host:pid:word" and leases one batch at a time. A mail that was
    not tried, because `stopping` said so or time was up, is free for others at once. An exception
    from the relay is a bug: it defers the mail that met it and propagates. `given_up` is called
    at the end, when all is recorded, with the mails whose recipients cannot be reached. `outlast`
    waits a while for a database that is away when there is something to record, and returns whether
    to try again; if not, the mails stay leased, and those that were sent go out once more. With
    `notes`, mails are noted as sent during the batch, so that a kill repeats few. `observer` gets
    the results once they are recorded.
    """
    began = clock()
    with open_unit() as unit:
        claimed = unit.outbox.claim(limit, owner, began, began + LEASE)
        unit.commit()
    waiting = claimed()
    if not waiting:
        return 0
    batch = _Batch(open_unit, clock, owner, waiting, notes)

    def go_on() -> bool:
        return not (stopping() or batch.cut_off) and clock() - began < BATCH_TIME

    try:
        with closing(relay.deliver([each.mail for each in waiting], go_on)) as answers:
            for place, verdict in answers:
                batch.judge(place, verdict)
    except Exception:
        # Without this verdict the same mail would meet the same bug first in every batch.
        unjudged = [place for place in range(len(waiting)) if place not in batch.verdicts]
        fault = Deferred("A fault in this server, see its log.")
        batch.verdicts.update(dict.fromkeys(unjudged[:1], fault))
        raise
    finally:
        _persistent(batch.record, outlast)
        observer.handed(batch.handed)
        if batch.lost:
            given_up(batch.lost)
    return len(batch.verdicts)


class _Batch:
    """The mails of one lease, and the relay's verdicts on them by their places.

    `handed` are the results, and `lost` are the mails that were given up because of their
    recipients. Once the batch is `cut_off` from the database, no further mail is begun: what cannot
    be recorded would go out twice.
    """

    def __init__(
        self, open_unit: OpenUnit, clock: Callable[[], datetime], owner: str,
        waiting: Sequence[WaitingDelivery], notes: Notes | None,
    ) -> None:  # fmt: skip
        self._open_unit = open_unit
        self._notes = notes
        self._clock = clock
        self._owner = owner
        self._waiting = waiting
        self._unnoted: dict[int, str] = {}
        self.verdicts: dict[int, Verdict] = {}
        self.handed: list[Handed] = []
        self.lost: list[Undelivered] = []
        self.cut_off = False

    def judge(self, place: int, verdict: Verdict) -> None:
        """Keep a verdict; once the relay has taken a few mails, note them as sent.

        The last one notes nothing, because then all are recorded.
        """
        if isinstance(verdict, Sent):
            verdict = Sent(short_error(verdict.words))
            self._unnoted[self._waiting[place].id] = verdict.words
        self.verdicts[place] = verdict
        if len(self._unnoted) >= NOTED_AT_ONCE and len(self.verdicts) < len(self._waiting):
            self._note()

    def _note(self) -> None:
        if self._notes is None or self.cut_off:
            return
        try:
            self._notes.note_sent(self._unnoted, self._clock())
        except Conflict:
            return  # with the next one
        except StoreUnavailable:
            self.cut_off = True
        else:
            self._unnoted = {}

    def record(self) -> None:
        """Store all verdicts, and free what was not tried."""
        now = self._clock()
        judged = [(self._waiting[place], self.verdicts[place]) for place in sorted(self.verdicts)]
        self.handed = [_handed(delivery, verdict, now) for delivery, verdict in judged]
        self.lost = [
            Undelivered(each.recipient, each.words)
            for each, (_, verdict) in zip(self.handed, judged, strict=True)
            if each.fate is Handover.GIVEN_UP and _is_about_recipient(verdict)
        ]
        with self._open_unit() as unit:
            # Asked only now: a database that crashes from here on fails this unit as well.
            recorded = self._notes.recorded() if self._notes else ()
            sent = [each for each in self.handed if each.fate is Handover.SENT]
            taken = {each.number: each.words for each in sent if each.number not in recorded}
            unit.outbox.sent(list(taken), now, taken)
            for each in self.handed:
                if each.next_try_at is not None:
                    unit.outbox.deferred(each.number, each.words, each.next_try_at)
                elif each.fate is Handover.GIVEN_UP:
                    unit.outbox.dead(each.number, each.words)
            if len(self.verdicts) < len(self._waiting):
                unit.outbox.release(self._owner)
            _note_health(unit, tuple(self.verdicts.values()), now)
            unit.commit()


def release_dead(work: UnitOfWork, owner: str, noted: Sequence[int], now: datetime) -> None:
    """Free the mails that a dead `owner` leases; the `noted` ones are recorded as sent."""
    if noted:
        work.outbox.sent(work.outbox.leased(owner, noted), now)
    work.outbox.release(owner)


def _persistent(record: Callable[[], None], outlast: Callable[[StoreUnavailable], bool]) -> None:
    """Call `record` until the database takes it.

    Without their verdicts, mails that the relay has taken would go out twice.
    """
    conflicts = 0
    while True:
        try:
            record()
        except Conflict:
            conflicts += 1
            if conflicts == _MOST_CONFLICTS:
                raise
        except StoreUnavailable as outage:
            if not outlast(outage):
                raise
        else:
            return


def _handed(delivery: WaitingDelivery, verdict: Verdict, now: datetime) -> Handed:
    """Return the result of a mail with this verdict."""
    fate, due = Handover.GIVEN_UP, None
    if isinstance(verdict, Sent):
        fate, words = Handover.SENT, verdict.words
    else:
        words = short_error(verdict.error)
    if isinstance(verdict, Deferred) and (due := _next_try(delivery, verdict, now)):
        fate = Handover.RELAY_DOWN if verdict.relay_down else Handover.DEFERRED
    mail, waited = delivery.mail, (now - delivery.created_at).total_seconds()
    return Handed(
        delivery.id, delivery.answers, mail.recipient, mail.message_id, fate, words,
        delivery.tries + 1, waited, due,
    )  # fmt: skip


def _is_about_recipient(verdict: Verdict) -> bool:
    """Return whether a failure is because of the recipient, and not of the server or relay."""
    if isinstance(verdict, Deferred):
        return not verdict.relay_down
    return isinstance(verdict, Failed) and not verdict.about_us


def _note_health(unit: UnitOfWork, verdicts: Sequence[Verdict], now: datetime) -> None:
    """Remember whether the relay works, if the verdicts say so: one mail taken proves it."""
    if any(isinstance(verdict, Sent) for verdict in verdicts):
        if any(pulse.name == RELAY and pulse.failing for pulse in unit.pulses.all()):
            unit.pulses.set_failing(RELAY, now, failing=False)
            # Their pauses grew while the relay was down.
            unit.outbox.hurry(now)
    elif any(isinstance(verdict, Deferred) and verdict.relay_down for verdict in verdicts):
        unit.pulses.set_failing(RELAY, now, failing=True)
