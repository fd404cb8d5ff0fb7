"""Lines of Action (Claude Soucie, about 1960): all of your stones in one chain win.

A move names where a stone stands and where it goes: `b1-b3`, or `c1xa3` if it takes a stone there.
Columns are a to h from the left, rows 1 to 8 from below. A stone goes along a row, a column or a
diagonal, as many cells as there are stones in that line.
"""

from collections import Counter
from collections.abc import Iterator

from pbm.engine import (
    BaseGame,
    Cells,
    Chance,
    Diagram,
    GameInfo,
    IllegalMoveError,
    MarkKind,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    counted,
    frozen,
    square,
)

GRID = square(8, from_below=True)

READER = PointReader(
    GRID.at,
    "cannot be read as a move; one looks like b1-b3, or c1xa3 if it takes a stone",
    signs=dict.fromkeys(("x", ":", "\xd7", "takes"), "x"),
    noun="cell",
    piece="stone",
    most=2,
)

REPEATS = 3
"""A position that comes up so often, with the same side to move, is a draw."""


@frozen
class State:
    """A position: the stones of each seat, the seat to move, and the last move.

    `since` has the stones after each turn since the last capture, this one included: no earlier
    position can come back. `reason` says why the game is over, "" while it goes on.
    """

    stones: tuple[Cells, Cells]
    mover: Seat = 0
    last: str = ""
    since: tuple[Cells, ...] = ()
    reason: str = ""


@frozen
class Step:
    """A move of some length from a cell: where it goes, and the cells that it passes."""

    origin: Cells
    to: Cells
    between: Cells
    quiet: str
    capture: str


Way = tuple[Cells, tuple[Step | None, ...]]
"""A line through a cell, and one way along it: the move of each length that the board has."""


def _ways(name: str) -> tuple[Way, ...]:
    """Return the eight ways from a cell."""
    return tuple(
        (_line(GRID.at[name], step), tuple(_steps(name, way)))
        for step in GRID.directions
        for way in (step, -step)
    )


def _line(at: Cells, step: int) -> Cells:
    return at | GRID.ray(at, step, GRID.full) | GRID.ray(at, -step, GRID.full)


def _steps(name: str, way: int) -> Iterator[Step | None]:
    """Yield the move of each length from 0 to 8 from a cell; there may be none."""
    origin = at = GRID.at[name]
    between = 0
    yield None
    for _ in range(8):
        at = (at << way if way > 0 else at >> -way) & GRID.full
        if at:
            (to,) = GRID.named(at)
            yield Step(origin, at, between, f"{name}-{to}", f"{name}x{to}")
        else:
            yield None
        between |= at


WAYS = {at: _ways(name) for name, at in GRID.at.items()}
"""The ways from each cell."""


def steps(own: Cells, other: Cells) -> Iterator[Step]:
    """Yield each move of the side of `own`, by stones from the upper left, then by directions."""
    both = own | other
    for at in map(GRID.at.__getitem__, GRID.named(own)):
        for line, lengths in WAYS[at]:
            step = lengths[(both & line).bit_count()]
            if step and not (step.between & other or step.to & own):
                yield step


def is_one(stones: Cells) -> bool:
    """Return whether the stones are one chain, in which neighbours may also be diagonal."""
    grown, wider = 0, stones & -stones
    while wider != grown:
        grown = wider
        wide = grown | grown << 1 | grown >> 1
        wider = (wide | wide << GRID.step | wide >> GRID.step) & stones
    return grown == stones


