"""OLIX once more, from the rule text, stone by stone: cells are (column, row), stones are sets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from pbm.engine import Result

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


@dataclass(frozen=True)
class Twin:
    """A position; `offered` if the last move was an offer to count."""

    stones: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    mover: int = 0
    offered: bool = False
    over: Result | None = None

    @classmethod
    def start(cls) -> "Twin":
        return cls()

    def end(self) -> Result | None:
        return self.over

    def pieces(self) -> dict[str, tuple[int, int]]:
        return {name(cell): (seat, 1) for seat in (0, 1) for cell in self.stones[seat]}

    def legal(self) -> list[str]:
        has_stones = len(self.stones[self.mover]) < 50
        empty = set(CELLS) - self.stones[0] - self.stones[1]
        return ["count", *(map(name, empty) if has_stones else ())]

    def play(self, move: str) -> "Twin":
        after = replace(self, mover=1 - self.mover, offered=move == "count")
        if move == "count":
            return replace(after, over=after.counted("agreed")) if self.offered else after
        own = self.stones[self.mover] | {cell_of(move)}
        stones = (own, self.stones[1]) if self.mover == 0 else (self.stones[0], own)
        after = replace(after, stones=stones)
        values = best(own)
        won = [pattern for pattern in "OLIX" if values[pattern] >= ENOUGH[pattern]]
        if won:
            return replace(after, over=Result((self.mover,), won[0].lower()))
        if all(len(side) == 50 for side in stones):
            return replace(after, over=after.counted("stones_used"))
        stuck = not any(after.can_raise(seat) for seat in (0, 1))
        return replace(after, over=after.counted("stalemate")) if stuck else after

    def can_raise(self, seat: int) -> bool:
        empty = set(CELLS) - self.stones[0] - self.stones[1]
        return can_raise(self.stones[seat], empty, 50 - len(self.stones[seat]))

    def counted(self, reason: str) -> Result:
        black, white = count(best(self.stones[0]), best(self.stones[1]))
        winners = () if black == white else (int(white > black),)
        return Result(winners, reason if winners else "equal", (black, white))
