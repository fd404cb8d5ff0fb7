"""Whose time is up, and when: reminders, forfeits and total time (commands.md, "Time").

All is worked out from the match, its log and its pauses; the clock is passed in. A turn's clock
starts with the ply, or the undo, before it. A nag comes at nagtime and a last warning two days
before the forfeit, each once a turn. Nobody forfeits without that warning: if it comes late,
because nobody looked in time, the forfeit waits for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbm.domain.match import (
    PLIES,
    Entry,
    EntryKind,
    Match,
    Reminded,
    Reminder,
    keep,
    seated,
)
from pbm.domain.pauses import Pause, PauseKind, moment_after, pause_at, running_time
from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId

DAY = timedelta(days=1)

WARNING_AHEAD = 2 * DAY
"""How long before the forfeit the last warning comes."""

AFTER_OUTAGE = DAY
"""After an outage everybody has as much time as it took, up to this, whatever his clock says.

Mails that met it are still on their way: their hosts try again with growing pauses.
"""

LEAST_NOTICE = DAY / 2
"""A warning that would leave less time than this gives a new notice instead."""

LEAST_TURN = DAY / 2
"""What a player has for a move at least, however little is left of his totaltime."""

LOOK_AGAIN = DAY
"""How often a clock is looked at that stands for nobody knows how long."""

SOON = timedelta(minutes=1)
"""How soon a clock is looked at again at the earliest."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When what is due for a player to move. None: his clock stands, for nobody knows how long.

    A nag that would not come before the warning is None as well: there is none.
    """

    nag_at: datetime | None
    warning_at: datetime | None
    forfeit_at: datetime | None


def players_to_move(board: LiveMatch) -> tuple[PlayerId, ...]:
    """Return whose clocks run, or stand, in this turn; nobody's once the match is over."""
    return tuple(dict.fromkeys(board.match.players[seat] for seat in board.to_move))


def pauses_of(match: Match, player: PlayerId) -> tuple[Pause, ...]:
    """Return the pauses in which the clock of `player` stands in this match."""
    shared = tuple(pause for pause in match.pauses if pause.player in (None, player))
    return (*shared, *_board_pauses(match.log))


def _board_pauses(log: Iterable[Entry]) -> tuple[Pause, ...]:
    """Return the pauses that the operator has made in this match alone."""
    pauses: list[Pause] = []
    began: datetime | None = None
    for entry in log:
        if entry.kind is EntryKind.PAUSE and began is None:
            began = entry.at
        elif entry.kind is EntryKind.RESUME and began is not None:
            pauses.append(Pause(PauseKind.BOARD, began, entry.at))
            began = None
    if began is not None:
        pauses.append(Pause(PauseKind.BOARD, began, None))
    return tuple(pauses)


def schedule(match: Match, player: PlayerId) -> Schedule:
    """Return when what is due for `player`, who is to move."""
    pauses = pauses_of(match, player)
    limit = turn_limit(match, player)
    nag, warning = timedelta(days=match.terms.nag_days), limit - _notice(limit)
    return Schedule(
        moment_after(match.turn_since, nag, pauses) if nag < warning else None,
        moment_after(match.turn_since, warning, pauses),
        _forfeit_at(match, player, limit, pauses),
    )


def turn_limit(match: Match, player: PlayerId) -> timedelta:
    """Return how long the clock of `player` may run in this turn.

    That is the forfeittime, or what the turns before have left of the totaltime if it is less, but
    time enough to read a mail; and what the operator has added in this turn.
    """
    limit = timedelta(days=match.terms.forfeit_days)
    if match.terms.total_days is not None:
        total = timedelta(days=match.terms.total_days)
        spent = time_used(match).get(player, timedelta(0))
        limit = min(limit, max(total - spent, LEAST_TURN))
    return limit + timedelta(days=_days_added(match.log))


def _days_added(log: Sequence[Entry]) -> int:
    days = 0
    for entry in reversed(log):
        if entry.kind in PLIES or entry.kind is EntryKind.UNDO:
            break
        if entry.kind is EntryKind.EXTEND:
            days += int(entry.text)
    return days


def _notice(limit: timedelta) -> timedelta:
    """Return how long before the end of a turn's time the last warning comes.

    Two days, or half of a time that is so short that they would be most of it.
    """
    return WARNING_AHEAD if limit >= WARNING_AHEAD + DAY else limit / 2


def _forfeit_at(
    match: Match, player: PlayerId, limit: timedelta, pauses: Sequence[Pause]
) -> datetime | None:
    reminded = match.reminded.get(player)
    bounds = [moment_after(match.turn_since, limit, pauses)]
    if reminded is not None:
        bounds.append(moment_after(reminded.at, _notice(limit), pauses))
    bounds += [
        pause.until + min(AFTER_OUTAGE, pause.until - pause.began_at)
        for pause in pauses
        if pause.until is not None and _is_outage_of(match, pause)
    ]
    known = [bound for bound in bounds if bound is not None]
    return max(known) if len(known) == len(bounds) else None


