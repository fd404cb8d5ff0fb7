"""A Diagram as fixed-pitch text: the picture of the original server's pages.

It lives in the engine, not in pbm/render, because playthroughs and the conformance suite
draw boards and the engine may import nothing.
"""

from collections.abc import Mapping
from itertools import chain

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
    told = ["", *(f"{MARGIN}{line}" for line in diagram.told)] if diagram.told else []
    lines = [*diagram.above, *board, *diagram.below, *told]
    return "\n".join(line.rstrip() for line in lines)


def _grid(diagram: Diagram) -> list[str]:
    """Return the rows of a rectangular board, labelled on all four sides."""
    width = max(2, *map(len, diagram.rows))
    header = f"{MARGIN}{'':{width}}  {' '.join(diagram.columns)}"
    brackets = _grid_brackets(diagram)
    rows = [
        f"{MARGIN}{label:>{width}} {_cells(symbols, brackets.get(y, {}))} {label:>{width}}"
        for y, (label, symbols) in enumerate(zip(diagram.rows, _symbols(diagram), strict=True))
    ]
    return [header, *rows, header]


def _symbols(diagram: Diagram) -> list[list[str]]:
    """Return the character of each cell, row by row: a blank where there is no point."""
    symbols = [[" "] * len(diagram.columns) for _ in diagram.rows]
    pieces = {piece.at: piece.symbol for piece in diagram.pieces}
    empty, found = diagram.empty, pieces.get
    for point in diagram.points:
        symbols[point.row][point.column] = found(point.name, empty)
    return symbols


def _grid_brackets(diagram: Diagram) -> dict[int, dict[int, str]]:
    """Return by row and column the pair of brackets of each point that has one."""
    kinds = {mark.at: mark.kind for mark in diagram.marks}
    pairs = {at: _BRACKETS[kind] for at, kind in kinds.items() if kind in _BRACKETS}
    found: dict[int, dict[int, str]] = {}
    for point in diagram.points if pairs else ():
        if point.name in pairs:
            found.setdefault(point.row, {})[point.column] = pairs[point.name]
    return found


def _cells(symbols: list[str], brackets: Mapping[int, str]) -> str:
    """Return one row: symbols with a gap before, between and after them.

    A marked cell fills the gaps at its sides; the gap between two that are marked alike
    stays blank, so that a run of them reads as one: " .[x x x]. ".
    """
    if not brackets:
        return f" {' '.join(symbols)} "
    gaps = [" "] * (len(symbols) + 1)
    for x, pair in sorted(brackets.items()):
        before = brackets.get(x - 1)
        gaps[x] = pair[0] if before is None else " " if before == pair else _PARTING
        gaps[x + 1] = pair[1]
    return "".join(chain.from_iterable(zip(gaps, symbols, strict=False))) + gaps[-1]


def _plate(diagram: Diagram) -> list[str]:
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
    return ["".join(row) for row in canvas]


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
