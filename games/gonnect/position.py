"""Positions of Gonnect and the rules of a move: captures, suicide, ko, and how the game ends."""

from dataclasses import dataclass, replace
from functools import lru_cache

from pbm.engine import Result, Seat

from .board import Board, Points, board_of


@dataclass(frozen=True, slots=True)
class State:
    """A position and its history.

    `stones` are those of Eks and of Ohs; `last` is the point just played, `taken` what was
    captured there, `ko` the point that simple ko bars now. `history` has the board before the
    first move and after each, the stones of both sides as one number. None of it can be dropped:
    a chain of any size may be taken, so any earlier board may return.
    """

    size: int
    superko: bool
    stones: tuple[Points, Points] = (0, 0)
    last: str | None = None
    taken: Points = 0
    ko: Points = 0
    history: tuple[int, ...] = (0,)
    result: Result | None = None

    @property
    def board(self) -> Board:
        """The board of this size."""
        return board_of(self.size)

    @property
    def mover(self) -> Seat:
        """The seat whose stone comes next, if the game is not over."""
        return (len(self.history) - 1) % 2

    @property
    def only_grown(self) -> bool:
        """Whether nothing was ever taken, so that each board has one more stone than the last."""
        eks, ohs = self.stones
        return (eks | ohs).bit_count() == len(self.history) - 1


def lead(state: State, seat: Seat) -> int:
    """Return how many stones fewer the side lacks to a connection than the other one."""
    empty = state.board.full & ~(state.stones[0] | state.stones[1])
    own, other = (state.board.missing(state.stones[n], empty) for n in (seat, 1 - seat))
    return other - own


_KEPT = 4
"""Positions whose repeating points are kept."""


def legal_points(state: State, among: Points = -1) -> Points:
    """Return the points, of those `among`, where the side to move may lay a stone.

    A stone must have a liberty after its captures, which come before the check for suicide: an
    empty neighbour, an own chain beside it that keeps a liberty, or an enemy chain that it
    takes. Then ko bars some of these points.
    """
    board = state.board
    own, enemy = state.stones[state.mover], state.stones[1 - state.mover]
    empty = board.full & ~(own | enemy)
    asked = empty & among
    legal = asked & board.near(empty)
    closed = asked ^ legal
    if closed:
        lost, _ = board.in_atari(own, empty, closed)
        _, takes = board.in_atari(enemy, empty, closed)
        legal |= closed & (takes | board.near(own ^ lost))
    return legal & ~(_repeating(state, legal) if state.superko else state.ko)


def captures(state: State, at: Points) -> Points:
    """Return the stones that the side to move takes by laying one on the empty point `at`."""
    board = state.board
    own, enemy = state.stones[state.mover], state.stones[1 - state.mover]
    return board.taken(at, enemy, board.full & ~(own | enemy | at))


def board_after(state: State, at: Points, taken: Points) -> int:
    """Return the stones of both sides after a stone on `at` has taken the stones `taken`."""
    shifts, seat = state.board.shifts, state.mover
    return state.history[-1] ^ at << shifts[seat] ^ taken << shifts[1 - seat]


def lay(state: State, move: str) -> State:
    """Return the position after the side to move lays a stone on the legal point `move`."""
    board, seat = state.board, state.mover
    at = board.bits[move]
    own, enemy = state.stones[seat] | at, state.stones[1 - seat]
    taken = board.taken(at, enemy, board.full & ~(own | enemy))
    enemy ^= taken
    ko = _ko_point(board, at, enemy, taken) if taken else 0
    stones = (enemy, own) if seat else (own, enemy)
    history = (*state.history, board_after(state, at, taken))
    after = State(state.size, state.superko, stones, move, taken, ko, history)
    result = _result(after, seat, at)
    return replace(after, result=result) if result else after


@lru_cache(_KEPT)
def _repeating(state: State, points: Points) -> Points:
    """Return those of `points` that would bring back an earlier board (option ko=superko).

    All earlier boards are looked at, and a mail asks for the same position several times.
    """
    if state.only_grown:
        return 0
    board, enemy = state.board, state.stones[1 - state.mover]
    empty = board.full & ~(state.stones[0] | state.stones[1])
    _, takes = board.in_atari(enemy, empty, points)
    shift, barred = board.shifts[state.mover], 0
    # Earlier boards that differ from this one only by the stone to lay.
    for difference in map(state.history[-1].__xor__, state.history):
        if difference.bit_count() == 1:
            barred |= difference >> shift
    barred &= points
    for at in board.single(points & takes):
        if board_after(state, at, captures(state, at)) in state.history:
            barred |= at
    return barred


def _ko_point(board: Board, at: Points, enemy: Points, taken: Points) -> Points:
    """Return the point where the enemy may not retake the stone just laid on `at`, or 0.

    The previous board could return only if that stone took exactly one, and if its neighbours
    are all enemies, except the point it emptied: an own neighbour would be taken with it, and a
    liberty would save it.
    """
    one = taken.bit_count() == 1
    return taken if one and board.near(at) & ~enemy == taken else 0


def _result(after: State, seat: Seat, at: Points) -> Result | None:
    """Return how the stone of `seat` on `at`, which led to `after`, ended the game, or None."""
    board, own = after.board, after.stones[seat]
    # Most positions have no stones on two opposite sides, and need no chain to be followed.
    if board.joins(own) and board.joins(board.chain(at, own)):
        return Result((seat,), "connection")
    if not _can_move(after):
        return Result((seat,), "no_move")
    if not after.superko and _third_time(after):
        return Result((), "repetition")
    return None


def _can_move(state: State) -> bool:
    """Return whether `legal_points` has any; often a point beside an empty one settles it."""
    board = state.board
    empty = board.full & ~(state.stones[0] | state.stones[1])
    any_will_do = not state.superko or state.only_grown
    if any_will_do and empty & empty << 1:
        return True  # the point of a simple ko has no empty neighbour
    open_points = empty & board.near(empty)
    if open_points and any_will_do:
        return True
    for at in board.single(open_points):
        if board_after(state, at, captures(state, at)) not in state.history:
            return True
    return bool(legal_points(state))


def _third_time(state: State) -> bool:
    """Return whether this board has come up for the third time with this side to move."""
    if state.only_grown:
        return False
    return state.history[::-2].count(state.history[-1]) >= 3
