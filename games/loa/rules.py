"""Lines of Action (Claude Soucie, about 1960): all of your stones in one chain win.

A move names where a stone stands and where it goes: `b1-b3`, or `c1xa3` if it takes a stone there.
Columns are a to h from the left, rows 1 to 8 from below. A stone goes along a row, a column or a
diagonal, as many cells as there are stones in that line.
"""

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
    chessboard,
    counted,
    frozen,
)

GRID = chessboard()

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
    since: tuple[tuple[Cells, Cells], ...] = ()
    reason: str = ""


NAMES = {at: name for name, at in GRID.at.items()}

WAYS = {
    at: tuple(
        (way, at | GRID.ray(at, step, GRID.full) | GRID.ray(at, -step, GRID.full))
        for step in GRID.directions
        for way in (step, -step)
    )
    for at in NAMES
}
"""The ways from each cell: the distance in bits to the next one, and the whole line."""


def target(at: Cells, way: int, line: Cells, own: Cells, other: Cells) -> Cells:
    """Return where a stone of `own` goes this way, 0 if it cannot."""
    far = way * ((own | other) & line).bit_count()
    to = (at << far if far > 0 else at >> -far) & line & ~own
    low, high = (at, to) if far > 0 else (to, at)
    between = line & (high - 1) & -2 * low if to else 0
    return 0 if between & other else to


def steps(own: Cells, other: Cells) -> Iterator[tuple[Cells, Cells]]:
    """Yield each move of the side of `own`, by stones from the upper left, then by directions."""
    for at in map(GRID.at.__getitem__, GRID.named(own)):
        for way, line in WAYS[at]:
            if to := target(at, way, line, own, other):
                yield at, to


def is_one(stones: Cells) -> bool:
    """Return whether the stones are one chain, in which neighbours may also be diagonal."""
    chain, wider = 0, stones & -stones
    while chain != wider:
        chain = wider
        wider |= (GRID.near(chain) | GRID.diagonal(chain)) & stones
    return chain == stones


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

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
        top, right, bottom, left = GRID.edges
        stones = ((top | bottom) & ~(left | right), (left | right) & ~(top | bottom))
        return State(stones, since=(stones,))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        stones = state.stones[seat], state.stones[1 - seat]
        for at, to in steps(*stones) if seat in self.to_move(state) else ():
            yield _notation(at, to, stones[1])

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
        start, (own, other) = GRID.at[origin], (state.stones[seat], state.stones[1 - seat])
        if not start & own:
            return IllegalMoveError(f"You have no stone on {origin}.")
        for _, line in WAYS[start]:
            if line & GRID.at.get(to, 0):
                cells = counted(((own | other) & line).bit_count(), "cell")
                return IllegalMoveError(
                    f"{origin} goes exactly {cells} along the line to {to}, one for each stone in "
                    f"it, not over {self.info.seats[1 - seat]}'s stones and not onto one of yours."
                )
        return IllegalMoveError(f"{origin} can only go along a row, a column or a diagonal.")

    def play(self, state: State, seat: Seat, move: str) -> State:
        at, to = GRID.at[move[:2]], GRID.at[move[3:]]
        own, other = state.stones[seat] & ~at | to, state.stones[1 - seat] & ~to
        stones = (other, own) if seat else (own, other)
        since = (*(() if "x" in move else state.since), stones)
        return State(stones, 1 - seat, move, since, _reason(own, other, since))

    def result(self, state: State) -> Result | None:
        winner = 1 - state.mover  # whose chain counts first
        if state.reason == "one" and not is_one(state.stones[winner]):
            winner = state.mover
        winners = () if state.reason == "repetition" else (winner,)
        return Result(winners, state.reason) if state.reason else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
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
    """Return the turns of a random game and who won; every legal move is as likely.

    Each is one stone's one way, so any of these that is a move will do.
    """
    turns = list[str]()
    while not state.reason and len(turns) < longest:
        own, other = state.stones[state.mover], state.stones[1 - state.mover]
        at = GRID.at[chance.choice(GRID.named(own))]
        if to := target(at, *WAYS[at][int(8 * chance.random())], own, other):
            turns.append(_notation(at, to, other))
            state = game.play(state, state.mover, turns[-1])
    result = game.result(state)
    return turns, result.winners[0] if result and result.winners else None


def _notation(at: Cells, to: Cells, other: Cells) -> str:
    return f"{NAMES[at]}{'x' if to & other else '-'}{NAMES[to]}"


def _reason(own: Cells, other: Cells, since: tuple[tuple[Cells, Cells], ...]) -> str:
    """Return why the game is over after a turn of the side of `own`, or ""."""
    # Only a capture, after which `since` is short, can join the stones of the other side.
    if is_one(own) or (len(since) == 1 and is_one(other)):
        return "one"
    if not any(True for _ in steps(other, own)):
        return "no_move"
    return "repetition" if since[-1::-2].count(since[-1]) >= REPEATS else ""


game = LinesOfAction()
