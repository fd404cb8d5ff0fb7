"""A board ready to be drawn: places in units, no pixels, no colours, no game.

One unit is the distance between two neighbouring columns or rows. x grows to the right and
y downwards; the point in the first column and the first row lies at (0, 0).
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from pbm.engine.diagram import MarkKind, Tally
from pbm.engine.notation import listing

Place = tuple[float, float]
"""Where something lies: x, y."""


class Form(StrEnum):
    """What tells the sides' stones apart. The forms differ even without any colour."""

    DARK = "dark"  # a filled disc
    LIGHT = "light"  # a ring
    NEUTRAL = "neutral"  # a disc that belongs to nobody, or to a third side, by its letter


class Stone(NamedTuple):
    """What lies on a spot. `letter` is written on it: a symbol, the height of a stack, or ""."""

    form: Form
    symbol: str
    height: int
    letter: str


class Spot(NamedTuple):
    """A point. It is drawn at `x` and `y`; in a table it has the cell of `column` and `row`.

    `column` may end in a half, on a board whose rows are shifted against each other. (A tuple,
    because a large board has 361 of them and a frozen dataclass costs four times as much.)
    """

    name: str
    x: float
    y: float
    column: float
    row: int
    stone: Stone | None
    marks: tuple[MarkKind, ...]


class Edge(StrEnum):
    """On which side of the board a label stands."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"


class Label(NamedTuple):
    """The name of a column or a row. `column` and `row` are those of the first spot it names."""

    text: str
    edge: Edge
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Ground:
    """What stays the same throughout a match: the empty board.

    `left` and `top` are the corner of the picture, margins included. Either `cells` are the
    middles of square cells, or there are `lines`, each a path through two places or more.
    `dots` are points that the lines alone do not show. `radius` is that of a stone. `spots` are all
    points, with nothing on them. `is_slanted`: some line is neither level nor upright.
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
    is_slanted: bool = field(init=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        slanted = any(
            ax != bx and ay != by for line in self.lines for (ax, ay), (bx, by) in pairwise(line)
        )
        object.__setattr__(self, "is_slanted", slanted)
        parts = (self.left, self.top, self.width, self.height, self.radius, self.cells)
        whole = (parts, self.lines, self.dots, self.labels, self.spots)
        object.__setattr__(self, "_hash", hash(whole))

    def __hash__(self) -> int:
        """Return the same each time without counting anew: pictures are found by their ground."""
        return self._hash

    @property
    def is_tiled(self) -> bool:
        """Whether the squares around neighbouring points meet, so that a chain can be tinted."""
        return bool(self.cells) or not self.dots


@dataclass(frozen=True, slots=True)
class Drawing:
    """One position. `captions` are lines of plain text, from which a `tally` is left out.

    `told` are lines of sentences. `shown` are those of the `spots` that show anything: most
    pictures and all words are made of them alone.
    """

    ground: Ground
    spots: tuple[Spot, ...]
    tally: Tally | None
    captions: tuple[str, ...]
    told: tuple[str, ...] = ()
    shown: tuple[Spot, ...] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = tuple([spot for spot in self.spots if spot.stone or spot.marks])
        object.__setattr__(self, "shown", shown)
        parts = (self.ground, shown, self.tally, self.captions, self.told)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        """Return the same each time: a drawing is looked up as a picture and as a table."""
        return self._hash


_MARKS = {
    MarkKind.LAST: "last move",
    MarkKind.CAPTURED: "captured",
    MarkKind.WINNING: "decisive",
}


def spot_words(name: str, stone: Stone | None, marks: tuple[MarkKind, ...]) -> str:
    """Return the words for a spot: "C4", "x at C4, last move", "stack of 3 at c4"."""
    at = name
    if stone and stone.height > 2:  # two lives have signs of their own
        at = f"stack of {stone.height} at {at}"
    elif stone:
        at = f"{stone.symbol} at {at}"
    return ", ".join((at, *(_MARKS[kind] for kind in marks))) if marks else at


def board_words(drawing: Drawing) -> str:
    """Return one sentence on the position: how many stones there are, and the last move.

    It stays short, so it suits the `alt` of a picture beside which the board stands as a table.
    """
    counts = Counter([spot.stone.symbol for spot in drawing.shown if spot.stone])
    stones = [f"{number} {symbol}" for symbol, number in sorted(counts.items())]
    words = f"Board with {listing(stones, last='and')}" if stones else "Empty board"
    return f"{words}{_last_move(drawing)}."


def position_words(drawing: Drawing) -> str:
    """Return one sentence that tells where everything lies, for a picture that stands alone."""
    places: dict[str, list[str]] = {}
    of_stones: dict[Stone, list[str]] = {}  # hundreds of stones are of a few kinds
    for name, _, _, _, _, stone, _ in drawing.shown:
        if stone:
            if stone not in of_stones:
                of_stones[stone] = places.setdefault(_kind(stone), [])
            of_stones[stone].append(name)
    groups = "; ".join(f"{kind} at {', '.join(places[kind])}" for kind in sorted(places))
    return f"{f'Board with {groups}' if groups else 'Empty board'}{_last_move(drawing)}."


def _kind(stone: Stone) -> str:
    return f"stack of {stone.height}" if stone.height > 2 else stone.symbol


def _last_move(drawing: Drawing) -> str:
    last = [spot.name for spot in drawing.shown if MarkKind.LAST in spot.marks]
    return f"; last move {listing(last, last='and')}" if last else ""
