"""A board ready to be drawn: places in units, no pixels, no colours, no game.

One unit is the distance between two neighbouring columns or rows, or hexagons. x grows to the right
and y downwards; the point in the first column and the first row lies at (0, 0).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from pbm.engine.diagram import MarkKind, Tally
from pbm.engine.notation import listing

Place = tuple[float, float]
"""A place on the board: x, y."""

SQUARE: tuple[Place, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_FAR, _NEAR = sqrt(1 / 3), sqrt(1 / 12)
HEXAGON: tuple[Place, ...] = (
    *((-_FAR, 0), (-_NEAR, -0.5), (_NEAR, -0.5), (_FAR, 0), (_NEAR, 0.5), (-_NEAR, 0.5)),
)
"""The corners of the two forms of cells around their middle."""


class Form(StrEnum):
    """The form of a stone. The forms of the sides differ even without any colour."""

    DARK = "dark"  # a filled disc
    LIGHT = "light"  # a ring
    NEUTRAL = "neutral"  # a disc that belongs to nobody, or to a third side, by its letter


class Stone(NamedTuple):
    """A stone or a stack. `letter` is on it: a symbol, the height of a stack, a Figure, or ""."""

    form: Form
    symbol: str
    height: int
    letter: str


class Spot(NamedTuple):
    """A point. It is drawn at `x` and `y`; in a table it has the cell of `column` and `row`.

    `row` counts half cells on a board of hexagons. (A tuple, because a large board has 361 of them
    and a frozen dataclass costs four times as much.)
    """

    name: str
    x: float
    y: float
    column: int
    row: int
    stone: Stone | None
    marks: tuple[MarkKind, ...]


class Edge(StrEnum):
    """The side of the board where a label is."""

    TOP = "top"
    LEFT = "left"


class Label(NamedTuple):
    """The name of a column or a row, at an edge of the board."""

    text: str
    edge: Edge
    x: float
    y: float


@dataclass(frozen=True)
class Ground:
    """The empty board, which stays the same throughout a match.

    `left` and `top` are the corner of the picture, margins included. Either `cells` are the
    middles of cells, or there are `lines`, each a path through two places or more. The cells are
    hexagons if they have a `lean`, as that of a Diagram, and squares if it is 0.
    `dots` are points that the lines alone do not show. `radius` is that of a stone. `spots` are all
    points, with nothing on them; the cells of those that are `shaded` are darker.
    """

    left: float
    top: float
    width: float
    height: float
    radius: float
    cells: tuple[Place, ...]
    lines: tuple[tuple[Place, ...], ...]
    dots: tuple[Place, ...]
    labels: tuple[Label, ...]
    spots: tuple[Spot, ...]
    lean: int = 0
    shaded: frozenset[str] = frozenset()

    @property
    def outline(self) -> tuple[Place, ...]:
        """The corners of a cell around its middle."""
        return HEXAGON if self.lean else SQUARE

    @cached_property
    def is_slanted(self) -> bool:
        """True if some line is neither level nor upright."""
        ways = (way for line in self.lines for way in pairwise(line))
        return any(ax != bx and ay != by for (ax, ay), (bx, by) in ways)

    @cached_property
    def _hash(self) -> int:
        corner = self.left, self.top, self.width, self.height, self.radius
        return hash((corner, self.cells, self.lines, self.dots, self.labels, self.spots))

    def __hash__(self) -> int:
        """Return a hash that is computed once, because pictures are found by their ground."""
        return self._hash

    @property
    def is_tiled(self) -> bool:
        """True if the squares around neighbouring points meet, so that a chain can be tinted."""
        return bool(self.cells) or not self.dots


@dataclass(frozen=True)
class PlottedPicture:
    """One position. `captions` are lines of text without a `tally`, and `told` are sentences."""

    ground: Ground
    spots: tuple[Spot, ...]
    tally: Tally | None
    captions: tuple[str, ...]
    told: tuple[str, ...] = ()

    @cached_property
    def shown(self) -> tuple[Spot, ...]:
        """The spots that show anything, of which most pictures and all words are made."""
        return tuple([spot for spot in self.spots if spot.stone or spot.marks])

    @cached_property
    def is_decided(self) -> bool:
        """True if some stones are marked because they decided the game."""
        return any(MarkKind.WINNING in spot.marks for spot in self.spots if spot.marks)

    @cached_property
    def _hash(self) -> int:
        return hash((self.ground, self.shown, self.tally, self.captions, self.told))

    def __hash__(self) -> int:
        """Return a hash that is computed once: pictures and tables are found by it."""
        return self._hash


_MARKS = {
    MarkKind.LAST: "last move",
    MarkKind.CAPTURED: "captured",
    MarkKind.WINNING: "decisive",
}


def spot_words(name: str, stone: Stone | None, marks: tuple[MarkKind, ...]) -> str:
    """Return the words for a spot: "C4", "x at C4, last move", "stack of 3 at c4"."""
    at = f"{_kind(stone)} at {name}" if stone else name
    return ", ".join((at, *(_MARKS[kind] for kind in marks))) if marks else at


def position_words(plotted: PlottedPicture) -> str:
    """Return one sentence with the places of all stones: "Board with x at C3; last move C3."."""
    places: dict[str, list[str]] = {}
    for spot in plotted.shown:
        if spot.stone:
            places.setdefault(_kind(spot.stone), []).append(spot.name)
    groups = "; ".join(f"{kind} at {', '.join(places[kind])}" for kind in sorted(places))
    return f"{f'Board with {groups}' if groups else 'Empty board'}{_last_move(plotted)}."


def changes(before: PlottedPicture | None, after: PlottedPicture) -> Iterator[str]:
    """Yield "x C4" for a piece that has come to a point, and "C5" for a point that is empty now."""
    old = {spot.name: spot.stone for spot in before.shown} if before else {}
    new = {spot.name: spot.stone for spot in after.shown}
    for name in {**old, **new}:
        stone = new.get(name)
        if stone != old.get(name):
            yield f"{_kind(stone)} {name}" if stone else name


def _kind(stone: Stone) -> str:
    # A stack of two has a sign of its own.
    return f"stack of {stone.height}" if stone.height > 2 else stone.symbol


def _last_move(plotted: PlottedPicture) -> str:
    last = [spot.name for spot in plotted.shown if MarkKind.LAST in spot.marks]
    return f"; last move {listing(last, last='and')}" if last else ""
