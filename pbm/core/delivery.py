"""Delivery: hand the mails in the outbox to the relay, and record what became of them.

A mail is leased in one transaction, handed over with none open, and its verdict is recorded in
another. So a slow relay keeps no lock, and a killed process loses nothing: its leases are freed or
run out, and the same mail goes out again with the same Message-ID. A mail is sent at least once,
and never silently lost. Mails that the relay has taken are noted a few at a time, so a kill repeats
nine at most.

Several threads may deliver, each with leases of its own. While one is held up by a mail, another
takes over the rest of its lease. No mail is leased while another one to its recipient is.
"""

import re
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from itertools import islice

from pbm.core.heartbeat import RELAY
from pbm.core.relaying import Deferred, Failed, Relay, Sent, Verdict
from pbm.domain.observer import Handed, Handover, Observer
from pbm.engine import frozen
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.liveness import Notes
from pbm.store.outbox import WaitingDelivery
from pbm.store.unit import OpenUnit, UnitOfWork

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
"""Mails that are noted as sent together while the batch goes on. With the one that each of three
helping threads notes, a kill finds at most nine that are sent and not noted."""

_MOST_CONFLICTS = 10
"""The tries in a row to record the verdicts, if other transactions are first."""

_ERROR_LENGTH = 200
_PLUS_WORD = re.compile(r"\+[^\s@<>]+")
_UNPRINTABLE = re.compile(r"[^ -~]+")


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
    given_up: Callable[[Sequence[Handed]], None] = lambda _: None,
    outlast: Callable[[StoreUnavailable], bool] = lambda _: False,
    notes: Notes | None = None,
    careful: bool = False,
    observer: Observer = Observer(),  # noqa: B008 - it has no state
    began: Callable[["Lease"], None] = lambda _: None,
) -> int:
    """Hand up to `limit` due mails to `relay`; return how many got a verdict.

    `owner` names this worker as "host:pid:word" and leases one batch at a time, which `began` gets.
    A mail that was not tried, because `stopping` said so or time was up, is free for others at
    once. An exception from the relay is a bug: it defers the mail that met it and propagates.
    `given_up` is called at the end, when all is recorded, with the mails whose recipients cannot be
    reached. `outlast` waits a while for a database that is away when there is something to record,
    and returns whether to try again; if not, the mails stay leased, and those that were sent go out
    once more. With `notes`, mails are noted as sent during the batch, so that a kill repeats few; a
    `careful` one notes each on the disk. `observer` gets the results once they are recorded.
    """
    now = clock()
    with open_unit() as unit:
        waiting = unit.outbox.claim(limit, owner, now, now + LEASE)
        unit.commit()
    if not waiting:
        return 0
    lease = Lease(open_unit, clock, owner, waiting, notes, careful=careful)
    began(lease)

    def go_on() -> bool:
        return not stopping() and clock() - now < BATCH_TIME and lease.begin()

    try:
        with closing(relay.deliver([each.mail for each in waiting], go_on)) as answers:
            for place, verdict in answers:
                lease.judge(place, verdict)
    except Exception:
        # Without this verdict the same mail would meet the same bug first in every lease.
        lease.judge_next(Deferred("A fault in this server, see its log."))
        raise
    finally:
        _persistent(lease.record, outlast)
        observer.handed(lease.handed)
        if lease.lost:
            given_up(lease.lost)
    return len(lease.handed)


