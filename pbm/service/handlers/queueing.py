"""Moves kept for one's turn: queued, shown, forgotten."""

from collections.abc import Iterator

from pbm.domain.commands import ClearQueue, Move, Queue
from pbm.domain.match import Match
from pbm.domain.player import PlayerId
from pbm.domain.playing import LiveMatch, check_open, seat_of
from pbm.domain.queueing import (
    QueuedMove,
    conditional,
    remaining,
    still_possible,
    unconditional,
    with_move,
)
from pbm.service.context import Context, board_notices
from pbm.service.handlers.playing import move as play_now
from pbm.service.happenings import Event, Happening
from pbm.service.notices import Notice


def queue(context: Context, command: Queue) -> Iterator[Notice]:
    """Keep a move for the player's turn, or say what is kept.

    A move without a condition is played at once if it is the player's turn.
    """
    player, table = _seated(context, command.board)
    kept = still_possible(table.match, context.work.intentions.queued(table.match.number, player))
    at_turn = player in {table.match.players[seat] for seat in table.to_move}
    if not command.text:
        yield from _told(context, table, kept)
    elif at_turn and command.line is None:
        yield from play_now(context, Move(table.match.number, command.text, table.due))
    else:
        added = _read(table, player, kept, command)
        yield from _kept(context, table, with_move(table.match, kept, added))


def clear(context: Context, command: ClearQueue) -> Iterator[Notice]:
    """Forget what the player has queued on a board."""
    _, table = _seated(context, command.board)
    yield from _kept(context, table, ())


def _seated(context: Context, board: int | None) -> tuple[PlayerId, LiveMatch]:
    player = context.sender()
    table = context.table(board)
    seat_of(table, player.id)
    check_open(table)
    return player.id, table


def _read(
    table: LiveMatch, player: PlayerId, kept: tuple[QueuedMove, ...], command: Queue
) -> QueuedMove:
    if command.line is None:
        return unconditional(table, player, kept, command.text)
    return conditional(table, player, command.text, command.line)


def _kept(context: Context, table: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Notice]:
    """Store the queue, and the match unchanged.

    The match is saved so that its version tells a worker who plays on this board at the same
    time: he has not seen the queue, and must play again what would otherwise wait for ever.
    """
    context.work.intentions.set_queued(table.match.number, context.sender().id, kept)
    yield from _told(context, context.tables.save(table, table), kept)


def _told(context: Context, table: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Notice]:
    me = context.sender().id
    text = "; ".join(_described(table.match, move) for move in kept)
    yield from board_notices(context, table, Happening(Event.QUEUED, me, text, only_for=me))


def _described(match: Match, move: QueuedMove) -> str:
    """Return "C4", or "C4 if C3 then D4"."""
    line = remaining(match, move)
    return f"{move.text} if {' then '.join(line)}" if line else move.text
