"""Turns at a board: moves, the pie rule, resigning."""

from collections.abc import Iterator

from pbm.domain.commands import Move, Resign, Swap
from pbm.domain.errors import NotNow
from pbm.domain.playing import play as play_turn
from pbm.domain.playing import resign as give_up
from pbm.domain.playing import seat_of
from pbm.engine import SWAP
from pbm.service.context import Context, board_notices
from pbm.service.notices import Event, Happening, Notice
from pbm.service.turns import play_queued, turn_told


def move(context: Context, command: Move) -> Iterator[Notice]:
    """Play a turn; everybody at the board is told."""
    yield from _turn(context, command.board, command.text, command.due)


def swap(context: Context, command: Swap) -> Iterator[Notice]:
    """Exchange seats by the pie rule."""
    number = context.board_number(command.board)
    game = context.tables.get(number, context.game).game
    if game.info.swap_after is None:
        raise NotNow(f"{game.info.title} has no pie rule.", f"help {game.info.key}")
    yield from _turn(context, number, SWAP, command.due)


def _turn(context: Context, board: int | None, text: str, due: int | None) -> Iterator[Notice]:
    player = context.sender()
    number = context.board_number(board)
    table = context.tables.get(number, context.game)
    seat = seat_of(table, player.id)
    after = play_turn(
        table,
        seat,
        text,
        due=due if due is not None else due_by_token(context, number),
        comment=context.comment,
        now=context.now,
    )
    told = turn_told(table, after, player.id, context.comment)
    after, answers = play_queued(context, after)
    after = context.tables.save(table, after)
    yield from board_notices(context, after, told, *answers)


def due_by_token(context: Context, number: int) -> int | None:
    """Return the ply that a reply token is good for, so that an old mail cannot move again."""
    reply = context.reply
    return reply.ply if reply and reply.number == number and reply.ply else None


def resign(context: Context, command: Resign) -> Iterator[Notice]:
    """Give a match up, at one's turn or not."""
    player = context.sender()
    table = context.tables.get(context.board_number(command.board), context.game)
    seat = seat_of(table, player.id)
    after = give_up(table, seat, comment=context.comment, now=context.now)
    after = context.tables.save(table, after)
    gave_up = Happening(Event.ENDED, player.id, comment=context.comment)
    yield from board_notices(context, after, gave_up)
