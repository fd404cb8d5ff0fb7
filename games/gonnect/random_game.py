"""Whole random games of Gonnect: what a robot's playouts are made of.

Own eyes are filled only if there is nothing else: a player without a move has lost, so eyes are
what one lives by.
"""

from pbm.engine import CapturingPlay, Chance, Seat, square

from .board import COLUMNS
from .position import State

_JOINED = tuple(edges & 5 == 5 or edges & 10 == 10 for edges in range(16))
"""Whether two of these edges are opposite; a bit each: top, right, bottom, left."""


def play_on(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the moves of both, `longest` at most, and who wins; None if nobody does by then."""
    own, other = state.stones[state.mover], state.stones[1 - state.mover]
    grid = square(state.size, COLUMNS, from_below=True)
    play, names = CapturingPlay(grid, own, other, state.ko), grid.names
    draw, lay, random = play.draw, play.lay, chance.random
    played: list[int] = []
    over = False
    while not over and len(played) < longest:
        at = draw(random)
        if at < 0 and (at := next(filter(play.breathes, play.free), at)) >= 0:
            play.free.remove(at)  # an eye
        over = at < 0
        if not over:
            played.append(at)
            over = _JOINED[lay(at)]
    # Who laid the last stone has connected, or left no move to the other side.
    winner = (state.mover + len(played) - 1) % 2 if over else None
    return [names[-1 - at] for at in played], winner
