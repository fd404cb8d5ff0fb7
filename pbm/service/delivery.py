"""Delivery: hand the mails in the outbox to the relay, and record what became of them.

The stage between "the board mail is committed" and "the smart host has it". A mail is leased
in one transaction, handed over with none open, and its verdict recorded in another, so that a
slow relay holds no lock and a killed process loses nothing: the lease runs out or is released,
and the same mail goes out again with the same Message-ID. At least once, never silently lost.

This module says what a relay is and how long to wait for it; pbm/relay says how to talk to it.
"""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from pbm.domain.mail import OutgoingMail
from pbm.service.ports import Conflict, OpenUnit, StoreUnavailable, UnitOfWork, WaitingDelivery
from pbm.service.ports.witness import Handed, Handover, NoWitness, Witness
from pbm.service.pulse import RELAY

# The pause after the first failed try, the second, and so on; the last one repeats.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240))
# RFC 5321 section 4.5.4.1: give up after at least four to five days.
PATIENCE = timedelta(days=5)
# Even at a relay that answers every command at the last moment, one mail takes less than
# LEASE - BATCH_TIME, so the lease of a live worker never runs out.
LEASE = timedelta(minutes=30)
BATCH_TIME = timedelta(minutes=15)

_MOST_CONFLICTS = 10
"""How often in a row another transaction may be in the way of the verdicts."""

_ERROR_LENGTH = 200
_PLUS_WORD = re.compile(r"\+[^\s@<>]+")
_UNPRINTABLE = re.compile(r"[^ -~]+")


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
    """

    error: str
    relay_down: bool = False


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


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A mail was given up because its recipient cannot be reached."""

    recipient: str
    error: str


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


def next_try(created_at: datetime, tries: int, now: datetime) -> datetime | None:
    """Return when to retry a mail deferred at `now` after `tries` earlier tries; None: give up."""
    if now - created_at >= PATIENCE:
        return None
    return now + PAUSES[min(tries, len(PAUSES) - 1)]


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
    witness: Witness = NoWitness(),  # noqa: B008 - it has no state
) -> int:
    """Hand up to `limit` due mails to `relay`; return how many got a verdict.

    `owner` names this worker as "host:pid:word" and leases one batch at a time. A mail that was
    not tried, because `stopping` said so or time was up, is free for others at once. An exception
    from the relay is a bug: it defers the mail that met it and propagates. `given_up` is called
    at the end, when all is recorded, with the mails whose recipients cannot be reached. `outlast`
    waits a while for a database that is away when there is something to record, and returns whether
    to try again; if not, the mails stay leased, and those that were sent go out once more.
    `witness` is told what became of the mails, once that is recorded.
    """
    began = clock()
    with open_unit() as unit:
        waiting = unit.outbox.claim(limit, owner, began, began + LEASE)
        unit.commit()
    if not waiting:
        return 0
    verdicts: dict[int, Verdict] = {}
    mails = [delivery.mail for delivery in waiting]

    def go_on() -> bool:
        return not stopping() and clock() - began < BATCH_TIME

    try:
        with closing(relay.deliver(mails, go_on)) as answers:
            verdicts.update(answers)
    except Exception:
        # Without this verdict the same mail would meet the same bug first in every batch.
        unjudged = [place for place in range(len(waiting)) if place not in verdicts]
        fault = Deferred("A fault in this server, see its log.")
        verdicts.update(dict.fromkeys(unjudged[:1], fault))
        raise
    finally:
        now = clock()
        record = partial(_record, open_unit, waiting, verdicts, owner, now)
        lost = _persistent(record, outlast)
        witness.handed([_told(waiting[place], verdicts[place], now) for place in sorted(verdicts)])
        if lost:
            given_up(lost)
    return len(verdicts)


