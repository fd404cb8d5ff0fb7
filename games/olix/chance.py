"""A random move of OLIX without a list of all."""

from games.olix.board import BOARD, NAME
from games.olix.positions import COUNT, State, empty, stones_left
from pbm.engine import Chance

_LENGTH = BOARD.bit_length()


def random_move(state: State, chance: Chance) -> str:
    """Return an empty cell, each as likely as any other; `count` only if there is no stone left.

    To count says nothing of a position, and it would end every second game before it is played.
    """
    free = empty(state) if stones_left(state, state.turn) else 0
    while free:
        cell = int(chance.random() * _LENGTH)
        if free >> cell & 1:
            return NAME[cell]
    return COUNT
