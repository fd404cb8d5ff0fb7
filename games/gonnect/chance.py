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
    board = state.board
    seat = state.mover
    own, enemy = state.stones[seat], state.stones[1 - seat]
    empty = board.full & ~(own | enemy)
    open_points = board.near(empty)
    fair = empty & ~_eyes(board, own, empty)
    length = len(board.names)
    for _ in range(_TRIES):
        place = int(chance.random() * length)
        at = 1 << place
        if at & fair and _is_legal(state, at, own, empty, beside_empty=bool(at & open_points)):
            return board.names[length - 1 - place]
    legal = legal_points(state)
    return chance.choice(board.listed(legal & fair or legal))


def _is_legal(state: State, at: Points, own: Points, empty: Points, *, beside_empty: bool) -> bool:
    """Return whether a stone may be laid on the empty point `at`."""
    if at & state.ko and not state.superko:
        return False
    if not beside_empty:
        board = state.board
        liberties = board.near(board.chain(at, own | at)) & empty & ~at
        if not liberties and not captures(state, at):
            return False
    if not state.superko or state.only_grown:
        return True
    return mark_after(state, at, captures(state, at)) not in state.history


def _eyes(board: Board, own: Points, empty: Points) -> Points:
    """Return the empty points whose neighbours are all of one chain of `own`.

    A stone there would join nothing. The neighbours hang together by the diagonal points: in the
    open three of four are enough, at the edge all that are on the board are needed.
    """
    eyes = empty & ~board.near(board.full & ~own)
    for at in board.single(eyes):
        tall = at << board.width | at >> board.width
        diagonals = (tall << 1 | tall >> 1) & board.full
        missing = (diagonals & ~own).bit_count()
        if missing > (diagonals.bit_count() == 4):
            eyes ^= at
    return eyes
