"""Why a move of Gonnect is refused, in sentences that name the rule and the points."""

from games.gonnect.board import COLUMNS
from games.gonnect.position import State, captures, legal_points, mark_after
from pbm.engine import GameInfo, listing


def outside(size: int, letter: str, name: str) -> str:
    """Return why there is no point `name`, in column `letter`, on the board."""
    last = COLUMNS[size - 1]
    skipped = " without I" if last > "I" else ""
    if letter == "I":
        return (
            "The letter I does not exist on the board: it looks like a 1; the columns are A to "
            f"{last}{skipped}, the rows 1 to {size}."
        )
    return (
        f"There is no point {name} on this board; the columns are A to {last}{skipped}, "
        f"the rows 1 to {size}."
    )


def why_not(info: GameInfo, state: State, name: str) -> str | None:
    """Return why the side to move may not lay a stone on the point `name`, or None if it may."""
    at = state.board.bits[name]
    for owner, stones in enumerate(state.stones):
        if at & stones:
            whose = f"{info.seats[owner]} ({info.signs[owner]})"
            return f"{name} is already occupied by a stone of {whose}."
    if legal_points(state, among=at):
        return None
    if at == state.ko:
        return (
            f"{name} would take {state.last} back and repeat the previous position, which ko "
            "forbids; play elsewhere first."
        )
    return _suicide(state, name) or _superko(state, name)


def _suicide(state: State, name: str) -> str | None:
    board = state.board
    at = board.bits[name]
    own, enemy = state.stones[state.mover] | at, state.stones[1 - state.mover]
    chain = board.chain(at, own)
    if captures(state, at) or board.near(chain) & board.full & ~(own | enemy):
        return None
    others = board.listed(chain ^ at)
    stone = f"the chain {listing([name, *others], last='and')}" if others else "the stone"
    return f"{name} would be suicide: {stone} would have no liberty, and nothing is taken."


def _superko(state: State, name: str) -> str:
    at = state.board.bits[name]
    mark = mark_after(state, at, captures(state, at))
    ago = len(state.history) - 1 - state.history.index(mark)
    return (
        f"{name} would bring back the position of {ago} moves ago, and superko (option "
        "-ko=superko) forbids every earlier position."
    )
