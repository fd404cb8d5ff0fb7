"""The Power of Two once more, from the rule text, with sets, dicts and names of points.

It shares the board with its game, which is data. A fresh piece has 2 lives, an aged one 1.
"""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise, permutations
from pathlib import Path

from pbm.engine import Result

BOARD = Path(__file__).resolve().parents[2] / "games" / "pow2" / "board.json"
LINES: list[list[str]] = json.loads(BOARD.read_text("utf-8"))["lines"]
POINTS = {name for line in LINES for name in line}
EDGES = {frozenset(pair) for line in LINES for pair in pairwise(line)}
BESIDE = {name: {other for other in POINTS if {name, other} in EDGES} for name in POINTS}

LIGHT, DARK = 0, 1
Pieces = dict[str, tuple[int, int]]
"""Seat and lives of the piece on each occupied point."""


@cache
def order(name: str) -> tuple[str, int]:
    """Return the sort key of a point: by letter, then by number."""
    return name[0], int(name[1:])


def is_outer(line: list[str]) -> bool:
    return any(all(name[0] == letter for name in line) for letter in "am") or any(
        all(name[1:] == number for name in line) for number in ("1", "13")
    )


@dataclass
class Twin:
    """A position."""

    on: Pieces
    mover: int = LIGHT
    exact: bool = False
    noborder: bool = False

    @classmethod
    def start(cls, exact: str = "no", noborder: str = "no") -> "Twin":
        corners = {"m1": (LIGHT, 2), "m13": (LIGHT, 2), "a1": (DARK, 2), "a13": (DARK, 2)}
        return cls(corners, LIGHT, exact == "yes", noborder == "yes")

    def pieces(self) -> Pieces:
        return self.on

    def own(self) -> set[str]:
        return {name for name, (seat, _) in self.on.items() if seat == self.mover}

    def slides(self, start: str) -> set[str]:
        """Return the destinations along a line at any distance, over empty points."""
        found = set()
        for line in LINES:
            if start not in line or (self.noborder and is_outer(line)):
                continue
            at = line.index(start)
            for ahead in (line[at + 1 :], line[:at][::-1]):
                for name in ahead:
                    if name in self.on:
                        break
                    found.add(name)
        return found

    def placings(self, start: str, target: str) -> set[frozenset[str]]:
        """Return the sets of points that may be filled after a slide; none if it is illegal."""
        neighbours = [n for n in BESIDE[target] if n in self.on and n != start]
        free = [n for n in BESIDE[target] if n not in self.on or n == start]
        full = {
            frozenset(chosen)
            for chosen in permutations(free, len(neighbours))
            if all(p in BESIDE[n] for p, n in zip(chosen, neighbours, strict=True))
        }
        supply = 16 - len(self.own())
        if supply >= len(neighbours):
            return full
        if self.exact:
            return set()
        return {frozenset(part) for placed in full for part in combinations(placed, supply)}

    def legal(self) -> list[str]:
        return self._legal

    @cached_property
    def _legal(self) -> list[str]:
        """All turns, each once, sorted by the piece, its destination and the placements."""
        found = []
        for start in sorted(self.own(), key=order):
            for target in sorted(self.slides(start), key=order):
                placings = [sorted(placed, key=order) for placed in self.placings(start, target)]
                placings.sort(key=lambda names: list(map(order, names)))
                found += [
                    f"{start}-{target}" + ":" * bool(placed) + ",".join(placed)
                    for placed in placings
                ]
        return found

    def play(self, turn: str) -> "Twin":
        slide, _, names = turn.partition(":")
        start, target = slide.split("-")
        pieces = dict(self.on)
        pieces[target] = pieces.pop(start)
        if names:
            # Ageing comes after placing, but only affects pieces that were there before.
            ageing = {n for n in BESIDE[target] if n in pieces and pieces[n][0] == self.mover}
            pieces |= dict.fromkeys(names.split(","), (self.mover, 2))
            for name in ageing | {target}:
                seat, lives = pieces.pop(name)
                if lives == 2:
                    pieces[name] = (seat, 1)
        return Twin(pieces, 1 - self.mover, self.exact, self.noborder)

    def end(self) -> Result | None:
        mover = 1 - self.mover
        if sum(seat == mover for seat, _ in self.on.values()) == 16:
            return Result((mover,), "all_16")
        return None if self.legal() else Result((mover,), "no_move")
