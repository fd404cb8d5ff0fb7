"""Positions of Gonnect drawn in the source of the tests, and turns played from them."""

from games.gonnect import game
from games.gonnect.board import board_of
from games.gonnect.position import State
from pbm.engine import Result, Viewer, draw


def at(picture: str, *, mover: str = "x", ko: str = "simple") -> State:
    """Return the position drawn with x, o and a point for empty, the top row first."""
    board = board_of(len(picture.strip().splitlines()))
    signs = dict(zip(filter(None, board.names), picture.split(), strict=True))
    eks, ohs = (sum(board.bits[n] for n, s in signs.items() if s == sign) for sign in "xo")
    mark = board.hashed(0, eks) ^ board.hashed(1, ohs)
    history = (mark,) if mover == "x" else (0, mark)
    return State(board.size, ko == "superko", (eks, ohs), history=history)


def start(**options: str) -> State:
    return game.start(game.info.setup(options))


def after(state: State, moves: str) -> State:
    """Return the position after `moves`, each read as a player would type it."""
    for text in moves.split():
        state = game.play(state, state.mover, game.parse(state, state.mover, text))
    return state


def legal(state: State) -> list[str]:
    """Return the moves of the side to move."""
    return list(game.legal_moves(state, state.mover))


def taken(state: State) -> list[str]:
    """Return the points where the last move captured."""
    return state.board.listed(state.taken)


def won(state: State) -> tuple[str, str] | None:
    """Return the sign of the winner and the reason, or None while the game goes on."""
    result: Result | None = game.result(state)
    if result is None:
        return None
    return "".join(game.info.signs[seat] for seat in result.winners), result.reason


def rows(state: State) -> list[str]:
    """Return the lines of the picture."""
    return draw(game.diagram(state, Viewer())).split("\n")
