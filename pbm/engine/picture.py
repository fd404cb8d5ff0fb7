"""A Diagram as fixed-pitch text: the picture of the original server's pages.

It lives in the engine, not in pbm/render, because playthroughs and the conformance suite
draw boards and the engine may import nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pbm.engine.diagram import Diagram, MarkKind, Placement, Plate

MARGIN = " " * 6
"""What stands left of every grid, so that a board is set off from the text around it."""

WIDTH_LIMIT = 72
"""Columns that no picture may exceed: what a mail client shows without folding."""

_BRACKETS = {MarkKind.LAST: "()", MarkKind.WINNING: "[]"}
"""What stands beside a marked point; where a piece was captured, nothing does."""

_PARTING = "|"
"""What stands between two neighbours with different brackets: "[x x|o)"."""


def draw(diagram: Diagram) -> str:
    """Return the picture as lines joined by newlines, none with trailing blanks.

    The last move stands in parentheses, what decided the game in square brackets.
    """
    board = _plate(diagram) if diagram.plate else _grid(diagram)
    told = ["", *[f"{MARGIN}{line}" for line in diagram.told]] if diagram.told else ()
    if not (diagram.above or diagram.below or told):
        return board
    return "\n".join([*_stripped(diagram.above), board, *_stripped((*diagram.below, *told))])


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.rstrip() for line in lines]


class _Layout:
    """What a game gives alike with each diagram of a match: labels, points, the empty sign.

    Most games give the very same tuples each time. It is known again by these objects themselves,
    which is quicker than to compare hundreds of points, and keeps them, so that no other object
    can take their place in memory.
    """

    __slots__ = ("_same", "columns", "empty", "points", "rows")

    def __init__(self, diagram: Diagram) -> None:
        self.columns, self.rows = diagram.columns, diagram.rows
        self.points, self.empty = diagram.points, diagram.empty
        self._same = id(self.columns), id(self.rows), id(self.points), self.empty

    def __hash__(self) -> int:
        return hash(self._same)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Layout) and self._same == other._same


@lru_cache(64)
def _names(layout: _Layout) -> frozenset[str]:
    return frozenset([point.name for point in layout.points])


def names_of(diagram: Diagram) -> frozenset[str]:
    """Return the names of its points."""
    return _names(_Layout(diagram))


@dataclass(frozen=True, slots=True)
class _Frame:
    """An empty grid, labelled on all four sides, in `parts` that only need to be joined.

    The sign of each point is a part by itself, at the index that `places` has for its name, and so
    are the gaps before and behind it. `bare`: a row has no label to end with.
    """

    parts: tuple[str, ...]
    places: Mapping[str, int]
    bare: bool


@lru_cache(64)
def _frame(layout: _Layout) -> _Frame:
    """Return the frame of all diagrams with this layout."""
    width = max(2, *map(len, layout.rows))
    header = f"{MARGIN}{'':{width}}  {' '.join(layout.columns)}".rstrip()
    names = {(point.row, point.column): point.name for point in layout.points}
    parts, places = [header], dict[str, int]()
    for y, label in enumerate(layout.rows):
        parts += (f"\n{MARGIN}{label:>{width}} ", " ")
        for x in range(len(layout.columns)):
            if name := names.get((y, x)):
                places[name] = len(parts)
            parts += (layout.empty if name else " ", " ")
        parts.append(f" {label:>{width}}".rstrip())
    parts.append(f"\n{header}")
    return _Frame(tuple(parts), places, not all(map(str.strip, layout.rows)))


def _grid(diagram: Diagram) -> str:
    """Return the picture of a rectangular board."""
    frame = _frame(_Layout(diagram))
    parts, places = list(frame.parts), frame.places
    for piece in diagram.pieces:
        if piece.at in places:
            parts[places[piece.at]] = piece.symbol
    kinds = {mark.at: mark.kind for mark in diagram.marks if mark.at in places}
    pairs = {places[at]: _BRACKETS[kind] for at, kind in kinds.items() if kind in _BRACKETS}
    for place, pair in pairs.items():
        before = pairs.get(place - 2)
        # The gap between two that are marked alike stays blank, so that a run reads as one.
        parts[place - 1] = pair[0] if before is None else " " if before == pair else _PARTING
        if place + 2 not in pairs:
            parts[place + 1] = pair[1]
    board = "".join(parts)
    return "\n".join(_stripped(board.split("\n"))) if frame.bare else board


def _plate(diagram: Diagram) -> str:
    """Return the hand-made picture with the pieces and marks set into it.

    Marks fill the gaps beside a point as they do on a grid: the gap between two points
    that are marked alike stays as it is in the picture.
    """
    plate = diagram.plate
    assert plate is not None  # noqa: S101 - `draw` has looked
    placement = Placement.of(diagram)
    canvas = [list(row) for row in plate.rows]
    for point, (y, x) in plate.places.items():
        canvas[y][x] = placement.symbol(point, diagram.empty)
    for (y, x), bracket in _plate_brackets(plate, placement).items():
        if 0 <= x < len(canvas[y]):
            canvas[y][x] = bracket
    return "\n".join(["".join(row).rstrip() for row in canvas])


def _plate_brackets(plate: Plate, placement: Placement) -> dict[tuple[int, int], str]:
    """Return what marks put at each (line, column) beside a point, where that changes it."""
    brackets: dict[tuple[int, int], str] = {}
    kept = set(plate.places.values())
    for point, (y, x) in plate.places.items():
        if point not in placement.marks:
            continue
        pair = _brackets(placement, point)
        for side, bracket in zip((x - 1, x + 1), pair, strict=False):
            beyond = brackets.get((y, side))
            if beyond and beyond in pair:
                kept.add((y, side))
            brackets[y, side] = _PARTING if beyond else bracket
    return {place: bracket for place, bracket in brackets.items() if place not in kept}


def _brackets(placement: Placement, point: str) -> str:
    """Return the pair of brackets that marks `point`, or ""."""
    mark = placement.marks.get(point)
    return _BRACKETS.get(mark, "") if mark else ""
