"""A random turn of Nine Men's Morris without a list of all."""

from games.morris.board import NAMES, NEIGHBOURS, closes, names, points
from games.morris.state import State, may_jump, takeable
from pbm.engine import Chance, Seat


def random_turn(state: State, seat: Seat, chance: Chance) -> str:
    """Return a legal turn: of two steps that are drawn, one that closes a mill if either does.

    A list of all turns names a mill once for each stone that it may take, so a choice from the
    list would favour mills as well.
    """
    step, others, to = _step(state, seat, chance)
    if not closes(others, to):
        step, others, to = _step(state, seat, chance)
        if not closes(others, to):
            return step
    takes = names(takeable(state, seat))
    return f"{step}x{chance.choice(takes)}" if takes else step


def _step(state: State, seat: Seat, chance: Chance) -> tuple[str, int, int]:
    """Return a random way to bring a stone to a free point, as `steps` yields them."""
    own, free = state.stones[seat], state.free
    if state.hand[seat]:
        to = chance.choice(points(free))
        return NAMES[to], own, to
    near = (free,) * len(NAMES) if may_jump(state, seat) else NEIGHBOURS
    origin = chance.choice([point for point in points(own) if near[point] & free])
    to = chance.choice(points(near[origin] & free))
    return f"{NAMES[origin]}-{NAMES[to]}", own ^ 1 << origin, to