def is_paused(match: Match) -> bool:
    """Return whether the operator has stopped the clock of this match."""
    return any(pause.until is None for pause in _board_pauses(match.log))


def _is_outage_of(match: Match, pause: Pause) -> bool:
    """Return whether `pause` is an outage of this turn, and not one that was taken back."""
    until = pause.until or pause.began_at
    return pause.kind is PauseKind.OUTAGE and max(pause.began_at, match.turn_since) < until


def time_used(match: Match) -> Mapping[PlayerId, timedelta]:
    """Return the clock time that each player has used in the turns before this one.

    The time that ends in an undo is nobody's: both have agreed to it.
    """
    used = dict.fromkeys(match.starters, timedelta(0))
    pauses = {player: pauses_of(match, player) for player in used}
    sitting, kept, since = match.starters, list[Entry](), match.started_at
    for entry in match.log:
        if entry.kind in PLIES and entry.seat is not None:
            mover = sitting[entry.seat]
            used[mover] += running_time(since, entry.at, pauses[mover])
        keep(kept, entry)
        if entry.kind in (EntryKind.SWAP, EntryKind.UNDO):
            sitting = seated(match.starters, kept)
        if entry.kind in PLIES or entry.kind is EntryKind.UNDO:
            since = entry.at
    return used


def time_spent(board: LiveMatch, now: datetime) -> Mapping[PlayerId, timedelta]:
    """Return the clock time that each player has used up to `now`, this turn included."""
    match = board.match
    spent = dict(time_used(match))
    for player in players_to_move(board):
        spent[player] += running_time(match.turn_since, now, pauses_of(match, player))
    return spent


def current_pause(match: Match, player: PlayerId, now: datetime) -> Pause | None:
    """Return why the clock of `player` stands at `now`; None if it runs."""
    return pause_at(pauses_of(match, player), now)


def due_reminder(
    match: Match, player: PlayerId, now: datetime, ahead: timedelta = timedelta(0)
) -> Reminder | None:
    """Return the reminder that `player`, who is to move, is to get at `now`; None if none is due.

    One that will be due within the time `ahead` counts too, so that a mail can take it along.
    """
    if match.over or current_pause(match, player, now):
        return None
    times, reminded = schedule(match, player), match.reminded.get(player)
    last = reminded.last if reminded else 0
    if last < Reminder.WARNING and _is_due(times.warning_at, now + ahead):
        return Reminder.WARNING
    if last < Reminder.NAG and _is_due(times.nag_at, now + ahead):
        return Reminder.NAG
    return None


def ahead_of(match: Match) -> timedelta:
    """Return how early a reminder may come if another one goes out anyway: a day, or less.

    So who plays on many boards gets at most one mail a day of them.
    """
    return min(DAY, timedelta(days=match.terms.nag_days) / 7)


def is_forfeited(match: Match, player: PlayerId, now: datetime) -> bool:
    """Return whether the time of `player`, who is to move and has been warned, is over at `now`."""
    reminded = match.reminded.get(player)
    if match.over or reminded is None or reminded.last < Reminder.WARNING:
        return False
    if current_pause(match, player, now):
        return False
    return _is_due(schedule(match, player).forfeit_at, now)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now


def reminded(match: Match, player: PlayerId, reminder: Reminder, now: datetime) -> Match:
    """Return `match` with `player` told. His notice begins, or begins anew if time has run short.

    The forfeit never comes before the end of the notice.
    """
    before = match.reminded.get(player)
    kept = replace(match, reminded={**match.reminded, player: Reminded(reminder, now)})
    if before is None or before.at > now:
        return kept
    told = {**match.reminded, player: Reminded(reminder, before.at)}
    earlier = replace(match, reminded=told)
    end = schedule(earlier, player).forfeit_at
    least = min(LEAST_NOTICE, _notice(turn_limit(match, player)))
    return earlier if end is None or end - now >= least else kept


def not_after(match: Match, now: datetime) -> Match:
    """Return `match` with its clock set right if it began in the future: time was put back."""
    told = {
        player: replace(reminded, at=min(reminded.at, now))
        for player, reminded in match.reminded.items()
    }
    return replace(match, turn_since=min(match.turn_since, now), reminded=told)


def next_look(board: LiveMatch, now: datetime) -> datetime | None:
    """Return when the clocks of this match are next to be looked at; None once it is over.

    That is when the next reminder or the forfeit is due, as far as is known: a pause that comes
    can only make it later, and whoever ends a pause early sees to it that somebody looks.
    """
    moments = [_next_look(board.match, player, now) for player in players_to_move(board)]
    return min(moments, default=None)


def _next_look(match: Match, player: PlayerId, now: datetime) -> datetime:
    step = _next_step(match, player) or now + LOOK_AGAIN
    pause = current_pause(match, player, now)
    running_from = now + SOON if pause is None else pause.until or now + LOOK_AGAIN
    return max(step, running_from)


def _next_step(match: Match, player: PlayerId) -> datetime | None:
    times, told = schedule(match, player), match.reminded.get(player)
    if told is None:
        return times.nag_at or times.warning_at
    return times.warning_at if told.last is Reminder.NAG else times.forfeit_at
