"""Turns at a board: moves, the pie rule, resigning."""

from collections.abc import Iterator

from pbm.domain.commands import Move, Resign, Swap
from pbm.domain.errors import NotNow
from pbm.domain.playing import play as play_turn
from pbm.domain.playing import resign as give_up
from pbm.domain.playing import seat_of
from pbm.engine import SWAP
from pbm.service.context import Context, board_notices
from pbm.service.happenings import Event, Happening
from pbm.service.notices import Notice
from pbm.service.turns import play_queued, turn_told


def move(context: Context, command: Move) -> Iterator[Notice]:
    """Play a turn; everybody at the board is told."""
    yield from _turn(context, command.board, command.text, command.due)


def swap(context: Context, command: Swap) -> Iterator[Notice]:
    """Exchange seats by the pie rule."""
    table = context.table(command.board)
    game = table.game
    if game.info.swap_after is None:
        raise NotNow(f"{game.info.title} has no pie rule.", f"help {game.info.key}")
    yield from _turn(context, table.match.number, SWAP, command.due)


def _turn(context: Context, board: int | None, text: str, due: int | None) -> Iterator[Notice]:
    player = context.sender()
    table = context.table(board)
    seat = seat_of(table, player.id)
    due = due_ply(context, table.match.number, due)
    after = play_turn(table, seat, text, due=due, comment=context.comment, now=context.now)
    told = turn_told(table, after, player.id, context.comment)
    after, answers = play_queued(context, after)
    after = context.tables.save(table, after)
    yield from board_notices(context, after, told, *answers)


def due_ply(context: Context, board: int, said: int | None) -> int | None:
    """Return the ply that a move is meant for: the one `said`, or that of the mail replied to.

    So an old board mail cannot move again. An invitation is meant for no ply.
    """
    return said if said is not None else context.ply_seen(board) or None


def resign(context: Context, command: Resign) -> Iterator[Notice]:
    """Give a match up, at one's turn or not."""
    player = context.sender()
    table = context.table(command.board)
    seat = seat_of(table, player.id)
    after = give_up(table, seat, comment=context.comment, now=context.now)
    after = context.tables.save(table, after)
    gave_up = Happening(Event.ENDED, player.id, comment=context.comment)
    yield from board_notices(context, after, gave_up)
