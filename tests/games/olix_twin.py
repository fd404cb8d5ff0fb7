"""OLIX once more, slow and plain, from the rule text: cells are (column, row), stones are sets.

It shares nothing with games/olix. It looks for every pattern stone by stone.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

Cell = tuple[int, int]
Stones = frozenset[Cell] | set[Cell]

SIZE = 11
CELLS = [(x, y) for x in range(1, SIZE + 1) for y in range(1, SIZE + 1)]
ENOUGH = {"O": 10, "L": 9, "I": 8, "X": 8}


def name(cell: Cell) -> str:
    return "?abcdefghijk"[cell[0]] + str(cell[1])


def cell_of(text: str) -> Cell:
    return "?abcdefghijk".index(text[0]), int(text[1:])


def run(stones: Stones, start: Cell, step: Cell) -> int:
    """Return the number of stones in a row from `start` on, including `start`."""
    length = 0
    while (start[0] + step[0] * length, start[1] + step[1] * length) in stones:
        length += 1
    return length


def best_row(stones: Stones, steps: list[Cell]) -> int:
    longest = max((run(stones, cell, step) for cell in stones for step in steps), default=0)
    return longest if longest >= 4 else 0


def best_angle(stones: Stones) -> int:
    best = 0
    for corner in stones:
        flat = max(run(stones, corner, (1, 0)), run(stones, corner, (-1, 0)))
        tall = max(run(stones, corner, (0, 1)), run(stones, corner, (0, -1)))
        if flat >= 3 and tall >= 3:
            best = max(best, flat + tall - 1)
    return best


def rectangles(stones: Stones) -> Iterator[tuple[set[Cell], set[Cell]]]:
    """Yield border and all cells of each rectangle, two by two or larger, bordered by `stones`."""
    for left, low in stones:
        for right in range(left + 1, SIZE + 1):
            if (right, low) not in stones:
                break
            for high in range(low + 1, SIZE + 1):
                if (left, high) not in stones:
                    break
                whole = {(x, y) for x in range(left, right + 1) for y in range(low, high + 1)}
                border = {(x, y) for x, y in whole if x in (left, right) or y in (low, high)}
                if border <= stones:
                    yield border, whole


def best_rectangle(stones: Stones) -> int:
    return max((len(whole & stones) for _, whole in rectangles(stones)), default=0)


def best(stones: Stones) -> dict[str, int]:
    return {
        "O": best_rectangle(stones),
        "L": best_angle(stones),
        "I": best_row(stones, [(1, 0), (0, 1)]),
        "X": best_row(stones, [(1, 1), (1, -1)]),
    }


def count(black: dict[str, int], white: dict[str, int]) -> tuple[int, int]:
    """Return the points of both: the larger value of each pattern counts, for both if equal."""
    points = [0, 0]
    for pattern in ENOUGH:
        larger = max(black[pattern], white[pattern])
        points[0] += larger if black[pattern] == larger else 0
        points[1] += larger if white[pattern] == larger else 0
    return points[0], points[1]


def can_raise_by_trial(own: Stones, empty: Stones, left: int) -> bool:
    """Try every way to lay up to `left` stones on the empty cells; only feasible for few cells."""
    now = best(own)
    for number in range(1, min(left, len(empty)) + 1):
        for added in combinations(sorted(empty), number):
            then = best(set(own) | set(added))
            if any(then[pattern] > now[pattern] for pattern in ENOUGH):
                return True
    return False


def can_raise(own: Stones, empty: Stones, left: int) -> bool:
    """Return the same by looking at every pattern without stones of the opponent."""
    now = best(own)
    usable = set(own) | set(empty)
    rows = _rows(((1, 0), (0, 1)), max(4, now["I"] + 1))
    rows += _rows(((1, 1), (1, -1)), max(4, now["X"] + 1))
    corners = _angles(max(5, now["L"] + 1))
    if any(cells <= usable and len(cells - own) <= left for cells in rows + corners):
        return True
    for border, whole in rectangles(usable):
        missing = len(border - own)
        spare = left - missing
        inner = len((whole - border) & empty)
        if spare >= 0 and len(whole & own) + missing + min(spare, inner) > now["O"]:
            return True
    return False


@cache
def _rows(steps: tuple[Cell, ...], length: int) -> tuple[frozenset[Cell], ...]:
    found = []
    for x, y in CELLS:
        for dx, dy in steps:
            cells = {(x + dx * n, y + dy * n) for n in range(length)}
            if cells <= set(CELLS):
                found.append(frozenset(cells))
    return tuple(found)


@cache
def _angles(value: int) -> tuple[frozenset[Cell], ...]:
    found = []
    for x, y in CELLS:
        for flat in range(3, value - 1):
            tall = value + 1 - flat
            for right in (1, -1):
                for up in (1, -1):
                    cells = {(x + right * n, y) for n in range(flat)}
                    cells |= {(x, y + up * n) for n in range(tall)}
                    if cells <= set(CELLS):
                        found.append(frozenset(cells))
    return tuple(found)


class Match:
    """A game played move by move: `over` is the reason once it has ended."""

    def __init__(self) -> None:
        self.stones: list[set[Cell]] = [set(), set()]
        self.mover = 0
        self.offered = False
        self.over: str | None = None
        self.winner: int | None = None
        self.scores: tuple[int, int] | None = None

    def legal(self) -> set[str]:
        if self.over:
            return set()
        taken = self.stones[0] | self.stones[1]
        has_stones = len(self.stones[self.mover]) < 50
        return {"count"} | {name(c) for c in CELLS if has_stones and c not in taken}

    def play(self, move: str) -> None:
        mover, self.mover = self.mover, 1 - self.mover
        if move == "count":
            if self.offered:
                self._count("agreed")
            self.offered = True
            return
        self.offered = False
        self.stones[mover].add(cell_of(move))
        values = best(self.stones[mover])
        won = [pattern for pattern in "OLIX" if values[pattern] >= ENOUGH[pattern]]
        if won:
            self.over, self.winner = won[0].lower(), mover
        elif all(len(stones) == 50 for stones in self.stones):
            self._count("stones_used")
        elif not any(self._can_raise(seat) for seat in (0, 1)):
            self._count("stalemate")

    def _can_raise(self, seat: int) -> bool:
        empty = set(CELLS) - self.stones[0] - self.stones[1]
        return can_raise(self.stones[seat], empty, 50 - len(self.stones[seat]))

    def _count(self, reason: str) -> None:
        black, white = self.scores = count(best(self.stones[0]), best(self.stones[1]))
        self.over = "equal" if black == white else reason
        self.winner = None if black == white else int(white > black)
