"""Nine Men's Morris once more, from the rule text, with sets, dicts and coordinates.

The board follows from geometry: the corners of a square and the middles of its
sides are 1, 2 or 3 steps from the centre, and a line runs along a row or a column.
"""

from dataclasses import dataclass, field, replace
from itertools import product

from pbm.engine import Result

POINTS = {
    (x, y) for size in (1, 2, 3) for x, y in product((-size, 0, size), repeat=2) if (x, y) != (0, 0)
}


def name(point: tuple[int, int]) -> str:
    """Return the notation of a point; row 1 is on top, at y = -3."""
    return f"{'abcdefg'[point[0] + 3]}{point[1] + 4}"


def _lines() -> set[tuple[str, str, str]]:
    """Return each row or column of three; a row or column through the centre counts as two."""
    found = set()
    for fixed, axis in product(range(-3, 4), (0, 1)):
        on = sorted(p for p in POINTS if p[axis] == fixed)
        for part in (on[:3], on[3:]) if len(on) == 6 else (on,):
            first, middle, last = map(name, part)
            found.add((first, middle, last))
    return found


LINES = _lines()
ALL = {name(point) for point in POINTS}
NEXT = {
    point: {
        other
        for line in LINES
        for pair in (line[:2], line[1:])
        for other in pair
        if point in pair and other != point
    }
    for point in ALL
}


@dataclass
class Twin:
    """A match in progress; `on` maps a point to the side, 0 or 1, that holds it."""

    take: str = "strict"
    on: dict[str, int] = field(default_factory=dict)
    hand: tuple[int, int] = (9, 9)
    mover: int = 0
    quiet: int = 0
    seen: tuple[object, ...] = ()

    @classmethod
    def start(cls, take: str = "strict") -> "Twin":
        return cls(take)

    def __post_init__(self) -> None:
        # What must be the same for a position to count as repeated.
        self.seen += ((frozenset(self.on.items()), self.hand, self.mover),)

    def pieces(self) -> dict[str, tuple[int, int]]:
        return {point: (side, 1) for point, side in self.on.items()}

    def stones(self, side: int) -> set[str]:
        """Return the points that `side` holds."""
        return {point for point, holder in self.on.items() if holder == side}

    def legal(self) -> list[str]:
        """Return the turns of the side to move, whether or not the game is over."""
        free = ALL - self.on.keys()
        if self.hand[self.mover]:
            return [turn for to in free for turn in self.completed("", to)]
        mine = self.stones(self.mover)
        return [
            turn
            for origin in mine
            for to in (free if len(mine) == 3 else free & NEXT[origin])
            for turn in self.completed(origin, to)
        ]

    def completed(self, origin: str, to: str) -> list[str]:
        """Return the turns that bring a stone from `origin`, or the hand, to `to`."""
        step = f"{origin}-{to}" if origin else to
        mine = self.stones(self.mover) - {origin} | {to}
        if not any(to in line and mine.issuperset(line) for line in LINES):
            return [step]
        theirs = self.stones(1 - self.mover)
        safe = {point for line in LINES if theirs.issuperset(line) for point in line}
        takes = theirs - safe
        if not takes and self.take == "any":
            takes = theirs
        return [f"{step}x{point}" for point in takes] or [step]

    def play(self, turn: str) -> "Twin":
        step, _, taken = turn.partition("x")
        origin, _, to = step.rpartition("-")
        on = {point: side for point, side in self.on.items() if point not in (origin, taken)}
        hand = [left - (not origin and side == self.mover) for side, left in enumerate(self.hand)]
        return replace(
            self,
            on=on | {to: self.mover},
            hand=(hand[0], hand[1]),
            mover=1 - self.mover,
            quiet=self.quiet + 1 if origin and not taken else 0,
        )

    def end(self) -> Result | None:
        if not self.hand[self.mover]:
            if len(self.stones(self.mover)) == 2:
                return Result((1 - self.mover,), "two_left")
            if not self.legal():
                return Result((1 - self.mover,), "no_move")
        if self.seen.count(self.seen[-1]) == 3:
            return Result((), "repetition")
        return Result((), "quiet") if self.quiet == 100 else None