def release_dead(open_unit: OpenUnit, is_alive: Callable[[str], bool]) -> tuple[str, ...]:
    """Free the leases of owners that are not alive; return these owners."""
    with open_unit() as unit:
        dead = tuple(owner for owner in unit.outbox.owners() if not is_alive(owner))
        for owner in dead:
            unit.outbox.release(owner)
        unit.commit()
    return dead


def _persistent(
    record: Callable[[], tuple[Undelivered, ...]], outlast: Callable[[StoreUnavailable], bool]
) -> tuple[Undelivered, ...]:
    """Return what `record` returns, called again while the database is away or gives it up.

    Without their verdicts, mails that the relay has taken would go out twice.
    """
    conflicts = 0
    while True:
        try:
            return record()
        except Conflict:
            conflicts += 1
            if conflicts == _MOST_CONFLICTS:
                raise
        except StoreUnavailable as outage:
            if not outlast(outage):
                raise


def _record(
    open_unit: OpenUnit,
    waiting: Sequence[WaitingDelivery],
    verdicts: Mapping[int, Verdict],
    owner: str,
    now: datetime,
) -> tuple[Undelivered, ...]:
    """Store the verdicts by place, which may be fewer than the mails, in one unit of work.

    Returns the mails that were given up because of their recipients.
    """
    judged = [(waiting[place], verdict) for place, verdict in sorted(verdicts.items())]
    lost: list[Undelivered | None] = []
    with open_unit() as unit:
        taken = {m.id: short_error(v.words) for m, v in judged if isinstance(v, Sent)}
        unit.outbox.sent(list(taken), now, taken)
        for delivery, verdict in judged:
            if not isinstance(verdict, Sent):
                lost.append(_put_off(unit, delivery, verdict, now))
        if len(judged) < len(waiting):
            unit.outbox.release(owner)
        _note_health(unit, tuple(verdicts.values()), now)
        unit.commit()
    return tuple(filter(None, lost))


def _told(delivery: WaitingDelivery, verdict: Verdict, now: datetime) -> Handed:
    """Return what is told of a mail with this verdict, which is recorded."""
    due, words = None, verdict.words if isinstance(verdict, Sent) else verdict.error
    fate = Handover.SENT if isinstance(verdict, Sent) else Handover.GIVEN_UP
    if isinstance(verdict, Deferred):
        due = next_try(delivery.created_at, delivery.tries, now)
        if due is not None:
            fate = Handover.RELAY_DOWN if verdict.relay_down else Handover.DEFERRED
    mail, waited = delivery.mail, (now - delivery.created_at).total_seconds()
    return Handed(
        delivery.id, delivery.answers, mail.recipient, mail.message_id, fate, short_error(words),
        delivery.tries + 1, waited, due,
    )  # fmt: skip


def _note_health(unit: UnitOfWork, verdicts: Sequence[Verdict], now: datetime) -> None:
    """Remember whether the relay works, if the verdicts say so: one mail taken proves it."""
    if any(isinstance(verdict, Sent) for verdict in verdicts):
        if any(pulse.name == RELAY and pulse.failing for pulse in unit.pulses.all()):
            unit.pulses.set_failing(RELAY, now, failing=False)
    elif any(isinstance(verdict, Deferred) and verdict.relay_down for verdict in verdicts):
        unit.pulses.set_failing(RELAY, now, failing=True)


def _put_off(
    unit: UnitOfWork, delivery: WaitingDelivery, verdict: Deferred | Failed, now: datetime
) -> Undelivered | None:
    """Store a verdict that is not Sent: another try later, or none.

    Returns the mail if it is given up because of its recipient.
    """
    error = short_error(verdict.error)
    due = next_try(delivery.created_at, delivery.tries, now)
    if isinstance(verdict, Deferred) and due is not None:
        unit.outbox.deferred(delivery.id, error, due)
        return None
    unit.outbox.dead(delivery.id, error)
    ours = verdict.relay_down if isinstance(verdict, Deferred) else verdict.about_us
    return None if ours else Undelivered(delivery.mail.recipient, error)
