"""Signs of life: when they stop, there is an outage, and all clocks are stopped while it lasts.

Each part of the server gives a sign while it works, and the relay while it takes mails. A part
that has never given one is not watched, except fetching from a mailbox.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from pbm.domain.errors import NotNow
from pbm.domain.pauses import Pause, PauseKind, running_time
from pbm.store.time import News, Pulse
from pbm.store.unit import UnitOfWork

log = logging.getLogger("pbm.pulse")

RELAY = "relay"
"""The relay is not part of the server: the process that delivers to it gives its signs."""

FETCH = "fetch"
"""Fetching gives its own signs, each after a look that has read the whole mailbox."""

_PARTS: Mapping[str, tuple[str, ...]] = {
    "intake": ("intake",),
    "play": ("play",),
    "deliver": ("deliver", RELAY),
}

ALL_PARTS = tuple(part for parts in _PARTS.values() for part in parts)
"""The parts that a server without a daemon is responsible for."""

SERVING = timedelta(minutes=3)
"""The time for which a sign of `pbm serve` is good; it gives one a minute."""

WORKING = timedelta(hours=2)
"""The time for which a sign of `pbm work` is good; cron may run it only once an hour."""

WORTH_A_WORD = timedelta(hours=1)
"""The shortest outage that is announced; shorter ones are only given back."""

_JUMP = timedelta(minutes=1)
"""The most by which the clocks of two hosts may differ; more means that time was put back."""


def parts_of(roles: Collection[str]) -> tuple[str, ...]:
    """Return the parts for which a process with these `roles` gives signs of life."""
    return tuple(part for role, parts in _PARTS.items() if role in roles for part in parts)


def watch_fetching(work: UnitOfWork, now: datetime, good_for: timedelta, *, used: bool) -> None:
    """Watch fetching from `now` on, though it may never have read the mailbox, or no longer."""
    watched = any(pulse.name == FETCH for pulse in work.pulses.held())
    if used and not watched:
        work.pulses.beat(FETCH, now, good_for)
    elif watched and not used:
        work.pulses.forget(FETCH)


def beat(work: UnitOfWork, names: Iterable[str], now: datetime, good_for: timedelta) -> None:
    """Give a sign of life for the parts `names`; the next one comes within `good_for`.

    A part whose last sign is no longer good has been silent since: an outage. It is recorded
    once, however many parts and processes it hit, and announced if it was long. A relay that
    does not take the mails waiting for it gives no sign. If the last signs lie in the future,
    time was put back, and what was recorded in that time is corrected.
    """
    pulses = work.pulses.held()
    if any(pulse.at - now > _JUMP for pulse in pulses):
        _set_back(work, pulses, now)
    known = {pulse.name: pulse for pulse in pulses}
    alive = [
        name
        for name in names
        # A part that fails gives no sign, unless nothing is left to try it on.
        if name not in known or not known[name].failing or work.outbox.next_due() is None
    ]
    silent = [known[name].at for name in alive if name in known and known[name].good_until < now]
    if silent:
        _write_down(work, min(silent), now)
    for name in alive:
        work.pulses.beat(name, now, good_for)


def silent_since(work: UnitOfWork, now: datetime) -> datetime | None:
    """Return when the part that is silent longest gave its last sign, or None if all work."""
    silent = (pulse.at for pulse in work.pulses.all() if pulse.good_until < now)
    return min(silent, default=None)


def _write_down(work: UnitOfWork, began: datetime, now: datetime) -> None:
    """Record that all clocks were stopped from `began` to `now`.

    If earlier outages overlap, because the parts came back one after the other, they become one.
    """
    pauses = work.pauses.of(None)
    met = [pause for pause in pauses if _is_outage(pause) and began < _end(pause)]
    whole = next((pause for pause in met if pause.began_at <= began), None)
    before = max((_cost(pause, pauses, _end(pause)) for pause in met), default=timedelta(0))
    whole = whole or work.pauses.add(PauseKind.OUTAGE, began, now)
    work.pauses.end(whole.id, now)
    for pause in met:
        if pause.id != whole.id:
            work.pauses.end(pause.id, pause.began_at)
    after = _cost(whole, pauses, now)
    log.warning(
        "an outage from %s to %s: all clocks were stopped", _text(whole.began_at), _text(now)
    )
    if before < WORTH_A_WORD <= after or after - before >= WORTH_A_WORD:
        work.announcements.add(News.OUTAGE, whole.id, now)


def _text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _is_outage(pause: Pause) -> bool:
    return pause.kind is PauseKind.OUTAGE


def _end(pause: Pause) -> datetime:
    assert pause.until is not None  # noqa: S101 - an outage is recorded when it is over
    return pause.until


def _cost(outage: Pause, pauses: Iterable[Pause], until: datetime) -> timedelta:
    """Return the time for which an outage stopped clocks that the operator had not stopped."""
    stopped = [pause for pause in pauses if pause.kind is PauseKind.MAINTENANCE]
    return running_time(outage.began_at, until, stopped)


def _set_back(work: UnitOfWork, pulses: Iterable[Pulse], now: datetime) -> None:
    """Undo what was recorded at times that have not come yet.

    If such an outage was announced, the deadlines in that mail were wrong, which is corrected.
    """
    log.warning("the time was put back to %s: no outage ends after that", _text(now))
    pauses = work.pauses.of(None)
    for pause in pauses:
        if _is_outage(pause) and _end(pause) > now:
            work.pauses.end(pause.id, max(now, pause.began_at))
            if _cost(pause, pauses, _end(pause)) >= WORTH_A_WORD:
                work.announcements.add(News.CORRECTED, pause.id, now)
    for pulse in pulses:
        if pulse.at > now:
            work.pulses.beat(pulse.name, now, pulse.good_until - pulse.at)
            if pulse.failing:
                work.pulses.set_failing(pulse.name, now, failing=True)
    work.outbox.not_after(now)
    work.matches.look_soon(None, now)


def stop_clocks(work: UnitOfWork, now: datetime) -> None:
    """Stop everybody's clocks and announce it; raise NotNow if they are stopped already."""
    if _maintenance(work) is not None:
        raise NotNow("The clocks are already stopped; pbm resume starts them again.")
    pause = work.pauses.add(PauseKind.MAINTENANCE, now, None)
    work.announcements.add(News.STOPPED, pause.id, now)


def restart_clocks(work: UnitOfWork, now: datetime) -> None:
    """Let everybody's clocks run again and announce it; raise NotNow if they already run."""
    pause = _maintenance(work)
    if pause is None:
        raise NotNow("The clocks have not been stopped.")
    work.pauses.end(pause.id, max(now, pause.began_at))
    work.announcements.add(News.RESUMED, pause.id, now)
    work.matches.look_soon(None, now)


def _maintenance(work: UnitOfWork) -> Pause | None:
    """Return the maintenance that has no end yet."""
    pauses = work.pauses.of(None)
    return next((p for p in pauses if p.kind is PauseKind.MAINTENANCE and p.until is None), None)
