"""A random move of Gonnect without a list of all: what a robot's playouts are made of."""

from games.gonnect.board import Board, Points
from games.gonnect.position import State, captures, legal_points, mark_after
from pbm.engine import Chance

_TRIES = 12
"""Points that are drawn before all legal ones are worked out."""


def random_point(state: State, chance: Chance) -> str:
    """Return a legal point, each as likely as any other; an own eye only if there is no other.

    A player without a move has lost, so eyes are what one lives by.
    """
    board, seat = state.board, state.mover
    own, enemy = state.stones[seat], state.stones[1 - seat]
    empty = board.full & ~(own | enemy)
    length = len(board.names)
    for _ in range(_TRIES):
        place = int(chance.random() * length)
        at = 1 << place
        if at & empty and _is_fair(state, at, own, empty):
            return board.names[length - 1 - place]
    legal = legal_points(state)
    eyes = sum(at for at in board.single(legal) if _is_eye(board, at, own))
    return chance.choice(board.listed(legal & ~eyes or legal))


def _is_fair(state: State, at: Points, own: Points, empty: Points) -> bool:
    """Return whether a stone may be laid on the empty point `at`, which is no own eye."""
    if at & state.ko and not state.superko:
        return False
    board = state.board
    if not board.near(at) & empty:
        if _is_eye(board, at, own):
            return False
        liberties = board.near(board.chain(at, own | at)) & empty & ~at
        if not liberties and not captures(state, at):
            return False
    if not state.superko or state.only_grown:
        return True
    return mark_after(state, at, captures(state, at)) not in state.history


def _is_eye(board: Board, at: Points, own: Points) -> bool:
    """Return whether the neighbours of `at` are all of one chain of `own`.

    A stone there would join nothing. The neighbours hang together by the diagonal points: in the
    open three of four are enough, at the edge all that are on the board are needed.
    """
    if board.near(at) & ~own:
        return False
    diagonals = board.slanted(at)
    return (diagonals & ~own).bit_count() <= (diagonals.bit_count() == 4)
