"""Amazons (Walter Zamkauskas, 1988): who cannot move any more loses.

A move names the cell that an amazon leaves, the one it goes to, and the one where its arrow lands:
`d1-d7/g7`. Rows count from below.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

from pbm.engine import (
    BaseGame,
    Cells,
    Chance,
    Diagram,
    GameInfo,
    Grid,
    IllegalMoveError,
    MarkKind,
    Option,
    Piece,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    chessboard,
    frozen,
)

ARROW = "#"


@frozen
class State:
    """A position: the amazons of each seat, the cells with arrows, and the last move."""

    size: int
    amazons: tuple[Cells, Cells]
    arrows: Cells = 0
    last: str = ""

    @property
    def mover(self) -> Seat:
        """The seat to move, if the game is not over."""
        return self.arrows.bit_count() % 2

    @property
    def occupied(self) -> Cells:
        """The cells that nothing can go to or fly over."""
        return self.amazons[0] | self.amazons[1] | self.arrows


class Amazons(BaseGame[State, str]):
    """The rules, for both sizes of board."""

    info = GameInfo(
        key="amazons",
        title="Amazons",
        seats=("White", "Black"),
        signs=("o", "x"),
        summary="Move like a queen and shoot an arrow that blocks a cell; be the last to move.",
        reasons={"no_move": "the other side cannot move"},
        example="d1-d7/g7",
        options=(Option("size", "10", ("6", "10"), "rows and columns of the board"),),
        credits="Walter Zamkauskas, 1988",
        first={"size": "6"},
        family="territory",
    )

    def start(self, setup: Setup) -> State:
        size = int(setup["size"])
        grid, near = grid_of(size), (size - 1) // 3
        low, far = 1 + near, size - near
        inner = grid.columns[near], grid.columns[-1 - near]
        outer = grid.columns[0], grid.columns[-1]
        white = [*(f"{column}1" for column in inner), *(f"{column}{low}" for column in outer)]
        black = [*(f"{column}{size}" for column in inner), *(f"{column}{far}" for column in outer)]
        return State(
            size, (sum(map(grid.at.__getitem__, white)), sum(map(grid.at.__getitem__, black)))
        )

    def to_move(self, state: State) -> tuple[Seat, ...]:
        grid, own = grid_of(state.size), state.amazons[state.mover]
        can_move = (grid.near(own) | grid.diagonal(own)) & ~state.occupied
        return (state.mover,) if can_move else ()

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat not in self.to_move(state):
            return
        grid = grid_of(state.size)
        for start in grid.named(state.amazons[seat]):
            others = state.occupied ^ grid.at[start]
            for to in grid.named(reach(grid, grid.at[start], others)):
                for arrow in grid.named(reach(grid, grid.at[to], others)):
                    yield f"{start}-{to}/{arrow}"

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        reader = _reader(state.size)
        points = reader.named(text, typed).points
        reader.ask(points, self.legal_moves(state, seat))
        self._check(state, seat, points)
        missing = f"Where does the amazon on {points[-1]} shoot?"
        return reader.turn(points, self.legal_moves(state, seat), missing)

    def _check(self, state: State, seat: Seat, points: tuple[str, ...]) -> None:
        """Raise IllegalMoveError for what an amazon or an arrow cannot do."""
        grid, start = grid_of(state.size), points[0]
        if not grid.at[start] & state.amazons[seat]:
            raise IllegalMoveError(f"You have no amazon on {start}; {self._there(state, start)}.")
        if len(points) == 1:
            raise IllegalMoveError(f"Your amazon on {start} cannot move.")
        others = state.occupied ^ grid.at[start]
        for one, other in pairwise(points):
            if grid.at[other] & reach(grid, grid.at[one], others):
                continue
            block = obstacle(grid, grid.at[one], grid.at[other], others)
            if not block:
                raise IllegalMoveError(f"No row, column or diagonal leads from {one} to {other}.")
            raise IllegalMoveError(
                f"The way from {one} to {other} is blocked on {block}: {self._there(state, block)}."
            )

    def _there(self, state: State, cell: str) -> str:
        at = grid_of(state.size).at[cell]
        if at & state.arrows:
            return "an arrow is there"
        owners = [seat for seat, amazons in enumerate(state.amazons) if at & amazons]
        return f"{self.info.seats[owners[0]]} has an amazon there" if owners else "it is free"

    def play(self, state: State, seat: Seat, move: str) -> State:
        grid = grid_of(state.size)
        start, to, arrow = map(grid.at.__getitem__, cells_of(move))
        own, other = state.amazons[seat] ^ start ^ to, state.amazons[1 - seat]
        amazons = (other, own) if seat else (own, other)
        return State(state.size, amazons, state.arrows | arrow, move)

    def result(self, state: State) -> Result | None:
        return None if self.to_move(state) else Result((1 - state.mover,), "no_move")

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        grid = grid_of(state.size)
        # An arrow may land where the amazon came from.
        last = sum({grid.at[cell] for cell in cells_of(state.last)}) if state.last else 0
        told = ("White (o) and Black (x) have four amazons each; # is an arrow.",)
        board = grid.diagram(state.amazons, self.info.signs, ((last, MarkKind.LAST),), told)
        arrows = [Piece(name, ARROW, None) for name in grid.named(state.arrows)]
        return replace(board, pieces=(*board.pieces, *arrows))

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random: an amazon, then a cell for it, then the arrow."""
        grid, occupied, seat = grid_of(state.size), state.occupied, state.mover
        names = _names(grid)
        amazons = [[grid.at[name] for name in grid.named(each)] for each in state.amazons]
        turns: list[str] = []
        while len(turns) < longest:
            own = sorted(amazons[seat], key=lambda _: chance.random())
            start, goals = next(
                ((at, to) for at in own if (to := reach(grid, at, occupied))), (0, 0)
            )
            if not goals:
                return Playout.by_turns(turns, state.mover, Playout.worth_of(1 - seat))
            to = drawn(goals, chance)
            occupied ^= start
            arrow = drawn(reach(grid, to, occupied), chance)
            occupied |= to | arrow
            own[own.index(start)] = to
            amazons[seat], seat = own, 1 - seat
            turns.append(f"{names[start]}-{names[to]}/{names[arrow]}")
        return Playout.by_turns(turns, state.mover, 0.5)


