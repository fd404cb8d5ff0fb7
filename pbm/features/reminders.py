"""Reminders, and matches lost on time.

A board is loaded only when it is time to look at its clock (`Match.look_at`). A mail that reminds
a player of one board also reminds them of all their boards with a reminder due within the day.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

from pbm.core.audience import board_messages, save_and_report
from pbm.core.board_messages import BoardMessage, WaitingBoards
from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import Context, everybody
from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.core.letters import Message, letter
from pbm.core.open_boards import end_of_time
from pbm.core.outbox import post
from pbm.core.plies import ENDED, LEFT
from pbm.core.schedule import MOST_BUGS, Due, ScheduledJob
from pbm.core.tokens import player_token
from pbm.domain import settings
from pbm.domain.dates import local_time
from pbm.domain.errors import Refusal
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.match import Match, Reminder
from pbm.domain.play import Board, seat_of
from pbm.domain.player import PlayerId
from pbm.domain.seen import seen
from pbm.domain.settings import chosen
from pbm.domain.timekeeping import (
    DAY,
    LOOK_AGAIN,
    ahead_of,
    due_reminder,
    forfeit,
    is_forfeited,
    next_look,
    not_after,
    players_to_move,
    reminded,
    schedule,
    time_ends_at,
)
from pbm.engine import listing
from pbm.features.seeks import close_seeks
from pbm.render.marks import link

log = logging.getLogger("pbm.remind")

BATCH = 100
"""Boards in one transaction."""

ALL = 1_000_000

AFTER_A_BUG = timedelta(hours=1)
"""The time until a board that met a bug is looked at again."""

LOOKED = "looked at"
"""The count of boards whose clock was looked at, whatever came of it."""

_WORDS = {Reminder.NAG: "nag", Reminder.WARNING: "warning"}


def _due(context: Context) -> Iterator[Due]:
    for number in context.work.matches.check_due(context.now, ALL):
        due: tuple[Due, ...] = ()
        with isolate_bugs() as bugs, context.services.time_limited():
            due = tuple(_due_on(context, number))
        for bug in bugs:
            _log_failure((number,), bug)
        yield from due


def _due_on(context: Context, number: int) -> Iterator[Due]:
    board = context.boards.get(number)
    people = context.people(board.match.players)
    for player in players_to_move(board):
        times, name = schedule(board.match, player), people[player].userid
        if _is_lost(context, board.match, player):
            yield Due(times.forfeit_at or context.now, "forfeit", name, number)
        elif reminder := due_reminder(board.match, player, context.now):
            at = times.nag_at if reminder is Reminder.NAG else times.warning_at
            yield Due(at or context.now, _WORDS[reminder], name, number)


def _carry_out(context: Context) -> Counter[str]:
    """Do a batch, which ends at the first bug: a bug may take long, and other boards wait."""
    done = Counter[str]()
    overdue: dict[PlayerId, None] = {}
    for number in context.work.matches.check_due(context.now, BATCH):
        done[LOOKED] += 1
        with _guarded(context, number) as bugs:
            done += _look_at(context, number, overdue)
        if bugs:
            break
    for player in overdue:
        counts, bugs = _remind(context, player)
        done += counts
        if bugs:
            break
    return done


@contextmanager
def _guarded(context: Context, *numbers: int) -> Iterator[list[Exception]]:
    """Keep a failure on one board from holding up all others: it is looked at later.

    The list that is yielded has the bug in the end, if there was one.
    """
    bugs: list[Exception] = []
    with isolate_bugs() as met, context.work.savepoint(), context.services.time_limited():
        yield bugs
    for error in met:
        _log_failure(numbers, error)
        is_bug = not isinstance(error, Refusal)
        bugs += [error] * is_bug
        context.boards.forget()
        for number in numbers:
            pause = AFTER_A_BUG if is_bug else LOOK_AGAIN
            context.work.matches.skip_look(number, context.now + pause)


def _log_failure(numbers: Sequence[int], error: Exception) -> None:
    """Log why these boards are left out; a Refusal says, for example, that a game is missing."""
    why = str(error) if isinstance(error, Refusal) else f"it met a bug:\n{trace_of(error)}"
    if len(numbers) == 1:
        log.error("board %s cannot be looked at: %s", numbers[0], why)
    else:
        named = listing(map(str, numbers), last="and")
        log.error("boards %s cannot be told in one mail: %s", named, why)


def _look_at(context: Context, number: int, overdue: dict[PlayerId, None]) -> Counter[str]:
    """End the match if time is up; otherwise add the players to remind to `overdue`."""
    board = context.boards.get(number)
    right = replace(board, match=not_after(board.match, context.now))
    if right != board:  # its clock began in the future
        board = context.boards.save(board, right)
    for player in players_to_move(board):
        if _is_lost(context, board.match, player):
            _forfeit(context, board, player)
            return Counter({"forfeit": 1})
    late = [p for p in players_to_move(board) if due_reminder(board.match, p, context.now)]
    overdue.update(dict.fromkeys(late))
    if not late:
        context.work.matches.set_look(board.match, next_look(board, context.now))
    return Counter()


def _is_lost(context: Context, match: Match, player: PlayerId) -> bool:
    """Return whether `player` loses now; the inbox is read only if their time is over.

    Nobody loses while a mail waits that arrived before their time was over: it may be theirs.
    """
    if not is_forfeited(match, player, context.now):
        return False
    all_read_up_to = min(context.now, context.work.inbox.oldest() or context.now)
    return is_forfeited(match, player, all_read_up_to)


SEEKS_CLOSED = Event(
    "seeks_closed",
    lambda _: "Because you ran out of time, your seeks were closed.",
    Effect.OTHER,
)


def _forfeit(context: Context, board: Board, player: PlayerId) -> None:
    after = forfeit(board, seat_of(board, player), now=context.now, draw=context.draw)
    happenings = [
        Happening(ENDED) if after.match.over else Happening(LEFT, player, "ran out of time")
    ]
    if close_seeks(context, player):
        happenings.append(Happening(SEEKS_CLOSED, only_for=player))
    post(context, save_and_report(context, board, after, *happenings))


def _remind(context: Context, player: PlayerId) -> tuple[Counter[str], list[Exception]]:
    """Remind `player`, in one mail, of every board whose reminder is due or nearly due.

    After a bug, each board gets its own mail. Returns the number of reminders of each kind,
    and the bugs.
    """
    numbers = context.work.matches.look_due_of(player, context.now + DAY)
    with _guarded(context, *numbers) as bugs:
        return _post_reminders(context, player, numbers), bugs
    done = Counter[str]()
    for number in numbers if len(numbers) > 1 else ():
        with _guarded(context, number) as more:
            done += _post_reminders(context, player, (number,))
        bugs += more
        if len(bugs) > MOST_BUGS:
            break
    return done, bugs


_Reminded = tuple[Board, Reminder]
"""A board that waits for a player, and which reminder of it this is."""


def _post_reminders(context: Context, player: PlayerId, numbers: Iterable[int]) -> Counter[str]:
    """Remind a player of these boards; the last reminder of a turn always goes out."""
    boards = tuple(_reminded_boards(context, player, numbers))
    every = chosen(settings.REMINDERS, context.person(player).settings) == "yes"
    wanted = [each for each in boards if every or each[1] is Reminder.WARNING]
    post(context, _mails(context, player, wanted))
    return Counter(_WORDS[reminder] for _, reminder in boards)


def _reminded_boards(
    context: Context, player: PlayerId, numbers: Iterable[int]
) -> Iterator[_Reminded]:
    for number in numbers:
        one: _Reminded | None = None
        with _guarded(context, number):
            one = _reminded_board(context, player, context.boards.get(number))
        if one:
            yield one


def _reminded_board(context: Context, player: PlayerId, board: Board) -> _Reminded | None:
    """Return the board, saved, with its reminder to `player`, or None if no reminder is due."""
    if player not in players_to_move(board):
        return None
    match, now = board.match, context.now
    ahead = ahead_of(match, player)
    reminder = due_reminder(match, player, now) or due_reminder(match, player, now, ahead)
    if reminder is None:
        return None
    after = replace(board, match=reminded(match, player, reminder, now))
    return context.boards.save(board, after), reminder


def _reminded(seen: SeenHappening) -> str:
    match, reader = seen.board.match, seen.reader
    if seen.text == Reminder.WARNING.name:
        end = time_ends_at(match, reader.id)
        when = local_time(end, reader) if end else ""
        said = f"This is the last reminder: if you do not move by {when}, you lose the match."
    else:
        since = local_time(match.turn_since, reader)
        said = f"This is a reminder: the board has waited for your move since {since}."
    return (
        f"{said} If you cannot play for a while, reply {link('vacation 7 days')} (or as many as "
        f"you need), and your clocks are stopped. Reply {link('vacation')} to see how many days "
        "you have left."
    )


REMINDED = Event("reminded", _reminded, Effect.REMINDER)


def _mails(context: Context, player: PlayerId, boards: Sequence[_Reminded]) -> Iterator[Message]:
    """Yield one mail; for a single board it is a board mail, which a bare move answers."""
    if len(boards) == 1:
        ((board, reminder),) = boards
        happening = Happening(REMINDED, text=reminder.name, only_for=player)
        yield from board_messages(context, board, happening)
    elif boards:
        yield _letter(context, player, boards)


def _letter(context: Context, player: PlayerId, boards: Sequence[_Reminded]) -> Message:
    people = context.people({p for board, _ in boards for p in everybody(board)})
    reader = people[player]
    urgent = sorted((board for board, _ in boards), key=lambda b: end_of_time(b.match, player))
    last = [b.match.number for b in urgent if (b, Reminder.WARNING) in boards]
    views = (seen(board, player) for board in urgent)
    shown = tuple(BoardMessage(reader, (), view, people, context.now) for view in views)
    return letter(
        reader, "reminders/reminders", last=last, boards=WaitingBoards(shown),
        leave=None if last else Leaving(Mailing.REMINDERS), reply=player_token(player),
    )  # fmt: skip


REMINDERS = ScheduledJob("reminders", _due, _carry_out)
"""Reminders, last ones, and matches lost on time."""