class LinesOfAction(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="loa",
        title="Lines of Action",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Move as far as there are stones in the line; all of yours in one chain win.",
        reasons={
            "one": "all of their stones are one chain",
            "no_move": "the opponent cannot move",
            "repetition": "the same position came up for the third time",
        },
        example="b1-b3",
        family="lines and patterns",
        credits="Claude Soucie, about 1960; published by Sid Sackson, 1969",
    )

    def start(self, setup: Setup) -> State:
        del setup  # there are no options
        top, right, bottom, left = GRID.edges
        corners = (top | bottom) & (left | right)
        stones = ((top | bottom) & ~corners, (left | right) & ~corners)
        return State(stones, since=(_packed(stones),))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.reason or seat != state.mover:
            return
        other = state.stones[1 - seat]
        for step in steps(state.stones[seat], other):
            yield step.capture if step.to & other else step.quiet

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        points = READER.named(text, typed).points
        moves = tuple(self.legal_moves(state, seat))
        READER.ask(points, moves)
        for move in moves:
            if (move[:2], move[3:]) == points:
                return move
        raise self._refusal(state, seat, *points)

    def _refusal(self, state: State, seat: Seat, origin: str, to: str = "") -> IllegalMoveError:
        """Return the error for a move that is not legal."""
        start, own = GRID.at[origin], state.stones[seat]
        both, side = own | state.stones[1 - seat], self.info.seats[1 - seat]
        if not start & own:
            there = f"{side} has one" if start & both else "it is empty"
            return IllegalMoveError(f"You have no stone on {origin}; {there}.")
        if not to:
            return IllegalMoveError(f"Your stone on {origin} cannot move.")
        if GRID.at[to] & own:
            return IllegalMoveError(f"You have a stone on {to} already.")
        for line, lengths in WAYS[start]:
            if GRID.at[to] in [step.to for step in lengths if step]:
                number = (both & line).bit_count()
                step = lengths[number]
                if step and step.to == GRID.at[to]:
                    return IllegalMoveError(
                        f"One of {side}'s stones is in the way from {origin} to {to}; "
                        "a stone jumps only over stones of its own side."
                    )
                return IllegalMoveError(
                    f"{origin} goes exactly {counted(number, 'cell')} along the line to {to}, "
                    "one for each stone in that line."
                )
        return IllegalMoveError(f"{to} is not in a row, column or diagonal with {origin}.")

    def play(self, state: State, seat: Seat, move: str) -> State:
        to = GRID.at[move[3:]]
        own = state.stones[seat] & ~GRID.at[move[:2]] | to
        other = state.stones[1 - seat] & ~to
        stones = (other, own) if seat else (own, other)
        before = state.since if other == state.stones[1 - seat] else ()
        since = (*before, _packed(stones))
        return State(stones, 1 - seat, move, since, _reason(own, other, since))

    def result(self, state: State) -> Result | None:
        if not state.reason:
            return None
        if state.reason == "repetition":
            return Result((), state.reason)
        last = 1 - state.mover  # whose chain counts first
        lost = state.reason == "one" and not is_one(state.stones[last])
        return Result((1 - last if lost else last,), state.reason)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        origin, to = (GRID.at.get(name, 0) for name in (state.last[:2], state.last[3:]))
        marks = [(origin | to, MarkKind.LAST)]
        if (result := self.result(state)) and result.winners:
            decided = result.winners[0] if state.reason == "one" else state.mover
            marks.append((state.stones[decided], MarkKind.WINNING))
        return GRID.diagram(state.stones, self.info.signs, marks)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        turns, winner = played_out(state, chance, longest)
        return Playout.by_turns(turns, state.mover, Playout.worth_of(winner))


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the turns of a random game and who won; every legal move is as likely."""
    seat, own, other = state.mover, state.stones[state.mover], state.stones[1 - state.mover]
    turns, seen = list[str](), Counter((n % 2, each) for n, each in enumerate(state.since[::-1]))
    for ply in range(1, longest + 1):
        step = _any_step(own, other, chance)
        if step is None:
            return turns, 1 - seat
        own ^= step.origin | step.to
        takes = other & step.to
        turns.append(step.capture if takes else step.quiet)
        if takes:
            other ^= takes
            seen.clear()
        if is_one(own):
            return turns, seat
        if takes and is_one(other):
            return turns, 1 - seat
        key = ply % 2, _packed((other, own) if seat else (own, other))
        seen[key] += 1
        if seen[key] >= REPEATS:
            break
        own, other, seat = other, own, 1 - seat
    return turns, None


_TRIES = 40
"""Ways of stones that are tried at random until all moves are listed."""


def _any_step(own: Cells, other: Cells, chance: Chance) -> Step | None:
    """Return a move, each as likely; None if there is none.

    Each move is one stone's one way, so any of these that is a move will do.
    """
    both, random = own | other, chance.random
    names = GRID.named(own)
    for _ in range(_TRIES):
        pick = int(random() * 8 * len(names))
        line, lengths = WAYS[GRID.at[names[pick >> 3]]][pick & 7]
        step = lengths[(both & line).bit_count()]
        if step and not (step.between & other or step.to & own):
            return step
    found = tuple(steps(own, other))
    return chance.choice(found) if found else None


def _packed(stones: tuple[Cells, Cells]) -> Cells:
    return stones[0] << len(GRID.names) | stones[1]


def _reason(own: Cells, other: Cells, since: tuple[Cells, ...]) -> str:
    """Return why the game is over after a turn of the side of `own`, or ""."""
    # Only a capture, after which `since` is short, can join the stones of the other side.
    if is_one(own) or (len(since) == 1 and is_one(other)):
        return "one"
    if since[-1::-2].count(since[-1]) >= REPEATS:
        return "repetition"
    return "" if any(True for _ in steps(other, own)) else "no_move"


game = LinesOfAction()
