"""A turn that comes a second time: it has been played, and its sender is told so and no more."""

from pbm.domain.errors import AlreadyDone, NotNow
from pbm.domain.logs import Entry, EntryKind
from pbm.domain.match import Match
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player
from pbm.engine import MoveError, read_move
from pbm.service.budget import HourSpent, TooMuch
from pbm.service.commands.line import Request
from pbm.service.commands.play import Move, Swap
from pbm.service.context import Context


def arrived(
    context: Context, request: Request, error: NotNow, board: LiveMatch, reader: Player
) -> NotNow:
    """Return what to tell about a turn that was refused: that it was played, if it was.

    The turn meant is that of the mail replied to, or the reader's last one. If they played another
    one then, they are told which. Returns `error` where there is nothing of the kind to tell.
    """
    command = request.command
    if not isinstance(command, Move | Swap):
        return error
    ply = _meant(context, command, board, reader)
    if ply is None:
        return _or_undo(error, board, reader, command)
    entry = board.match.plies[ply - 1]
    if _is_it(context, board, ply, entry, command):
        return AlreadyDone(f"Your {entry.text} has arrived already; nothing to do.")
    if context.reply is None or context.reply.ply != ply:
        return _or_undo(error, board, reader, command)
    return NotNow(
        f"You played {entry.text} as move {ply}, and another mail cannot change that. To ask for "
        "it back, reply undo."
    )


def _or_undo(error: NotNow, board: LiveMatch, reader: Player, command: Move | Swap) -> NotNow:
    """Return `error`, with how to take the last ply back if this may be another move for it."""
    last, match = board.match.log.ply, board.match
    another = isinstance(command, Move) and any(map(str.isdigit, command.text))
    if not another or match.over or not last or not _played_by(match, last, reader):
        return error
    played = match.plies[last - 1].text
    return NotNow(f"{error} To ask for your {played} back, reply undo.", error.example)


def _meant(context: Context, command: Move | Swap, board: LiveMatch, reader: Player) -> int | None:
    """Return the ply that the turn was meant as, if the reader has played that one."""
    match = board.match
    if command.due is not None:
        ply = command.due
    elif (seen := context.ply_seen(match.number)) is not None:
        ply = seen
    else:
        ply = _last(match, reader)
    return ply if 1 <= ply <= match.log.ply and _played_by(match, ply, reader) else None


def _last(match: Match, reader: Player) -> int:
    """Return the number of the reader's last ply, 0 if they made none."""
    plies = range(match.log.ply, 0, -1)
    return next((ply for ply in plies if _played_by(match, ply, reader)), 0)


def _played_by(match: Match, ply: int, reader: Player) -> bool:
    seat = match.plies[ply - 1].seat
    return seat is not None and match.seating(ply - 1)[seat] == reader.id


def _is_it(
    context: Context, board: LiveMatch, ply: int, entry: Entry, command: Move | Swap
) -> bool:
    """Return whether `command` is the turn that was played as `ply`."""
    if isinstance(command, Swap) or entry.kind is EntryKind.SWAP:
        return isinstance(command, Swap) and entry.kind is EntryKind.SWAP
    try:
        before = context.boards.position_at(board, ply - 1)
        seat = before.to_move[0] if before.to_move else 0
        return str(read_move(before.game, before.position.state, seat, command.text)) == entry.text
    except (MoveError, TooMuch, HourSpent):
        return False
