"""Reads a move of OLIX as people type it, with errors that teach the rules."""

import re

from games.olix.board import CELL, COLUMNS, ROWS
from games.olix.positions import COUNT, STONES, State, stones_left
from pbm.engine import IllegalMoveError, MoveSyntaxError, quote

_MOVE = re.compile(r"(?:place|put|drop|play)?([a-z])[-.,:]?(\d{1,2})")


def read(state: State, text: str, typed: str, seats: tuple[str, ...]) -> str:
    """Return the move that `text` means; raise MoveErrors.

    `typed` is `text` folded and without spaces. `seats` are the names of the seats; an error says
    whose stone is in the way.
    """
    if typed == COUNT:
        return COUNT
    found = _MOVE.fullmatch(typed)
    if not found:
        raise MoveSyntaxError(
            f"{quote(text)} cannot be read; a move is a cell, such as f6, or the word count."
        )
    if not stones_left(state, state.turn):
        raise IllegalMoveError(
            f"All your {STONES} stones are on the board; the only move left to you is count."
        )
    name = f"{found[1]}{int(found[2])}"
    if name not in CELL:
        raise IllegalMoveError(
            f"There is no cell {name} on this board; the columns are {COLUMNS[0]} to "
            f"{COLUMNS[-1]} including i, the rows {ROWS[0]} to {ROWS[-1]}."
        )
    for seat, stones in enumerate(state.stones):
        if stones >> CELL[name] & 1:
            raise IllegalMoveError(
                f"A stone goes on an empty cell; on {name} there is one of {seats[seat]}."
            )
    return name
