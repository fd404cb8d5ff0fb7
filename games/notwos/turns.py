"""Positions of NOTWO'S and the legal turns in them.

Notation: `c4` drops a stone, `c4>c6` builds (the line from c4 to c6 is stacked on c6),
`b3-e6` distributes (the stack on b3, and the cell on which its last stone lies).
"""

from dataclasses import dataclass

from pbm.engine import Seat, bits

from .board import (
    BOARD,
    CELL,
    FIRST,
    NAMES,
    RAYS,
    REACH,
    SECOND,
    between,
    joins,
    links,
)

STONES = 40
LEAST_STACK = 3

Stacks = tuple[tuple[int, int], ...]
"""Pairs of a cell and its height, by cell."""

_SQUARES = tuple((1 << cell, name) for cell, name in enumerate(NAMES))


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `singles` is the set of cells that hold exactly one stone, `stacks` pairs of a cell and
    its height, by cell. `first` is the seat that plays First, None until that is chosen.
    `turn` is the seat to move. A finished game has a `reason`, and a `winner` unless drawn.
    """

    singles: int = 0
    stacks: Stacks = ()
    turn: Seat = 0
    first: Seat | None = None
    last: str | None = None
    winner: Seat | None = None
    reason: str | None = None


def role_of(state: State, seat: Seat) -> int:
    """Return FIRST or SECOND for `seat`, once sides are chosen."""
    return FIRST if seat == state.first else SECOND


def stock(state: State) -> int:
    """Return the number of stones off the board."""
    return STONES - state.singles.bit_count() - sum(height for _, height in state.stacks)


def heights(state: State) -> dict[int, int]:
    """Return the number of stones on each cell that holds any."""
    return {**dict.fromkeys(bits(state.singles), 1), **dict(state.stacks)}


def empty(state: State) -> int:
    """Return the set of cells without a stone."""
    taken = state.singles
    for cell, _ in state.stacks:
        taken |= 1 << cell
    return BOARD & ~taken


def drops(state: State) -> list[str]:
    """Return every drop: an empty cell, as long as there is a stone in stock."""
    if not stock(state):
        return []
    free = empty(state)
    return [name for square, name in _SQUARES if free & square]


def builds(state: State) -> list[str]:
    """Return every line that could be stacked on its second end, with or without a threat."""
    return [turn for cell in bits(state.singles) for turn in builds_from(state.singles, cell)]


def builds_from(singles: int, cell: int) -> list[str]:
    """Return the lines that begin on a single stone and could be stacked on their other end.

    A line has three or more cells with exactly one stone each, may be part of a longer line, and
    has no more cells than could be distributed from that end.
    """
    found = []
    for ray in RAYS[cell]:
        for height, end in enumerate(ray, start=2):
            if not singles >> end & 1:
                break
            if LEAST_STACK <= height <= REACH[end]:
                found.append(f"{NAMES[cell]}>{NAMES[end]}")
    return sorted(found)


def distributions(state: State) -> list[str]:
    """Return every distribution: all stones stay on the board, with at least one capture."""
    return [turn for stack in state.stacks for turn in distributions_from(state.singles, *stack)]


def distributions_from(singles: int, cell: int, height: int) -> list[str]:
    """Return the distributions of the stack of `height` on a cell."""
    return sorted(
        f"{NAMES[cell]}-{NAMES[ray[height - 1]]}"
        for ray in RAYS[cell]
        if len(ray) >= height and any(singles >> c & 1 for c in ray[:height])
    )


def threatened(state: State) -> bool:
    """Return whether the opponent, if it were their turn, could win by one drop or distribution.

    A turn that joins both pairs of edges is not a win.
    """
    mine = role_of(state, state.turn)
    other = 1 - mine
    if stock(state) and links(state.singles, other) & ~links(state.singles, mine) & empty(state):
        return True
    after = (moved(state, turn)[0] for turn in distributions(state))
    return any(joins(singles, other) and not joins(singles, mine) for singles in after)


def legal_turns(state: State) -> list[str]:
    """Return every legal turn: drops, builds, distributions, each in the order of cells."""
    stacking = builds(state) if threatened(state) else []
    return drops(state) + stacking + distributions(state)


def moved(state: State, turn: str) -> tuple[int, Stacks]:
    """Return the singles and the stacks after a legal `turn`."""
    start = CELL[turn[:2]]
    if len(turn) == 2:
        return state.singles | 1 << start, state.stacks
    line = between(start, CELL[turn[3:]])
    if turn[2] == ">":
        return _built(state, start, line)
    return _distributed(state, start, line)


def _built(state: State, start: int, line: tuple[int, ...]) -> tuple[int, Stacks]:
    singles = state.singles & ~(1 << start)
    for cell in line:
        singles &= ~(1 << cell)
    return singles, tuple(sorted((*state.stacks, (line[-1], len(line) + 1))))


def _distributed(state: State, start: int, line: tuple[int, ...]) -> tuple[int, Stacks]:
    """Lay one stone on each cell of `line`; where that makes two, both leave the board."""
    higher = {cell: height + (cell in line) for cell, height in state.stacks if cell != start}
    singles = state.singles
    for cell in line:
        if cell not in higher:
            singles ^= 1 << cell
    return singles, tuple(higher.items())
