"""Positions of The Power of Two in words, for its tests."""

from games.pow2 import game
from games.pow2.board import NUMBER, point_set
from games.pow2.position import State
from pbm.engine import MoveError, Viewer

LIGHT, DARK = 0, 1


def at(light: str, dark: str, *, mover: int, exact: bool = False, noborder: bool = False) -> State:
    """Return the position with pieces such as "M1 m13": capital letters fresh, small ones aged."""
    light_points, dark_points = (
        point_set(NUMBER[name.lower()] for name in side.split()) for side in (light, dark)
    )
    aged = point_set(NUMBER[name] for name in f"{light} {dark}".split() if name.islower())
    return State((light_points, dark_points), aged, mover, exact, noborder)


def begin(**options: str) -> State:
    return game.start(game.info.setup(options))


def after(state: State, *turns: str) -> State:
    """Return the position after `turns`, each read as a player would type it."""
    for text in turns:
        state = game.play(state, state.seat, game.parse(state, state.seat, text))
    return state


def legal(state: State, slide: str = "") -> list[str]:
    """Return the legal turns, or those of one slide such as `m13-m5`."""
    turns = game.legal_moves(state, state.seat)
    return [turn for turn in turns if not slide or turn.split(":")[0] == slide]


def standing(state: State) -> dict[str, str]:
    """Return the letter on each occupied point."""
    return {piece.at: piece.symbol for piece in game.diagram(state, Viewer()).pieces}


def refusal(state: State, text: str) -> MoveError:
    """Return the error that `text` meets."""
    try:
        move = game.parse(state, state.seat, text)
    except MoveError as error:
        return error
    raise AssertionError(f"{text} was read as {move}")
