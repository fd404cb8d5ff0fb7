"""Clocks of matches: reminders, forfeits, total time, and changes by the operator.

Everything is computed from the match, its log and its pauses; the time is passed in. A turn's
clock starts with the ply, or the undo, before it. A nag comes at nagtime and a last warning two
days before the forfeit, each once a turn. Nobody forfeits without that warning: if it comes late,
because the clock was not looked at in time, the forfeit waits for it. Changes by time and by the
operator are pure steps, as in pbm.domain.play.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbm.domain.errors import NotNow
from pbm.domain.invitations import Increment, Terms
from pbm.domain.logs import PLIES, EntryKind, LogEntry, keep
from pbm.domain.match import Ending, Match, Reminded, Reminder, seated
from pbm.domain.pauses import Pause, PauseKind, moment_after, pause_at, running_time
from pbm.domain.play import Board, Turns, check_open, left, with_entry
from pbm.domain.player import PlayerId
from pbm.engine import Draw, Seat, frozen
from pbm.engine.chance import unseen

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)

WARNING_AHEAD = 2 * DAY
"""The time between the last warning and the forfeit."""

_LONG = WARNING_AHEAD + DAY
"""The least time of a turn of which two days are not most of it."""

AFTER_OUTAGE = DAY
"""The most time that players have after an outage of the server or of mail to them, whatever their
clocks say.

It is as long as the outage. Mails sent then are still on their way: hosts wait longer and longer
between tries.
"""

LEAST_NOTICE = DAY / 2
"""A warning that would leave less time than this starts a new notice instead."""

LEAST_TURN = DAY / 2
"""The least time a player has for a move, however little is left on their clock."""

LOOK_AGAIN = DAY
"""The time between two looks at a clock that is stopped without a known end."""

_OUTAGES = (PauseKind.OUTAGE, PauseKind.UNDELIVERED)

_OF_PAUSES = (EntryKind.PAUSE, EntryKind.RESUME)

SOON = timedelta(minutes=1)
"""The least time before a clock is looked at again."""


@frozen
class Schedule:
    """The times of a turn's reminders and end, or None if the clock is stopped without a known end.

    `nag_at` is None as well if the nag would not come before the warning.
    """

    nag_at: datetime | None
    warning_at: datetime | None
    forfeit_at: datetime | None


def players_to_move(board: Turns) -> tuple[PlayerId, ...]:
    """Return the players to move, or () once the match is over. Their clocks run unless paused."""
    players = board.match.players
    return tuple(dict.fromkeys([players[seat] for seat in board.to_move]))


def pauses_of(match: Match, player: PlayerId) -> tuple[Pause, ...]:
    """Return the pauses of the clock of `player` in this match."""
    shared = [pause for pause in match.pauses if pause.player in (None, player)]
    return (*shared, *_board_pauses(match.log.recent))


def _board_pauses(log: Iterable[LogEntry]) -> Sequence[Pause]:
    """Return the pauses of this match alone: the operator's, and those that players agreed on."""
    pauses: list[Pause] = []
    began: datetime | None = None
    for entry in [entry for entry in log if entry.kind in _OF_PAUSES]:
        if entry.kind is EntryKind.PAUSE and entry.text:
            until = entry.at + timedelta(days=int(entry.text))
            pauses.append(Pause(PauseKind.AGREED, entry.at, until))
        elif entry.kind is EntryKind.PAUSE and began is None:
            began = entry.at
        elif entry.kind is EntryKind.RESUME and began is not None:
            pauses.append(Pause(PauseKind.BOARD, began, entry.at))
            began = None
    if began is not None:
        pauses.append(Pause(PauseKind.BOARD, began, None))
    return pauses


def schedule(match: Match, player: PlayerId) -> Schedule:
    """Return when nag, warning and forfeit are due for `player`, who is to move."""
    pauses = pauses_of(match, player)
    limit = turn_limit(match, player)
    return Schedule(
        _nag_at(match, limit, pauses),
        _warning_at(match, limit, pauses),
        _forfeit_at(match, player, limit, pauses),
    )


def time_ends_at(match: Match, player: PlayerId) -> datetime | None:
    """Return when `player`, who is to move, is out of time, as mails show it."""
    return _forfeit_at(match, player, turn_limit(match, player), pauses_of(match, player))


def turn_limit(match: Match, player: PlayerId) -> timedelta:
    """Return the time that the clock of `player` may run in this turn.

    That is what is in hand of a clock with an increment. Otherwise it is the forfeittime, or the
    rest of the totaltime if that is less. It is at least LEAST_TURN, enough to read a mail. What
    the operator has added in this turn comes on top.
    """
    terms, added = match.terms, _days_added(match.log)
    if terms.increment:
        hand = _in_hand(match, terms.increment).get(player, timedelta(0))
        return max(hand, LEAST_TURN) + timedelta(days=added)
    if terms.total_days is None:
        return timedelta(days=terms.forfeit_days + added)
    spent = time_used(match).get(player, timedelta(0))
    left = max(timedelta(days=terms.total_days) - spent, LEAST_TURN)
    return min(timedelta(days=terms.forfeit_days), left) + timedelta(days=added)


