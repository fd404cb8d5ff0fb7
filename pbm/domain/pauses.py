"""Pauses: the times in which a player's clock is stopped, and clock time counted around them.

Everything is in UTC, so a day has 24 hours even when a zone changes its clocks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from pbm.domain.player import PlayerId


class PauseKind(StrEnum):
    """The reasons why a clock is stopped."""

    VACATION = "vacation"
    UNREACHABLE = "unreachable"  # mails to the player come back
    OUTAGE = "outage"  # the server or its relay was silent
    MAINTENANCE = "maintenance"  # the operator has stopped all clocks
    BOARD = "board"  # the operator has stopped the clock of one match
    ROBOT = "robot"  # the player is a robot, whose turns are not timed


@dataclass(frozen=True, slots=True)
class Pause:
    """A span from `began_at` up to, not including, `until`, which is None if not known yet.

    `player` is the one whose clock is stopped, or None for everybody.
    """

    kind: PauseKind
    began_at: datetime
    until: datetime | None
    player: PlayerId | None = None
    id: int = 0

    def covers(self, moment: datetime) -> bool:
        """Return whether this stops the clock at `moment`."""
        return self.began_at <= moment and (self.until is None or moment < self.until)


_NOTHING = timedelta(0)


def running_time(since: datetime, until: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return how long the clock ran between two moments; nothing if `until` comes first.

    That can happen if the host's clock was put back.
    """
    if until <= since:
        return _NOTHING
    stood = _NOTHING
    for began, ended in _merged(pauses):
        last = until if ended is None else min(ended, until)
        stood += max(last - max(began, since), _NOTHING)
    return until - since - stood


def moment_after(since: datetime, amount: timedelta, pauses: Sequence[Pause]) -> datetime | None:
    """Return when the clock that starts at `since` has run for `amount`.

    None means never, as far as is known, because a pause without a known end comes first.
    A clock that runs out at the very moment a pause begins has run out.
    """
    if not pauses:
        return since + amount
    left, began = amount, since
    for stood_from, stood_until in _merged(pauses):
        if stood_from - began >= left:
            break
        left -= max(stood_from - began, _NOTHING)
        if stood_until is None:
            return None
        began = max(began, stood_until)
    return began + left


def pause_at(pauses: Sequence[Pause], moment: datetime) -> Pause | None:
    """Return the pause that covers `moment`, the last to end if several do, or None."""
    if not pauses:
        return None
    standing = [pause for pause in pauses if pause.covers(moment)]
    endless = [pause for pause in standing if pause.until is None]
    return endless[0] if endless else max(standing, key=_end, default=None)


def _end(pause: Pause) -> datetime:
    assert pause.until is not None  # noqa: S101 - the caller has looked
    return pause.until


def _merged(pauses: Iterable[Pause]) -> Iterator[tuple[datetime, datetime | None]]:
    """Yield the spans that pauses cover together, in order; they neither touch nor overlap."""
    ordered = sorted(pauses, key=lambda pause: pause.began_at)
    began: datetime | None = None
    until: datetime | None = None
    for pause in ordered:
        if pause.until is not None and pause.until <= pause.began_at:
            continue
        if began is None:
            began, until = pause.began_at, pause.until
        elif until is None:
            break
        elif pause.began_at <= until:
            until = None if pause.until is None else max(until, pause.until)
        else:
            yield began, until
            began, until = pause.began_at, pause.until
    if began is not None:
        yield began, until
