"""Breakthrough (Dan Troyka, 2000): the first piece on the last row wins.

A move is the cell that a piece leaves and the one it goes to, `b2-b3`, with an x where it takes,
`b3xc4`. Rows count from below. There is always a move, as the foremost piece of a side can go
forward diagonally.
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
    frozen,
    listing,
)

GRID = chessboard()
GOALS = GRID.edges[0], GRID.edges[2]
"""The row that each seat wants to reach."""

STRAIGHT = GRID.step
WAYS = STRAIGHT, STRAIGHT - 1, STRAIGHT + 1
"""The distances in bits of a step straight forward and of the two diagonal ones."""

NAMES = {at: name for name, at in GRID.at.items()}

READER = PointReader(
    GRID.at,
    "cannot be read as a move; b2-b3 moves a piece, and b3xc4 takes one",
    signs={"x": "x", "takes": "x"},
    noun="cell",
    most=2,
)


@frozen
class State:
    """A position: the pieces of each seat, the seat to move, and the last move."""

    stones: tuple[Cells, Cells] = (
        sum(GRID.at[f"{column}{row}"] for column in GRID.columns for row in "12"),
        sum(GRID.at[f"{column}{row}"] for column in GRID.columns for row in "78"),
    )
    mover: Seat = 0
    last: str = ""


class Breakthrough(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="breakthrough",
        title="Breakthrough",
        seats=("White", "Black"),
        signs=("o", "x"),
        summary="Move forward, take diagonally; the first piece on the last row wins.",
        reasons={
            "goal": "a piece has reached the last row",
            "taken": "the other side has no piece left",
        },
        example="b2-b3",
        credits="Dan Troyka, 2000",
        family="race",
    )

    def start(self, setup: Setup) -> State:
        del setup  # there are no options
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if self.result(state) else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        own, other = state.stones[seat], state.stones[1 - seat]
        if seat in self.to_move(state):
            for way in WAYS:
                for goal in map(GRID.at.__getitem__, GRID.named(targets(own, other, seat, way))):
                    yield notation(forward(goal, 1 - seat, way), goal, other)

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        points = READER.named(text, typed).points
        READER.ask(points, self.legal_moves(state, seat))
        self._check(state, seat, points)
        return READER.turn(points, self.legal_moves(state, seat), "Add where the piece goes.")

    def _check(self, state: State, seat: Seat, points: tuple[str, ...]) -> None:
        """Raise IllegalMoveError for what a piece cannot do."""
        start, goal = points[0], points[-1]
        own, other = state.stones[seat], state.stones[1 - seat]
        if not GRID.at[start] & own:
            there = (
                f"{self.info.seats[1 - seat]} has one" if GRID.at[start] & other else "it is free"
            )
            raise IllegalMoveError(f"You have no piece on {start}; {there}.")
        if len(points) == 1:
            raise IllegalMoveError(f"Your piece on {start} cannot move now.")
        ahead = [forward(GRID.at[start], seat, way) for way in WAYS]
        if GRID.at[goal] not in ahead:
            near = listing(sorted(NAMES[at] for at in ahead if at))
            raise IllegalMoveError(
                f"A piece moves one row forward, straight or diagonally: from {start} to {near}."
            )
        if GRID.at[goal] & own:
            raise IllegalMoveError(f"{goal} is occupied: you have a piece there.")
        if GRID.at[goal] & other & ahead[0]:
            raise IllegalMoveError(
                f"{goal} is straight ahead of {start}, and a piece takes only diagonally."
            )

    def play(self, state: State, seat: Seat, move: str) -> State:
        start, goal = GRID.at[move[:2]], GRID.at[move[3:]]
        own, other = state.stones[seat] ^ start ^ goal, state.stones[1 - seat] & ~goal
        return State((other, own) if seat else (own, other), 1 - seat, move)

    def result(self, state: State) -> Result | None:
        seat = 1 - state.mover
        if state.stones[seat] & GOALS[seat]:
            return Result((seat,), "goal")
        return None if state.stones[state.mover] else Result((seat,), "taken")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        last = sum(GRID.at[cell] for cell in (state.last[:2], state.last[3:]) if cell)
        result = self.result(state)
        won = state.stones[result.winners[0]] & GOALS[result.winners[0]] if result else 0
        marks = (last, MarkKind.LAST), (won, MarkKind.WINNING)
        told = ("White (o) moves up to row 8, Black (x) down to row 1.",)
        return GRID.diagram(state.stones, self.info.signs, marks, told)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random; a piece that can reach the last row does."""
        seat, turns = state.mover, list[str]()
        own, other = state.stones[seat], state.stones[1 - seat]
        while own and len(turns) < longest:
            reached = [(way, targets(own, other, seat, way)) for way in WAYS]
            winning = [(way, cells & GOALS[seat]) for way, cells in reached]
            wins = any(cells for _, cells in winning)
            ways = winning if wins else reached
            way, goal = chance.choice([(way, name) for way, at in ways for name in GRID.named(at)])
            to = GRID.at[goal]
            start = forward(to, 1 - seat, way)
            turns.append(notation(start, to, other))
            own, other, seat = other & ~to, own ^ start ^ to, 1 - seat
            if wins:
                return Playout.by_turns(turns, state.mover, Playout.worth_of(1 - seat))
        winner = None if own else 1 - seat
        return Playout.by_turns(turns, state.mover, Playout.worth_of(winner))


def forward(cells: Cells, seat: Seat, way: int) -> Cells:
    """Return where pieces of `seat` on these cells come to by a step."""
    return (cells >> way if seat else cells << way) & GRID.full


def targets(own: Cells, other: Cells, seat: Seat, way: int) -> Cells:
    """Return the cells that pieces of `seat` can go to by a step of that way."""
    return forward(own, seat, way) & ~(own | other if way == STRAIGHT else own)


def notation(start: Cells, goal: Cells, other: Cells) -> str:
    """Return the move from `start` to `goal`, where a piece of `other` is taken."""
    return f"{NAMES[start]}{'x' if goal & other else '-'}{NAMES[goal]}"


game = Breakthrough()