def grid_of(size: int) -> Grid:
    """Return the board of that size."""
    return chessboard(size)


@cache
def _reader(size: int) -> PointReader:
    return PointReader(
        grid_of(size).at,
        "cannot be read as a move; in d1-d7/g7 an amazon goes from d1 to d7 and shoots at g7",
        signs={"x": "/", "shoots": "/"},
        noun="cell",
        piece="amazon",
        most=3,
    )


@cache
def _names(grid: Grid) -> Mapping[Cells, str]:
    return {at: name for name, at in grid.at.items()}


@cache
def _rays(grid: Grid) -> Mapping[Cells, tuple[tuple[Cells, ...], tuple[Cells, ...]]]:
    """Return the whole rays from each cell: those towards higher bits, those towards lower ones."""
    return {
        at: (
            tuple(grid.ray(at, step, grid.full) for step in grid.directions),
            tuple(grid.ray(at, -step, grid.full) for step in grid.directions),
        )
        for at in grid.at.values()
    }


def reach(grid: Grid, at: Cells, occupied: Cells) -> Cells:
    """Return the cells that an amazon or an arrow on `at` can come to."""
    found = 0
    rising, falling = _rays(grid)[at]
    for ray in rising:
        block = ray & occupied
        found |= ray & (block & -block) - 1
    for ray in falling:
        passed = (ray & occupied).bit_length()
        found |= ray >> passed << passed
    return found


def obstacle(grid: Grid, at: Cells, goal: Cells, occupied: Cells) -> str:
    """Return the first occupied cell on the way to `goal`, or "" if no straight way leads there."""
    rising, falling = _rays(grid)[at]
    for ray in (ray & occupied for ray in rising if ray & goal):
        return _names(grid)[ray & -ray]
    for ray in (ray & occupied for ray in falling if ray & goal):
        return _names(grid)[1 << ray.bit_length() - 1]
    return ""


def drawn(cells: Cells, chance: Chance) -> Cells:
    """Return one of the `cells`, each as likely."""
    for _ in range(int(chance.random() * cells.bit_count())):
        cells &= cells - 1
    return cells & -cells


def cells_of(move: str) -> tuple[str, str, str]:
    """Return the three cells that a move names."""
    start, _, rest = move.partition("-")
    to, _, arrow = rest.partition("/")
    return start, to, arrow


game = Amazons()
