"""Positions of Nine Men's Morris in words, for its tests."""

from games.morris import game
from games.morris.board import MASKS
from games.morris.state import State, key

WHITE, BLACK = 0, 1


def at(
    white: str,
    black: str,
    *,
    hand: tuple[int, int] = (0, 0),
    mover: int = WHITE,
    take: str = "strict",
) -> State:
    """Return the position with stones on the named points, all placed unless said otherwise."""
    masks = [sum(MASKS[name] for name in side.split()) for side in (white, black)]
    stones = (masks[0], masks[1])
    return State(stones, hand, mover, take == "any", since=(key(*stones, mover),))


def after(state: State, turns: str) -> State:
    """Return the position after `turns`, each read as a player would type it."""
    for text in turns.split():
        seat = state.mover
        state = game.play(state, seat, game.parse(state, seat, text))
    return state


def legal(state: State) -> list[str]:
    """Return the turns of the side to move."""
    return list(game.legal_moves(state, state.mover))
