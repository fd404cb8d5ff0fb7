"""Turns at a board: moves, the pie rule, resigning."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotNow
from pbm.engine import SWAP
from pbm.service.commands.play import Move, Resign, Swap
from pbm.service.context import Context, Handler
from pbm.service.notices import Notice
from pbm.service.steps.turns import give_up, take_turn


def move(context: Context, command: Move) -> Iterator[Notice]:
    """Play a turn; everybody at the board is told."""
    yield from take_turn(context, command.number, command.text, command.due)


def swap(context: Context, command: Swap) -> Iterator[Notice]:
    """Exchange seats by the pie rule."""
    board = context.board(command.number)
    game = board.game
    if game.info.swap_after is None:
        raise NotNow(f"{game.info.title} has no pie rule.", f"help {game.info.key}")
    yield from take_turn(context, board.match.number, SWAP, command.due)


def resign(context: Context, command: Resign) -> Iterator[Notice]:
    """Resign a match, whether or not it is the player's turn."""
    board = context.board(command.number)
    yield from give_up(context, board, context.sender().id)


HANDLERS: Mapping[type, Handler] = {Move: move, Swap: swap, Resign: resign}
