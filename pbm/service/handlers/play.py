"""Turns at a board: moves, the pie rule, resigning."""

from collections.abc import Iterator, Mapping

from pbm.engine import SWAP
from pbm.service.commands.play import Move, Resign, Swap
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.steps.turns import give_up, take_turn


def move(context: Context, command: Move) -> Iterator[Message]:
    """Play a turn; everybody at the board is told."""
    return take_turn(context, command.number, command.text, command.due)


def swap(context: Context, command: Swap) -> Iterator[Message]:
    """Exchange seats by the pie rule."""
    return take_turn(context, command.number, SWAP, command.due)


def resign(context: Context, command: Resign) -> Iterator[Message]:
    """Resign a match, whether or not it is the player's turn."""
    board = context.board(command.number)
    yield from give_up(context, board, context.sender().id)


HANDLERS: Mapping[type, Handler] = {Move: move, Swap: swap, Resign: resign}
