"""Turn a Diagram into a PlottedPicture: the places of all things, and the forms of the stones.

What a game leaves out is derived here: a board without lines is made of cells, and cells with a
lean are hexagons, in upright columns each of which is half a cell off the one before.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from itertools import pairwise
from math import dist, sqrt
from typing import Generic, TypeVar

from pbm.engine import frozen
from pbm.engine.diagram import Diagram, Figure, MarkKind, first_points
from pbm.engine.types import Seat
from pbm.render.boards.plotted_picture import (
    Edge,
    Form,
    Ground,
    Label,
    Place,
    PlottedPicture,
    Spot,
    Stone,
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most `most` values by key; the least recently used goes first.

    Threads may share it; two may make the same value at once.
    """

    def __init__(self, most: int) -> None:
        self._cached: Callable[[K], list[V]] = lru_cache(most)(lambda _: [])

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value cached for `key`; if there is none, make it and cache it."""
        cached = self._cached(key)
        if not cached:
            cached.append(make())
        return cached[0]


_FORMS = {"x": Form.DARK, "o": Form.LIGHT}
"""The form of the signs that most games use. It makes Black dark and White light."""

_BY_SEAT = (Form.DARK, Form.LIGHT)
"""The form of the other signs; a seat beyond these is known by its letter."""

_LETTERED_HEIGHT = 3
"""From this height on, a stack shows its number; two stones can be seen."""

_LABEL_GAP = 1.0
"""From the outermost points to the middle of a label."""

_MARGIN = 0.45
"""From the middle of a label to the edge of the picture."""

_BARE_MARGIN = 0.75
"""From the outermost points to the edge of a picture that has no labels there."""

_COLUMN = sqrt(3) / 2
"""The distance of two columns of hexagons."""

_KINDS = 32
"""Kinds of stones whose spots are cached for each blank board."""

_CELL_RADIUS = 0.38
_LINE_RADIUS = 0.44
"""The radius of a stone in a cell, and that on lines as a part of the smallest distance."""


_Kind = tuple[str, Seat | None, int, Figure | None]
"""The symbol of a piece, its seat, its height and its figure."""


@frozen
class Blank:
    """A board without stones, from which every picture of a match starts.

    `laid` has, by kind of stone, the spots that such a stone had lately: a late picture is made of
    hundreds of them, and two pictures that share them are compared quickly.
    """

    ground: Ground
    index: Mapping[str, int]
    laid: Cache[_Kind, dict[int, Spot]] = field(
        default_factory=lambda: Cache(_KINDS), compare=False, repr=False
    )


class Plotter:
    """Plots diagrams, and caches the blank boards of the last few games.

    A game that gives the same tuples of points and lines with each diagram, as most do, is
    recognised by the objects themselves, which is quicker than comparing them. They are cached
    with the board, so no other object can take their place in memory.
    """

    def __init__(self, boards: int = 32) -> None:
        self._blanks: Cache[tuple[int, ...], tuple[Diagram, Blank]] = Cache(boards)

    def plot(self, diagram: Diagram) -> PlottedPicture:
        """Return the picture of `diagram`."""
        parts = diagram.columns, diagram.rows, diagram.points, diagram.lines, diagram.shaded
        key = (diagram.lean, *map(id, parts))
        _, blank = self._blanks.get(key, lambda: (diagram, _blank(diagram)))
        return _filled(blank, diagram)


def _blank(diagram: Diagram) -> Blank:
    """Return the board of `diagram` without pieces and marks."""
    ground = _ground(diagram)
    return Blank(ground, {spot.name: number for number, spot in enumerate(ground.spots)})


def _filled(blank: Blank, diagram: Diagram) -> PlottedPicture:
    """Return `blank` with the pieces, the marks and the figures of `diagram`."""
    spots, index = list(blank.ground.spots), blank.index
    of_kinds: dict[_Kind, dict[int, Spot]] = {}
    for piece in diagram.pieces:
        number, kind = index[piece.at], (piece.symbol, piece.seat, piece.height, piece.figure)
        laid = of_kinds.get(kind)
        if laid is None:
            laid = of_kinds[kind] = blank.laid.get(kind, dict)
        if number not in laid:
            laid[number] = blank.ground.spots[number]._replace(stone=stone_of(*kind))
        spots[number] = laid[number]
    for at, kinds in _marks(diagram).items():
        number = index[at]
        spots[number] = spots[number]._replace(marks=kinds)
    lines = () if diagram.tally else (*diagram.above, *diagram.below)
    captions = _captions(lines) if lines else ()
    return PlottedPicture(blank.ground, tuple(spots), diagram.tally, captions, diagram.told)


def stone_of(
    symbol: str, seat: Seat | None, height: int = 1, figure: Figure | None = None
) -> Stone:
    """Return the look of a piece. A sign that its form does not show is written on it."""
    sign = symbol.lower()
    plain = sign in _FORMS
    if seat is None:
        form = Form.NEUTRAL
    elif figure:
        form = Form.LIGHT if symbol.isupper() else Form.DARK
    elif plain:
        form = _FORMS[sign]
    else:
        form = _BY_SEAT[seat] if seat < len(_BY_SEAT) else Form.NEUTRAL
    letter = str(height) if height >= _LETTERED_HEIGHT else "" if plain else symbol
    return Stone(form, symbol, height, figure or letter)


def _marks(diagram: Diagram) -> dict[str, tuple[MarkKind, ...]]:
    """Return the marks of each point that has any, each kind once."""
    marks: dict[str, tuple[MarkKind, ...]] = {}
    for mark in diagram.marks:
        had = marks.get(mark.at, ())
        if mark.kind not in had:
            marks[mark.at] = (*had, mark.kind)
    return marks


def _ground(diagram: Diagram) -> Ground:
    if diagram.lean:
        return _honeycomb(diagram)
    places = {p.name: p.place or (float(p.column), float(p.row)) for p in diagram.points}
    xs = [x for x, _ in places.values()] or [0.0]
    ys = [y for _, y in places.values()] or [0.0]
    labels = _labels(diagram)
    margin = _LABEL_GAP + _MARGIN if labels else _BARE_MARGIN
    return Ground(
        min(xs) - margin,
        min(ys) - margin,
        max(xs) - min(xs) + margin + _BARE_MARGIN,
        max(ys) - min(ys) + margin + _BARE_MARGIN,
        _radius(diagram, places),
        () if diagram.lines else tuple(places.values()),
        tuple(tuple(places[name] for name in line.points) for line in diagram.lines),
        () if _is_full(diagram) else tuple(places.values()),
        labels,
        tuple(
            Spot(point.name, x, y, point.column, point.row, None, ())
            for point, (x, y) in zip(diagram.points, places.values(), strict=True)
        ),
        shaded=diagram.shaded,
    )


def _honeycomb(diagram: Diagram) -> Ground:
    """Return a board of hexagons; a label is where its column or row would go on."""
    halves = [2 * point.row + diagram.lean * point.column for point in diagram.points]
    spots = tuple(
        Spot(p.name, _COLUMN * p.column, y / 2, p.column, y, None, ())
        for p, y in zip(diagram.points, (y - min(halves) for y in halves), strict=True)
    )
    at = {spot.name: spot for spot in spots}
    uppermost, leftmost = ([(p, at[p.name]) for p in each] for each in first_points(diagram.points))
    labels = (
        *(Label(diagram.columns[p.column], Edge.TOP, s.x, s.y - 1) for p, s in uppermost),
        *(
            Label(diagram.rows[p.row], Edge.LEFT, s.x - _COLUMN, s.y - diagram.lean / 2)
            for p, s in leftmost
        ),
    )
    left = min(label.x for label in labels) - _MARGIN
    upper = min(label.y for label in labels) - _MARGIN
    width = max(spot.x for spot in spots) + _BARE_MARGIN - left
    height = max(spot.y for spot in spots) + _BARE_MARGIN - upper
    cells = tuple((spot.x, spot.y) for spot in spots)
    return Ground(
        left, upper, width, height, _CELL_RADIUS, cells, (), (), labels, spots, diagram.lean
    )


def _is_full(diagram: Diagram) -> bool:
    """Return whether the points are all crossings of a grid, or cells, which need no dots."""
    return not diagram.lines or len(diagram.points) == len(diagram.columns) * len(diagram.rows)


def _radius(diagram: Diagram, places: Mapping[str, Place]) -> float:
    """Return the radius at which no two stones touch.

    Only points with places of their own can be nearer to each other than one unit.
    """
    if not diagram.lines:
        return _CELL_RADIUS
    if not any(point.place for point in diagram.points):
        return _LINE_RADIUS
    steps = (dist(places[a], places[b]) for line in diagram.lines for a, b in pairwise(line.points))
    return _LINE_RADIUS * min(1.0, *steps)


def _labels(diagram: Diagram) -> tuple[Label, ...]:
    """Return the names of columns above the board, and of rows left of it."""
    return (
        *(Label(column, Edge.TOP, x, -_LABEL_GAP) for x, column in enumerate(diagram.columns)),
        *(Label(row, Edge.LEFT, -_LABEL_GAP, y) for y, row in enumerate(diagram.rows)),
    )


def _captions(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that are not blank, without the indentation that they share."""
    written = [line.rstrip() for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in written), default=0)
    return tuple(line[indent:] for line in written)
