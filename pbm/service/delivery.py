"""Delivery: hand the mails in the outbox to the relay, and record what became of them.

The stage between "the board mail is committed" and "the smart host has it". A mail is leased
in one transaction, handed over with none open, and its verdict recorded in another, so that a
slow relay holds no lock and a killed process loses nothing: its leases are freed (leases.py) or
run out, and the same mail goes out again with the same Message-ID. At least once, never silently
lost. What the relay has taken is noted a few mails at a time, so a kill repeats ten at most.

This module says how long to wait for a relay; relaying.py says what one is.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbm.service.heartbeat import RELAY
from pbm.service.ports import (
    Conflict,
    Lifeline,
    Notes,
    OpenUnit,
    StoreUnavailable,
    UnitOfWork,
    WaitingDelivery,
)
from pbm.service.ports.operator import Handed, Handover, Observer
from pbm.service.relaying import Deferred, Failed, Relay, Sent, Verdict

LOOK = timedelta(seconds=5)
"""The time between two looks for leases that nobody holds any more."""

GRACE = timedelta(seconds=15)
"""How long a process of another host may be without its lifeline before its work is free. When
the database starts anew, all lose it at the same moment, and take another name soon."""


@dataclass(frozen=True, slots=True)
class Leased:
    """What is leased: `owners` returns who leases any, and `free` frees what an owner leases."""

    owners: Callable[[UnitOfWork], tuple[str, ...]]
    free: Callable[[UnitOfWork, str], None]


class Leases:
    """The leases of this process, on `host`, and those that others have left.

    `is_running` tells of a process of this host, by its number, whether it runs.
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
        """Forget what was noted of a batch: all of it is recorded."""
        self._lifeline.forget_noted(self._name)

    def renounce(self) -> None:
        """Give the name up, because the database was lost: what it leases is free for others."""
        self._lifeline.close()
        self._name = ""

    def free_abandoned(
        self, open_unit: OpenUnit, open_reading: OpenUnit, *, at_once: bool = False
    ) -> tuple[str, ...]:
        """Free what dead processes lease, and return their names; look seldom unless `at_once`."""
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
# The longest pause of a mail that the relay has not heard of. To knock at our own relay costs
# nobody anything, and whoever has mended it should not look on for hours while mails wait.
LONGEST_UNOFFERED = timedelta(minutes=15)
# RFC 5321 section 4.5.4.1: give up after at least four to five days.
PATIENCE = timedelta(days=5)
# Even at a relay that answers every command at the last moment, one mail takes less than
# LEASE - BATCH_TIME, so the lease of a live worker never runs out.
LEASE = timedelta(minutes=30)
BATCH_TIME = timedelta(minutes=15)

NOTED_AT_ONCE = 6
"""Mails that are noted as sent together while the batch goes on. With those that the relay may have
just taken, one on each of its four connections, there are ten at most that nobody knows of."""

_MOST_CONFLICTS = 10
"""How often in a row another transaction may be in the way of the verdicts."""

_ERROR_LENGTH = 200
_PLUS_WORD = re.compile(r"\+[^\s@<>]+")
_UNPRINTABLE = re.compile(r"[^ -~]+")


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A mail was given up because its recipient cannot be reached."""

    recipient: str
    error: str


def _next_try(delivery: WaitingDelivery, verdict: Deferred, now: datetime) -> datetime | None:
    """Return when to try a mail again that was put off at `now`; None: give up."""
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
    `notes`, mails are noted as sent in the midst of the batch, so that a kill repeats few.
    `observer` is told what became of the mails, once that is recorded.
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
        observer.handed(batch.told())
        if batch.lost:
            given_up(batch.lost)
    return len(batch.verdicts)


class _Batch:
    """The mails of one lease, and what the relay has said of them by their places.

    The words with which it has taken a mail are as `short_error` leaves them.
    `lost` are those that were given up because of their recipients. Once the batch is `cut_off`
    from the database, no mail is begun any more: what cannot be recorded would go out twice.
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
        self.lost: list[Undelivered] = []
        self.cut_off = False

    def judge(self, place: int, verdict: Verdict) -> None:
        """Take a verdict; once a few mails have been taken by the relay, note them as sent.

        Not with the last one, because then all are recorded.
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
        with self._open_unit() as unit:
            # Asked only now: a database that crashes from here on fails this unit as well.
            recorded = self._notes.recorded() if self._notes else ()
            self.lost = _record(unit, self._waiting, self.verdicts, recorded, now)
            if len(self.verdicts) < len(self._waiting):
                unit.outbox.release(self._owner)
            _note_health(unit, tuple(self.verdicts.values()), now)
            unit.commit()

    def told(self) -> list[Handed]:
        """Return what became of each mail, for the observer."""
        now = self._clock()
        return [
            _told(self._waiting[place], verdict, now)
            for place, verdict in sorted(self.verdicts.items())
        ]


def release_dead(work: UnitOfWork, owner: str, noted: Sequence[int], now: datetime) -> None:
    """Free the mails that a dead `owner` leases. Of these, the `noted` ones are sent, at `now`."""
    if noted:
        work.outbox.sent(work.outbox.leased(owner, noted), now)
    work.outbox.release(owner)


def _persistent(record: Callable[[], None], outlast: Callable[[StoreUnavailable], bool]) -> None:
    """Call `record` again while the database is away or gives it up.

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


