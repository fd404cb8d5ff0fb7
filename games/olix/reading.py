"""Reads a move of OLIX as people type it, with errors that teach the rules."""

import re

from games.olix.board import CELL, COLUMNS, ROWS, SQUARES
from games.olix.positions import COUNT, STONES, State, empty, stones_left
from pbm.engine import IllegalMoveError, IncompleteMoveError, MoveSyntaxError, listing, quote

_MOVE = re.compile(r"(?:place|put|drop|play)?([a-z])[-.,:]?(\d{1,2})?")


def read(state: State, typed: str, seats: tuple[str, ...]) -> str:
    """Return the move that `typed`, folded and without spaces, means; raise MoveErrors.

    `seats` are the names of the seats; an error says whose stone is in the way.
    """
    if typed == COUNT:
        return COUNT
    found = _MOVE.fullmatch(typed)
    if not found:
        raise MoveSyntaxError(
            f"{quote(typed)} cannot be read; a move is a cell, such as f6, or the word count."
        )
    if not stones_left(state, state.turn):
        raise IllegalMoveError(
            f"All your {STONES} stones are on the board; the only move left to you is count."
        )
    letter, number = found.groups()
    name = f"{letter}{int(number)}" if number else ""
    if letter not in COLUMNS or (number and name not in CELL):
        raise IllegalMoveError(
            f"There is no cell {name or quote(letter)}: the columns are {COLUMNS[0]} to "
            f"{COLUMNS[-1]} including i, the rows {ROWS[0]} to {ROWS[-1]}."
        )
    if not number:
        _raise_for_column(state, letter)
    for seat, stones in enumerate(state.stones):
        if stones >> CELL[name] & 1:
            raise IllegalMoveError(
                f"A stone goes on an empty cell; on {name} there is one of {seats[seat]}."
            )
    return name


def _raise_for_column(state: State, letter: str) -> None:
    free = empty(state)
    cells = [name for square, name in SQUARES if free & square and name[0] == letter]
    if not cells:
        raise IllegalMoveError(f"There is no empty cell in column {letter}.")
    raise IncompleteMoveError(
        f"The row is missing; in column {letter} it can be {listing(cells)}.", cells
    )
