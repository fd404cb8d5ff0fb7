"""Pauses of clocks, the clock time around them, and vacations.

Everything is in UTC, so a day has 24 hours even when a zone changes its clocks. The allowance of
vacation is an amount of time for each calendar year. All the time that a player's vacations cover
counts, a planned one to its end. A vacation across New Year takes from both years.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from pbm.domain.dates import read_date
from pbm.domain.player import PlayerId
from pbm.engine import fold, frozen


class PauseKind(StrEnum):
    """The reasons why a clock is stopped."""

    VACATION = "vacation"
    UNREACHABLE = "unreachable"  # no address of the player works
    RETURNED = "returned"  # a mail to the player came back, or waits in the queue of this host
    UNDELIVERED = "undelivered"  # no relay takes the mails to the player
    OUTAGE = "outage"  # the server or its relay was silent
    MAINTENANCE = "maintenance"  # the operator has stopped all clocks
    BOARD = "board"  # the operator has stopped the clock of one match
    AGREED = "agreed"  # the players of one match have
    ROBOT = "robot"  # the player is a robot, whose turns are not timed


@frozen
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

_NEVER = datetime.max.replace(tzinfo=UTC)


def running_time(since: datetime, until: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return the time that the clock ran between two moments, zero if `until` comes first.

    That can happen if the host's clock was put back.
    """
    if until <= since:
        return _NOTHING
    stopped = _NOTHING
    for began, ended in _merged(pauses):
        last = until if ended is None else min(ended, until)
        stopped += max(last - max(began, since), _NOTHING)
    return until - since - stopped


def moment_after(since: datetime, amount: timedelta, pauses: Sequence[Pause]) -> datetime | None:
    """Return when the clock that starts at `since` has run for `amount`.

    None means that a pause without a known end comes first.
    A clock that runs out at the very moment a pause begins has run out.
    """
    if not pauses:
        return since + amount
    left, began = amount, since
    for paused_at, paused_until in _merged(pauses):
        if paused_at - began >= left:
            break
        left -= max(paused_at - began, _NOTHING)
        if paused_until is None:
            return None
        began = max(began, paused_until)
    return began + left


def pause_at(pauses: Sequence[Pause], moment: datetime) -> Pause | None:
    """Return the pause that covers `moment`, the last to end if several do, or None."""
    if not pauses:
        return None
    covering = [pause for pause in pauses if pause.covers(moment)]
    return max(covering, key=lambda pause: pause.until or _NEVER, default=None)


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


DAY = timedelta(days=1)

CHANGES_A_DAY = 5
"""Vacations that a player may begin or change in a day; each is announced to all opponents."""

OFF = frozenset({"off", "end", "over"})
"""The words that end a vacation."""

_UNTIL = ("until ", "till ")

_SOME_DAY = date(2000, 1, 1)

_LENGTH = re.compile(r"(?:for )?([0-9]{1,4}) ?(?:(d|days?)|(w|weeks?))?")


@frozen
class YearLeft:
    """The rest of the allowance of a calendar year, in whole `days` and `hours`."""

    year: int
    days: int
    hours: int = 0


def asks_for_vacation(text: str) -> bool:
    """Return whether the text after the command word may be a request; otherwise it is prose."""
    folded = fold(text)
    numbered = any(character.isdigit() for character in folded)
    return not folded or folded in OFF or folded.startswith(_UNTIL) or numbered


def is_vacation(text: str) -> bool:
    """Return whether this text can only be what follows the command word.

    That is no text, a length, a day, "off", or anything that begins with until. Till does not
    count, because it is also a name.
    """
    folded = fold(text)
    named = asked_day(folded, _SOME_DAY) is not None or folded.startswith(_UNTIL[0])
    return not folded or folded in OFF or named or _LENGTH.fullmatch(folded) is not None


def asked_day(text: str, today: date) -> date | None:
    """Return the last day of the vacation that `text` asks for, or None."""
    folded = fold(text)
    for word in _UNTIL:
        folded = folded.removeprefix(word)
    return read_date(folded, today)


def asked_end(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the end of the vacation that `text` asks for, or None if it cannot be read.

    "10 days" means 10 times 24 hours from `now`. A day means its end, the midnight after it in
    `zone`, which may have passed.
    """
    length = _LENGTH.fullmatch(fold(text))
    if length:
        return now + int(length[1]) * DAY * (7 if length[3] else 1)
    day = asked_day(text, now.astimezone(zone).date())
    return datetime.combine(day + DAY, time(), zone).astimezone(UTC) if day else None


def current_vacation(pauses: Iterable[Pause], now: datetime) -> Pause | None:
    """Return the vacation that a player is on at `now`, or None."""
    return next((pause for pause in _vacations(pauses) if pause.covers(now)), None)


def unfinished(pauses: Iterable[Pause], now: datetime) -> tuple[Pause, ...]:
    """Return the vacations that are not over at `now`.

    There is at most one, unless the host's clock has been put back.
    """
    return tuple(p for p in _vacations(pauses) if p.until is None or p.until > now)


def cut(pauses: Iterable[Pause], now: datetime) -> tuple[Pause, ...]:
    """Return the vacations as they would be if none went on after `now`."""
    return tuple(
        replace(pause, until=now if pause.until is None else min(pause.until, now))
        for pause in _vacations(pauses)
    )


def left(pauses: Iterable[Pause], year: int, allowance: timedelta) -> timedelta:
    """Return the rest of the `allowance` of a calendar year."""
    begins, ends = (datetime(y, 1, 1, tzinfo=UTC) for y in (year, year + 1))
    taken = (ends - begins) - running_time(begins, ends, _vacations(pauses))
    return max(allowance - taken, timedelta(0))


def left_by_year(
    pauses: Iterable[Pause], now: datetime, until: datetime | None, allowance: timedelta
) -> tuple[YearLeft, ...]:
    """Return the rest of this year's allowance, and of next year's if a vacation lasts into it.

    `until` is the end of that vacation, None if there is none.
    """
    known = tuple(pauses)
    last = now if until is None else max(now, until - timedelta.resolution)
    years = {y: left(known, y, allowance) for y in range(now.year, last.year + 1)}
    return tuple(YearLeft(year, rest.days, rest.seconds // 3600) for year, rest in years.items())


def latest_end(pauses: Iterable[Pause], now: datetime, allowance: timedelta) -> datetime:
    """Return the latest possible end of a vacation that begins at `now`.

    It replaces what was planned, so of earlier vacations only the time before `now` counts. It
    never goes beyond the next year.
    """
    past, end = cut(pauses, now), now
    for year in (now.year, now.year + 1):
        new_year = datetime(year + 1, 1, 1, tzinfo=UTC)
        end = min(end + left(past, year, allowance), new_year)
        if end < new_year:
            break
    return end


def _vacations(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    return tuple(pause for pause in pauses if pause.kind is PauseKind.VACATION)
