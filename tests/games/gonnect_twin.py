"""Gonnect once more: slow and plain, written from the rule text with sets and dicts.

It shares nothing with the game that players get, so neither can be wrong because of the other's
mistake. Points are pairs (column, row), counted from 1 at the bottom left.
"""

from dataclasses import dataclass, field

Point = tuple[int, int]
LETTERS = "ABCDEFGHJKLMNOPQRST"


@dataclass
class Twin:
    """A match in progress; `board` maps a point to the sign of its stone."""

    size: int
    superko: bool
    board: dict[Point, str] = field(default_factory=dict)
    mover: str = "x"
    taken: set[Point] = field(default_factory=set)
    past: list[tuple[frozenset[tuple[Point, str]], str]] = field(default_factory=list)
    end: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        self.past.append((frozenset(self.board.items()), self.mover))

    def points(self) -> list[Point]:
        """Return all points, row by row from the top, each row from left to right."""
        span = range(1, self.size + 1)
        return [(column, row) for row in reversed(span) for column in span]

    def neighbours(self, point: Point) -> set[Point]:
        column, row = point
        around = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
        return {(x, y) for x, y in around if 1 <= x <= self.size and 1 <= y <= self.size}

    def chain(self, board: dict[Point, str], point: Point) -> set[Point]:
        found, to_visit = {point}, [point]
        while to_visit:
            for near in self.neighbours(to_visit.pop()) - found:
                if board.get(near) == board[point]:
                    found.add(near)
                    to_visit.append(near)
        return found

    def has_liberty(self, board: dict[Point, str], chain: set[Point]) -> bool:
        return any(near not in board for stone in chain for near in self.neighbours(stone))

    def laid(self, point: Point) -> tuple[dict[Point, str], set[Point]] | None:
        """Return the board after a stone on `point` and what it takes; None for suicide."""
        board = {**self.board, point: self.mover}
        dead: set[Point] = set()
        for near in self.neighbours(point):
            if board.get(near, self.mover) != self.mover:
                chain = self.chain(board, near)
                if not self.has_liberty(board, chain):
                    dead |= chain
        for stone in dead:
            del board[stone]
        return (board, dead) if self.has_liberty(board, self.chain(board, point)) else None

    def allowed(self, point: Point) -> bool:
        if point in self.board:
            return False
        laid = self.laid(point)
        if laid is None:
            return False
        new = frozenset(laid[0].items())
        barred = self.past if self.superko else self.past[-2:-1]
        return all(new != old for old, _ in barred)

    def legal(self) -> list[str]:
        if self.end:
            return []
        return [self.name(point) for point in self.points() if self.allowed(point)]

    def play(self, name: str) -> None:
        point = LETTERS.index(name[0]) + 1, int(name[1:])
        laid = self.laid(point)
        assert laid is not None
        assert self.allowed(point)
        self.board, self.taken = laid
        player, self.mover = self.mover, "o" if self.mover == "x" else "x"
        self.past.append((frozenset(self.board.items()), self.mover))
        if self.connects(self.chain(self.board, point)):
            self.end = player, "connection"
        elif not self.legal():
            self.end = player, "no_move"
        elif not self.superko and self.past.count(self.past[-1]) == 3:
            self.end = "", "repetition"

    def connects(self, chain: set[Point]) -> bool:
        columns, rows = {column for column, _ in chain}, {row for _, row in chain}
        return {1, self.size} <= columns or {1, self.size} <= rows

    def name(self, point: Point) -> str:
        return f"{LETTERS[point[0] - 1]}{point[1]}"

    def perft(self, depth: int) -> int:
        """Return the number of lines of play of exactly `depth` plies from here."""
        if depth == 1:
            return len(self.legal())
        total = 0
        for name in self.legal():
            branch = Twin(self.size, self.superko, dict(self.board), self.mover)
            branch.past = list(self.past)
            branch.play(name)
            total += branch.perft(depth - 1)
        return total