class Lease:
    """The mails of one lease, and the relay's verdicts on them by their places.

    `handed` are the results, and `lost` are the mails that were given up because of their
    recipients. Once the batch is cut off from the database, no further mail is begun: what cannot
    be recorded would go out twice. Only `pass_on` may be called by another thread.
    """

    def __init__(
        self, open_unit: OpenUnit, clock: Callable[[], datetime], owner: str,
        waiting: Sequence[WaitingDelivery], notes: Notes | None, *, careful: bool,
    ) -> None:  # fmt: skip
        self._open_unit = open_unit
        self._notes = notes
        self._careful = careful
        self._clock = clock
        self._owner = owner
        self._lock = threading.Lock()
        self._waiting = waiting
        self._begun = 0
        self._begun_at = clock()
        self._unnoted: dict[int, str] = {}
        self._judged: dict[int, _Judgement] = {}
        self._cut_off = False
        self._leased = len(waiting)
        self.handed: list[Handed] = []
        self.lost: list[Handed] = []

    def begin(self) -> bool:
        """Return whether there is a next mail that may be begun; it counts as begun."""
        with self._lock:
            if self._cut_off or self._begun >= len(self._waiting):
                return False
            self._begun += 1
            self._begun_at = self._clock()
            return True

    @property
    def latest(self) -> str:
        """The mail that was begun last, as the log names it."""
        return f"out:{self._waiting[max(0, self._begun - 1)].id}"

    def pass_on(self, *, half: bool = False) -> int:
        """Free the mails that are not begun, or `half` of them; return how many."""
        with self._lock:
            rest = len(self._waiting) - self._begun
            kept = self._begun + (rest // 2 if half else 0)
            freed = [each.id for each in self._waiting[kept:]]
            if not freed:
                return 0
            try:
                with self._open_unit() as unit:
                    unit.outbox.release(self._owner, freed)
                    unit.commit()
            except Conflict:
                return 0  # the next time
            self._waiting = self._waiting[:kept]
            return len(freed)

    def judge(self, place: int, verdict: Verdict) -> None:
        """Keep a verdict; once the relay has taken a few mails, note them as sent.

        The last one notes nothing, because then all are recorded.
        """
        with self._lock:
            if place >= len(self._waiting):
                return  # put off with all the others, after it was passed on
            self._begun = max(self._begun, place + 1)
            delivery = self._waiting[place]
        if isinstance(verdict, Sent):
            verdict = Sent(short_error(verdict.words))
            self._unnoted[delivery.id] = verdict.words
        self._judged[place] = _Judgement(delivery, verdict, self._begun_at, self._clock())
        enough = 1 if self._careful else NOTED_AT_ONCE
        if len(self._unnoted) >= enough and len(self._judged) < len(self._waiting):
            self._note()

    def judge_next(self, verdict: Verdict) -> None:
        """Judge the first mail that has no verdict yet, if there is one."""
        unjudged = (place for place in range(len(self._waiting)) if place not in self._judged)
        for place in islice(unjudged, 1):
            self.judge(place, verdict)

    def _note(self) -> None:
        if self._notes is None or self._cut_off:
            return
        try:
            self._notes.note_sent(self._unnoted, self._clock(), on_disk=self._careful)
        except Conflict:
            return  # with the next one
        except StoreUnavailable:
            self._cut_off = True
        else:
            self._unnoted = {}

    def record(self) -> None:
        """Store all verdicts, and free what was not tried."""
        with self._lock:
            self._waiting = self._waiting[: self._begun]
            self._record([self._judged[place] for place in sorted(self._judged)], self._clock())

    def _record(self, judged: Sequence["_Judgement"], now: datetime) -> None:
        with self._open_unit() as unit:
            works = _works(unit, judged)
            self.handed = [each.handed(works=works) for each in judged]
            self.lost = [
                handed
                for handed, each in zip(self.handed, judged, strict=True)
                if handed.fate is Handover.GIVEN_UP and _is_about_recipient(each.verdict)
            ]
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
            if len(judged) < self._leased:
                unit.outbox.release(self._owner)
            _note_health(unit, judged, now, works=works)
            unit.commit()


@frozen
class _Judgement:
    """A verdict on a mail that was begun and judged at these moments."""

    delivery: WaitingDelivery
    verdict: Verdict
    begun_at: datetime
    judged_at: datetime

    def handed(self, *, works: bool) -> Handed:
        """Return the result. A relay that `works` has not put a mail off because it is down."""
        delivery, verdict, fate, due = self.delivery, self.verdict, Handover.GIVEN_UP, None
        if isinstance(verdict, Sent):
            fate, words = Handover.SENT, verdict.words
        else:
            words = short_error(verdict.error)
        if isinstance(verdict, Deferred) and (due := _next_try(delivery, verdict, self.judged_at)):
            down = verdict.relay_down and not (works and verdict.offered)
            fate = Handover.RELAY_DOWN if down else Handover.DEFERRED
        return Handed(
            delivery.id, delivery.answers, delivery.mail.recipient, delivery.mail.message_id, fate,
            words, delivery.tries + 1, (self.judged_at - delivery.created_at).total_seconds(),
            self.begun_at, (self.judged_at - self.begun_at).total_seconds(), due,
        )  # fmt: skip


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


def _is_about_recipient(verdict: Verdict) -> bool:
    """Return whether a failure is because of the recipient, and not of the server or relay."""
    if isinstance(verdict, Deferred):
        return not verdict.relay_down
    return isinstance(verdict, Failed) and not verdict.about_us


def _is_down(judgement: _Judgement) -> bool:
    return isinstance(judgement.verdict, Deferred) and judgement.verdict.relay_down


def _works(unit: UnitOfWork, judged: Sequence[_Judgement]) -> bool:
    """Return whether the relay took a mail, of these or by another thread since they were begun."""
    if any(isinstance(each.verdict, Sent) for each in judged):
        return True
    begun = min((each.begun_at for each in judged if _is_down(each)), default=None)
    return begun is not None and unit.outbox.has_sent_since(begun)


def _note_health(
    unit: UnitOfWork, judged: Sequence[_Judgement], now: datetime, *, works: bool
) -> None:
    """Remember whether the relay works, if the verdicts say so: one mail taken proves it."""
    if works:
        if any(pulse.name == RELAY and pulse.failing for pulse in unit.pulses.all()):
            unit.pulses.set_failing(RELAY, now, failing=False)
            # Their pauses grew while the relay was down.
            unit.outbox.hurry(now)
    elif any(map(_is_down, judged)):
        unit.pulses.set_failing(RELAY, now, failing=True)