def _days_added(log: Sequence[LogEntry]) -> int:
    days = 0
    for entry in reversed(log):
        if entry.kind in PLIES or entry.kind is EntryKind.UNDO:
            break
        if entry.kind is EntryKind.EXTEND:
            days += int(entry.text)
    return days


def notice(limit: timedelta) -> timedelta:
    """Return the time between the last warning and the end of a turn's time.

    Two days, or half of a time so short that two days would be most of it.
    """
    return WARNING_AHEAD if limit >= _LONG else limit / 2


def nag_after(terms: Terms, limit: timedelta) -> timedelta | None:
    """Return after which time of a turn the nag comes, or None if the warning comes before it."""
    nag = _nag(terms, limit)
    return nag if nag < limit - notice(limit) else None


def _nag(terms: Terms, limit: timedelta) -> timedelta:
    return limit / 2 if terms.increment else DAY * terms.nag_days


def _nag_at(match: Match, limit: timedelta, pauses: Sequence[Pause]) -> datetime | None:
    nag = nag_after(match.terms, limit)
    return moment_after(match.turn_since, nag, pauses) if nag else None


def _warning_at(match: Match, limit: timedelta, pauses: Sequence[Pause]) -> datetime | None:
    return moment_after(match.turn_since, limit - notice(limit), pauses)


def _forfeit_at(
    match: Match, player: PlayerId, limit: timedelta, pauses: Sequence[Pause]
) -> datetime | None:
    reminded = match.reminded.get(player)
    bounds = [moment_after(match.turn_since, limit, pauses)]
    if reminded is not None:
        bounds.append(moment_after(reminded.at, notice(limit), pauses))
    bounds += [
        pause.until + min(AFTER_OUTAGE, pause.until - pause.began_at)
        for pause in pauses
        if pause.until is not None and _is_outage_of(match, pause)
    ]
    known = [bound for bound in bounds if bound is not None]
    return max(known) if len(known) == len(bounds) else None


def is_paused(match: Match) -> bool:
    """Return whether the operator has stopped the clock of this match."""
    return any(pause.until is None for pause in _board_pauses(match.log.recent))


def _is_outage_of(match: Match, pause: Pause) -> bool:
    """Return whether `pause` is an outage of this turn, and not one that was taken back."""
    until = pause.until or pause.began_at
    return pause.kind in _OUTAGES and max(pause.began_at, match.turn_since) < until


def time_used(match: Match) -> Mapping[PlayerId, timedelta]:
    """Return the clock time that each player has used in the turns before this one.

    Time that ends in an undo counts for nobody, because both players have agreed to the undo.
    """
    used = dict.fromkeys(match.starters, timedelta(0))
    for mover, taken in _turns(match):
        used[mover] += taken
    return used


def _in_hand(match: Match, increment: Increment) -> dict[PlayerId, timedelta]:
    """Return what each player has in hand after the turns before this one.

    A turn that took more than there was, because the warning came late or the operator added
    days, leaves no debt.
    """
    hand = dict.fromkeys(match.starters, HOUR * increment.start)
    for mover, taken in _turns(match):
        left = max(hand[mover] - taken, timedelta(0))
        hand[mover] = min(left + HOUR * increment.gain, HOUR * increment.most)
    return hand


def _turns(match: Match) -> Iterator[tuple[PlayerId, timedelta]]:
    """Yield who moved and the clock time that it took, for each turn before this one."""
    pauses = {player: pauses_of(match, player) for player in match.starters}
    sitting, kept, since = match.starters, list[LogEntry](), match.started_at
    revealed = since
    for entry in match.log:
        if entry.kind in PLIES and entry.seat is not None:
            mover = sitting[entry.seat]
            yield mover, running_time(since, entry.at, pauses[mover])
        keep(kept, entry)
        if entry.kind in (EntryKind.SWAP, EntryKind.UNDO):
            sitting = seated(match.starters, kept)
        if entry.kind in PLIES or entry.kind is EntryKind.UNDO:
            revealed = max(revealed, entry.at)
            since = since if entry.kind is EntryKind.SEALED else revealed


def time_spent(board: Turns, now: datetime) -> Mapping[PlayerId, timedelta]:
    """Return the clock time that each player has used up to `now`, this turn included."""
    spent = dict(time_used(board.match))
    for player, taken in _in_turn(board, now).items():
        spent[player] += taken
    return spent


def time_in_hand(board: Turns, now: datetime) -> Mapping[PlayerId, timedelta]:
    """Return what each player has in hand at `now`, or {} without an increment."""
    match, increment = board.match, board.match.terms.increment
    if increment is None:
        return {}
    taken = _in_turn(board, now)
    hand = _in_hand(match, increment) | {player: turn_limit(match, player) for player in taken}
    return {p: max(left - taken.get(p, timedelta(0)), timedelta(0)) for p, left in hand.items()}


def _in_turn(board: Turns, now: datetime) -> dict[PlayerId, timedelta]:
    """Return the clock time that each player to move has used in this turn."""
    since = board.match.turn_since
    return {
        player: running_time(since, now, pauses_of(board.match, player))
        for player in players_to_move(board)
    }


