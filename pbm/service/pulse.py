"""Signs of life: an outage is known by their absence, and all clocks stand for as long as it took.

Each part of the server gives a sign while it works, so does the relay while it takes mails. A
part that has never given one is not watched.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from pbm.domain.errors import NotNow
from pbm.domain.pauses import Pause, PauseKind, running_time
from pbm.service.ports import News, Pulse, UnitOfWork

log = logging.getLogger("pbm.pulse")

RELAY = "relay"
"""The part that is not ours: it gives signs through whoever delivers to it."""

_PARTS: Mapping[str, tuple[str, ...]] = {
    "intake": ("intake",),
    "play": ("play",),
    "deliver": ("deliver", RELAY),
}

ALL_PARTS = tuple(part for parts in _PARTS.values() for part in parts)
"""What a server without a daemon answers for."""

SERVING = timedelta(minutes=3)
"""How long a sign of `pbm serve` is good, which gives one a minute."""

WORKING = timedelta(hours=2)
"""How long a sign of `pbm work` is good, which cron may run only once an hour."""

WORTH_A_WORD = timedelta(hours=1)
"""An outage that took less is given back in silence."""

_JUMP = timedelta(minutes=1)
"""By how much clocks of two hosts may differ before it means that time was put back."""


def parts_of(roles: Collection[str]) -> tuple[str, ...]:
    """Return the parts for which a process with these `roles` gives signs of life."""
    return tuple(part for role, parts in _PARTS.items() if role in roles for part in parts)


def beat(work: UnitOfWork, names: Iterable[str], now: datetime, good_for: timedelta) -> None:
    """Give a sign of life for the parts `names`; the next one comes within `good_for`.

    Parts whose last sign was no longer good have been silent since: an outage, which is written
    down once, however many parts and processes it met, and announced if it was long. A relay
    that does not take what waits for it gives no sign. If the last signs lie in the future, time
    was put back, and what was written down in that time is set right.
    """
    pulses = work.pulses.held()
    if any(pulse.at - now > _JUMP for pulse in pulses):
        _set_back(work, pulses, now)
    known = {pulse.name: pulse for pulse in pulses}
    alive = [name for name in names if name not in known or not _is_stuck(work, known[name])]
    silent = [known[name].at for name in alive if name in known and known[name].good_until < now]
    if silent:
        _write_down(work, min(silent), now)
    for name in alive:
        work.pulses.beat(name, now, good_for)


def silent_since(work: UnitOfWork, now: datetime) -> datetime | None:
    """Return when the part that has been silent longest gave its last sign; None if all live."""
    silent = (pulse.at for pulse in work.pulses.all() if pulse.good_until < now)
    return min(silent, default=None)


def _is_stuck(work: UnitOfWork, pulse: Pulse) -> bool:
    """Return whether a part does not work. With nothing left to try it on, it is held to do so."""
    return pulse.failing and work.outbox.next_due() is not None


def _write_down(work: UnitOfWork, began: datetime, now: datetime) -> None:
    """Let all clocks have stood from `began` to `now`.

    Of an outage that overlaps earlier ones, because its parts came back one after the other, one
    that covers all is left.
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
    log.warning("an outage from %s to %s: all clocks stood", _told(whole.began_at), _told(now))
    if before < WORTH_A_WORD <= after or after - before >= WORTH_A_WORD:
        work.announcements.add(News.OUTAGE, whole.id, now)


def _told(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _is_outage(pause: Pause) -> bool:
    return pause.kind is PauseKind.OUTAGE


def _end(pause: Pause) -> datetime:
    assert pause.until is not None  # noqa: S101 - an outage is written down when it is over
    return pause.until


def _cost(outage: Pause, pauses: Iterable[Pause], until: datetime) -> timedelta:
    """Return for how long an outage stopped clocks that the operator had not stopped anyway."""
    stopped = [pause for pause in pauses if pause.kind is PauseKind.MAINTENANCE]
    return running_time(outage.began_at, until, stopped)


def _set_back(work: UnitOfWork, pulses: Iterable[Pulse], now: datetime) -> None:
    """Take back what was written down at times that have not come yet.

    If outages of such a time were told to the players, so were deadlines that are wrong.
    """
    log.warning("the time was put back to %s: outages have ended by then", _told(now))
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
    """Stop the clocks of everybody and have that told; raise NotNow if they stand already."""
    if _standing(work) is not None:
        raise NotNow("The clocks stand already; pbm resume lets them run again.")
    pause = work.pauses.add(PauseKind.MAINTENANCE, now, None)
    work.announcements.add(News.STOPPED, pause.id, now)


def restart_clocks(work: UnitOfWork, now: datetime) -> None:
    """Let the clocks of everybody run again and have that told; raise NotNow if they do."""
    pause = _standing(work)
    if pause is None:
        raise NotNow("The clocks have not been stopped.")
    work.pauses.end(pause.id, max(now, pause.began_at))
    work.announcements.add(News.RESUMED, pause.id, now)
    work.matches.look_soon(None, now)


def _standing(work: UnitOfWork) -> Pause | None:
    """Return the maintenance that has no end yet."""
    pauses = work.pauses.of(None)
    return next((p for p in pauses if p.kind is PauseKind.MAINTENANCE and p.until is None), None)
