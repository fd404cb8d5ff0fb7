"""Gonnect once more: slow and plain, written from the rule text with sets and dicts.

Points are pairs (column, row), counted from 1 at the bottom left.
"""

from dataclasses import dataclass, field, replace

from pbm.engine import Result

Point = tuple[int, int]
LETTERS = "ABCDEFGHJKLMNOPQRST"


@dataclass
class Twin:
    """A position; `board` maps a point to the seat of its stone, `past` has all positions."""

    size: int
    superko: bool
    board: dict[Point, int] = field(default_factory=dict)
    mover: int = 0
    past: tuple[tuple[frozenset[tuple[Point, int]], int], ...] = ((frozenset(), 0),)
    over: Result | None = None

    @classmethod
    def start(cls, size: str = "13", ko: str = "simple") -> "Twin":
        return cls(int(size), ko == "superko")

    def end(self) -> Result | None:
        return self.over

    def pieces(self) -> dict[str, tuple[int, int]]:
        return {self.name(point): (seat, 1) for point, seat in self.board.items()}

    def neighbours(self, point: Point) -> set[Point]:
        column, row = point
        around = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
        return {(x, y) for x, y in around if 1 <= x <= self.size and 1 <= y <= self.size}

    def chain(self, board: dict[Point, int], point: Point) -> set[Point]:
        found, to_visit = {point}, [point]
        while to_visit:
            for near in self.neighbours(to_visit.pop()) - found:
                if board.get(near) == board[point]:
                    found.add(near)
                    to_visit.append(near)
        return found

    def has_liberty(self, board: dict[Point, int], chain: set[Point]) -> bool:
        return any(near not in board for stone in chain for near in self.neighbours(stone))

    def laid(self, point: Point) -> dict[Point, int] | None:
        """Return the board after a stone on `point` and what it takes; None for suicide."""
        board = {**self.board, point: self.mover}
        for near in self.neighbours(point):
            if board.get(near, self.mover) != self.mover:
                chain = self.chain(board, near)
                if not self.has_liberty(board, chain):
                    board = {stone: seat for stone, seat in board.items() if stone not in chain}
        return board if self.has_liberty(board, self.chain(board, point)) else None

    def allowed(self, point: Point) -> bool:
        if point in self.board:
            return False
        laid = self.laid(point)
        if laid is None:
            return False
        new = frozenset(laid.items())
        barred = self.past if self.superko else self.past[-2:-1]
        return all(new != old for old, _ in barred)

    def legal(self) -> list[str]:
        span = range(1, self.size + 1)
        return [self.name((x, y)) for x in span for y in span if self.allowed((x, y))]

    def play(self, move: str) -> "Twin":
        point = LETTERS.index(move[0]) + 1, int(move[1:])
        board = self.laid(point)
        assert board is not None
        assert self.allowed(point)
        position = frozenset(board.items()), 1 - self.mover
        after = replace(
            self, board=board, mover=1 - self.mover, past=(*self.past, position), over=None
        )
        if self.connects(self.chain(board, point)):
            after.over = Result((self.mover,), "connection")
        elif not after.legal():
            after.over = Result((self.mover,), "no_move")
        elif not self.superko and after.past.count(position) == 3:
            after.over = Result((), "repetition")
        return after

    def connects(self, chain: set[Point]) -> bool:
        columns, rows = {column for column, _ in chain}, {row for _, row in chain}
        return {1, self.size} <= columns or {1, self.size} <= rows

    def name(self, point: Point) -> str:
        return f"{LETTERS[point[0] - 1]}{point[1]}"