def current_pause(match: Match, player: PlayerId, now: datetime) -> Pause | None:
    """Return the pause that stops the clock of `player` at `now`, or None if it runs."""
    return pause_at(pauses_of(match, player), now)


def due_reminder(
    match: Match, player: PlayerId, now: datetime, ahead: timedelta = timedelta(0)
) -> Reminder | None:
    """Return the reminder due at `now` for `player`, who is to move, or None.

    One that will be due within the time `ahead` counts too, so that another mail can carry it.
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


def ahead_of(match: Match, player: PlayerId) -> timedelta:
    """Return the time that a reminder may come early, with another one: a day, or less.

    So a player on many boards gets at most one mail of reminders a day.
    """
    return min(DAY, _nag(match.terms, turn_limit(match, player)) / 7)


def is_forfeited(match: Match, player: PlayerId, now: datetime) -> bool:
    """Return whether `player`, who is to move, has been warned and is out of time at `now`."""
    reminded = match.reminded.get(player)
    if match.over or reminded is None or reminded.last < Reminder.WARNING:
        return False
    if current_pause(match, player, now):
        return False
    return _is_due(time_ends_at(match, player), now)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now


def reminded(match: Match, player: PlayerId, reminder: Reminder, now: datetime) -> Match:
    """Return `match` with the reminder noted. Its notice begins, or begins again if time is short.

    The forfeit never comes before the end of the notice.
    """
    before = match.reminded.get(player)
    kept = replace(match, reminded={**match.reminded, player: Reminded(reminder, now)})
    if before is None or before.at > now:
        return kept
    earlier = replace(match, reminded={**match.reminded, player: Reminded(reminder, before.at)})
    end = time_ends_at(earlier, player)
    least = min(LEAST_NOTICE, notice(turn_limit(match, player)))
    return earlier if end is None or end - now >= least else kept


def not_after(match: Match, now: datetime) -> Match:
    """Return `match` with its clock corrected if it began in the future: time was put back."""
    reminders = {
        player: replace(reminded, at=min(reminded.at, now))
        for player, reminded in match.reminded.items()
    }
    return replace(match, turn_since=min(match.turn_since, now), reminded=reminders)


def next_look(board: Board, now: datetime) -> datetime | None:
    """Return when to look at the clocks of this match next, or None once it is over.

    That is when the next reminder or the forfeit is due, as far as is known. A new pause can
    only make it later, and code that ends a pause early must also ask for an earlier look.
    """
    moments = [_next_look(board.match, player, now) for player in players_to_move(board)]
    return min(moments, default=None)


def _next_look(match: Match, player: PlayerId, now: datetime) -> datetime:
    pauses = pauses_of(match, player)
    step = _next_step(match, player, pauses) or now + LOOK_AGAIN
    pause = pause_at(pauses, now)
    running_from = now + SOON if pause is None else pause.until or now + LOOK_AGAIN
    return max(step, running_from)


def _next_step(match: Match, player: PlayerId, pauses: Sequence[Pause]) -> datetime | None:
    """Return when the next step of the schedule is due for `player`."""
    limit, reminded = turn_limit(match, player), match.reminded.get(player)
    if reminded is None:
        return _nag_at(match, limit, pauses) or _warning_at(match, limit, pauses)
    if reminded.last is Reminder.NAG:
        return _warning_at(match, limit, pauses)
    return _forfeit_at(match, player, limit, pauses)


def forfeit(board: Board, seat: Seat, *, now: datetime, draw: Draw = unseen) -> Board:
    """Return the match lost by `seat` on time; of three or more, the others go on."""
    check_open(board)
    after = with_entry(board, LogEntry(EntryKind.FORFEIT, seat, "", now))
    return left(after, seat, Ending.FORFEITED, now, draw)


def extend(board: Board, days: int, *, seat: Seat | None = None, now: datetime) -> Board:
    """Return the match with `days` added to the time of this turn, by `seat` or the operator.

    A player who has been warned is warned again before the new end. Raises NotNow if the match
    is over.
    """
    check_open(board)
    after = with_entry(board, LogEntry(EntryKind.EXTEND, seat, str(days), now))
    nagged = {p: replace(r, last=Reminder.NAG) for p, r in board.match.reminded.items()}
    return replace(after, match=replace(after.match, reminded=nagged))


def pause_board(board: Board, *, now: datetime) -> Board:
    """Return the match with its clock stopped from `now` on.

    Raises NotNow if it is over, or if the operator has already stopped its clock.
    """
    check_open(board)
    if is_paused(board.match):
        raise NotNow(f"The clock of board {board.match.number} is already stopped.")
    return with_entry(board, LogEntry(EntryKind.PAUSE, None, "", now))


def resume_board(board: Board, *, now: datetime) -> Board:
    """Return the match with its clock running again.

    Raises NotNow if it is over, or if its clock has not been stopped.
    """
    check_open(board)
    if not is_paused(board.match):
        raise NotNow(f"The clock of board {board.match.number} has not been stopped.")
    return with_entry(board, LogEntry(EntryKind.RESUME, None, "", now))
