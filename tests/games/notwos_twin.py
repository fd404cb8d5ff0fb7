"""NOTWO'S once more, from the rule text: cells are (column, row), counts of stones a dict."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from pbm.engine import Result

CELLS = [(x, y) for x in range(1, 9) for y in range(1, 9)]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

Cell = tuple[int, int]


def name(cell: Cell) -> str:
    return "?abcdefgh"[cell[0]] + str(cell[1])


def cell_of(text: str) -> Cell:
    return "?abcdefgh".index(text[0]), int(text[1])


@dataclass(frozen=True)
class Board:
    """A position: `count` has only the cells with stones; `mover` is "first" or "second"."""

    count: dict[Cell, int] = field(default_factory=dict)
    mover: str = "first"

    @property
    def stock(self) -> int:
        return 40 - sum(self.count.values())


def other(side: str) -> str:
    return "second" if side == "first" else "first"


def walk(start: Cell, step: Cell, steps: int) -> list[Cell]:
    return [(start[0] + step[0] * n, start[1] + step[1] * n) for n in range(1, steps + 1)]


def inside(cells: list[Cell]) -> bool:
    return all(1 <= x <= 8 and 1 <= y <= 8 for x, y in cells)


def has_chain(board: Board, side: str) -> bool:
    """Return whether single stones lead from one edge of `side` to the other."""
    along = 1 if side == "first" else 0
    singles = {cell for cell, stones in board.count.items() if stones == 1}
    todo = [cell for cell in singles if cell[along] == 1]
    seen = set(todo)
    while todo:
        x, y = todo.pop()
        beside = {(x + dx, y + dy) for dx, dy in AROUND} & singles - seen
        seen |= beside
        todo += beside
    return any(cell[along] == 8 for cell in seen)


def winner(board: Board, mover: str) -> tuple[str | None, str | None]:
    """Return who has won, and how, after `mover` made the turn that led to `board`."""
    own, foreign = has_chain(board, mover), has_chain(board, other(mover))
    if foreign:
        return other(mover), "own_goal_both" if own else "own_goal"
    return (mover, "chain") if own else (None, None)


def drops(board: Board) -> dict[str, Board]:
    if board.stock == 0:
        return {}
    return {
        name(cell): replace(board, count={**board.count, cell: 1})
        for cell in CELLS
        if cell not in board.count
    }


def distributions(board: Board) -> dict[str, Board]:
    found = {}
    for start, height in board.count.items():
        if height < 3:
            continue
        for step in AROUND:
            path = walk(start, step, height)
            if not inside(path):
                continue
            count = {cell: stones for cell, stones in board.count.items() if cell != start}
            for cell in path:
                count[cell] = count.get(cell, 0) + 1
            left = {cell: stones for cell, stones in count.items() if stones != 2}
            if len(left) < len(count):
                found[f"{name(start)}-{name(path[-1])}"] = replace(board, count=left)
    return found


def builds(board: Board) -> dict[str, Board]:
    found = {}
    for start in board.count:
        for step in AROUND:
            for length in range(3, 9):
                line = [start, *walk(start, step, length - 1)]
                if any(board.count.get(cell) != 1 for cell in line):
                    break
                end = line[-1]
                if not any(inside(walk(end, way, length)) for way in AROUND):
                    continue
                count = {cell: n for cell, n in board.count.items() if cell not in line}
                count[end] = length
                found[f"{name(start)}>{name(end)}"] = replace(board, count=count)
    return found


def threat(board: Board) -> bool:
    """Return whether the opponent, if they were to move now, could win without a build."""
    foe = other(board.mover)
    after = [*drops(board).values(), *distributions(board).values()]
    return any(winner(next_board, foe)[0] == foe for next_board in after)


def turns(board: Board) -> dict[str, Board]:
    """Return every legal turn with the board after it, on which the opponent is to move."""
    stacking = builds(board) if threat(board) else {}
    all_turns = {**drops(board), **stacking, **distributions(board)}
    return {turn: replace(after, mover=other(board.mover)) for turn, after in all_turns.items()}


@dataclass(frozen=True)
class Twin:
    """A match; `first` is the seat that chose to be First, None before the choice."""

    board: Board = Board()
    mover: int = 0
    first: int | None = None
    over: Result | None = None

    @classmethod
    def start(cls) -> "Twin":
        return cls()

    @cached_property
    def turns(self) -> dict[str, Board]:
        return turns(self.board)

    def legal(self) -> list[str]:
        if self.first is not None:
            return list(self.turns)
        if self.board.count:
            return ["first", "second"]
        return [",".join(map(name, pair)) for pair in combinations(CELLS, 2)]

    def play(self, move: str) -> "Twin":
        if move in ("first", "second"):
            first = self.mover if move == "first" else 1 - self.mover
            return Twin(self.board, first, first)
        if self.first is None:
            return Twin(Board(dict.fromkeys(map(cell_of, move.split(",")), 1)), 1 - self.mover)
        board = self.turns[move]
        side, reason = winner(board, self.board.mover)
        over = None
        if side is not None:
            over = Result((self.first if side == "first" else 1 - self.first,), str(reason))
        elif board.stock == 0 and not turns(board):  # with a stone in stock a drop is legal
            over = Result((), "no_move")
        return Twin(board, 1 - self.mover, self.first, over)

    def end(self) -> Result | None:
        return self.over

    def pieces(self) -> dict[str, tuple[None, int]]:
        return {name(cell): (None, height) for cell, height in self.board.count.items()}
