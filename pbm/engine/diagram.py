"""The board as data: what a game says about its board once, for every kind of picture.

Columns count from the left and rows from the top, both from 0, whatever the labels say.
The vocabulary is small on purpose and does not grow per game: points, lines, pieces,
labels, marks, a tally, and for an irregular board a hand-made plate for the text picture.
What has a default may be left out: every picture can be drawn without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pbm.engine.types import Seat


class MarkKind(StrEnum):
    """Why a point stands out in the picture."""

    LAST = "last"  # the point, or points, of the turn just played
    CAPTURED = "captured"  # where that turn took a piece away
    WINNING = "winning"  # part of what decided the game


@dataclass(frozen=True, slots=True)
class Point:
    """A place where a piece can lie. `name` is the notation players type.

    `place` says where it is drawn, in columns and rows from 0, if that is not exactly at its
    column and row. Text pictures leave it out.
    """

    name: str
    column: int
    row: int
    place: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn line through the named points, in order."""

    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """What lies on a point. `symbol` is one character; `seat` is None if nobody owns it.

    `height` is how many stones lie on each other, or how many lives the piece has. Text
    pictures show only the symbol.
    """

    at: str
    symbol: str
    seat: Seat | None
    height: int = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """A point that stands out in the picture."""

    at: str
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class TallyRow:
    """One line of a tally: a name, the sign of the stone that goes with it or "", and figures."""

    name: str
    values: tuple[str, ...]
    symbol: str = ""
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Figures that belong to the board: stones in hand, supplies, best values.

    `heads` are the headings of the rows' values.
    """

    heads: tuple[str, ...]
    rows: tuple[TallyRow, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A hand-made text picture of the empty board, labels included.

    `rows` are its lines; `places` says for each point's name where its one character
    stands: (line, column), both from 0.
    """

    rows: tuple[str, ...]
    places: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Diagram:
    """One position as its viewer sees it.

    A grid board gives `columns` and `rows`, the labels from left to right and from top to
    bottom, and a point for each cell. `above` and `below` are lines of plain text beside
    the board: stones in hand, stock, best values. `empty` is the sign of an empty point.
    `told` are lines of sentences below all that: whose stones are whose, what a turn can be.
    A board with `lines` has its points on them; one without is drawn as cells. A `tally`
    says the same as `above` and `below` where a real table can be shown.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    points: tuple[Point, ...]
    pieces: tuple[Piece, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    empty: str = "."
    plate: Plate | None = None
    tally: Tally | None = None
    told: tuple[str, ...] = ()


def grid_points(columns: tuple[str, ...], rows: tuple[str, ...]) -> tuple[Point, ...]:
    """Return a point for each cell of a grid, named column then row, row by row from the top."""
    return tuple(
        Point(f"{letter}{number}", x, y)
        for y, number in enumerate(rows)
        for x, letter in enumerate(columns)
    )


def grid_lines(columns: tuple[str, ...], rows: tuple[str, ...]) -> tuple[Line, ...]:
    """Return the lines of a grid whose points are `grid_points`: every row, then every column."""
    across = (Line(tuple(f"{letter}{number}" for letter in columns)) for number in rows)
    down = (Line(tuple(f"{letter}{number}" for number in rows)) for letter in columns)
    return (*across, *down)


@dataclass(frozen=True, slots=True)
class Placement:
    """A diagram's pieces and marks by point: what the renderers look up."""

    pieces: Mapping[str, Piece] = field(default_factory=dict)
    marks: Mapping[str, MarkKind] = field(default_factory=dict)

    @classmethod
    def of(cls, diagram: Diagram) -> "Placement":
        """Return the lookups for `diagram`; where marks meet, the last one named wins."""
        return cls(
            {piece.at: piece for piece in diagram.pieces},
            {mark.at: mark.kind for mark in diagram.marks},
        )

    def symbol(self, point: str, empty: str) -> str:
        """Return the character to draw at `point`."""
        piece = self.pieces.get(point)
        return piece.symbol if piece else empty