def _record(
    unit: UnitOfWork,
    waiting: Sequence[WaitingDelivery],
    verdicts: Mapping[int, Verdict],
    recorded: Collection[int],
    now: datetime,
) -> list[Undelivered]:
    """Store the verdicts by place but for those that are `recorded`.

    Returns the mails given up because of their recipients.
    """
    judged = [(waiting[place], verdict) for place, verdict in sorted(verdicts.items())]
    taken = {
        mail.id: verdict.words
        for mail, verdict in judged
        if isinstance(verdict, Sent) and mail.id not in recorded
    }
    unit.outbox.sent(list(taken), now, taken)
    put_off = (
        _put_off(unit, delivery, verdict, now)
        for delivery, verdict in judged
        if not isinstance(verdict, Sent)
    )
    return [lost for lost in put_off if lost]


def _told(delivery: WaitingDelivery, verdict: Verdict, now: datetime) -> Handed:
    """Return what is told of a mail with this verdict, which is recorded."""
    due, words = None, verdict.words if isinstance(verdict, Sent) else short_error(verdict.error)
    fate = Handover.SENT if isinstance(verdict, Sent) else Handover.GIVEN_UP
    if isinstance(verdict, Deferred):
        due = _next_try(delivery, verdict, now)
        if due is not None:
            fate = Handover.RELAY_DOWN if verdict.relay_down else Handover.DEFERRED
    mail, waited = delivery.mail, (now - delivery.created_at).total_seconds()
    return Handed(
        delivery.id, delivery.answers, mail.recipient, mail.message_id, fate, words,
        delivery.tries + 1, waited, due,
    )  # fmt: skip


def _note_health(unit: UnitOfWork, verdicts: Sequence[Verdict], now: datetime) -> None:
    """Remember whether the relay works, if the verdicts say so: one mail taken proves it."""
    if any(isinstance(verdict, Sent) for verdict in verdicts):
        if any(pulse.name == RELAY and pulse.failing for pulse in unit.pulses.all()):
            unit.pulses.set_failing(RELAY, now, failing=False)
            # Their pauses grew with the trouble of the relay, which is over.
            unit.outbox.hurry(now)
    elif any(isinstance(verdict, Deferred) and verdict.relay_down for verdict in verdicts):
        unit.pulses.set_failing(RELAY, now, failing=True)


def _put_off(
    unit: UnitOfWork, delivery: WaitingDelivery, verdict: Deferred | Failed, now: datetime
) -> Undelivered | None:
    """Store a verdict that is not Sent: another try later, or none.

    Returns the mail if it is given up because of its recipient.
    """
    error = short_error(verdict.error)
    due = _next_try(delivery, verdict, now) if isinstance(verdict, Deferred) else None
    if due is not None:
        unit.outbox.deferred(delivery.id, error, due)
        return None
    unit.outbox.dead(delivery.id, error)
    ours = verdict.relay_down if isinstance(verdict, Deferred) else verdict.about_us
    return None if ours else Undelivered(delivery.mail.recipient, error)
