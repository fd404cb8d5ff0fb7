"""What time and the operator do to a match: pure steps as in pbm.domain.play."""

from dataclasses import replace
from datetime import datetime

from pbm.domain.errors import NotNow
from pbm.domain.logs import Entry, EntryKind
from pbm.domain.match import Ending, Outcome, Reminder
from pbm.domain.play import LiveMatch, check_open, ended, with_entry
from pbm.domain.timekeeping import is_paused
from pbm.engine import Seat


def forfeit(board: LiveMatch, seat: Seat, *, now: datetime) -> LiveMatch:
    """Return the match lost by `seat`, whose time has run out."""
    check_open(board)
    others = tuple(s for s in range(len(board.match.players)) if s != seat)
    after = with_entry(board, Entry(EntryKind.FORFEIT, seat, "", now))
    return replace(after, match=ended(after.match, Outcome(Ending.FORFEITED, others), now))


def extend(board: LiveMatch, days: int, *, now: datetime) -> LiveMatch:
    """Return the match with `days` added to the time of this turn.

    A player who has been warned is warned again before the new end. Raises NotNow if the match
    is over.
    """
    check_open(board)
    after = with_entry(board, Entry(EntryKind.EXTEND, None, str(days), now))
    told = {p: replace(r, last=Reminder.NAG) for p, r in board.match.reminded.items()}
    return replace(after, match=replace(after.match, reminded=told))


def pause_board(board: LiveMatch, *, now: datetime) -> LiveMatch:
    """Return the match with its clock stopped from `now` on.

    Raises NotNow if it is over, or if the operator has already stopped its clock.
    """
    check_open(board)
    if is_paused(board.match):
        raise NotNow(f"The clock of board {board.match.number} is already stopped.")
    return with_entry(board, Entry(EntryKind.PAUSE, None, "", now))


def resume_board(board: LiveMatch, *, now: datetime) -> LiveMatch:
    """Return the match with its clock running again.

    Raises NotNow if it is over, or if its clock has not been stopped.
    """
    check_open(board)
    if not is_paused(board.match):
        raise NotNow(f"The clock of board {board.match.number} has not been stopped.")
    return with_entry(board, Entry(EntryKind.RESUME, None, "", now))
