"""The board as data, for every kind of picture, and its picture as fixed-pitch text.

Columns count from the left and rows from the top, both from 0, whatever the labels say.
The vocabulary is small on purpose and does not grow per game: points, lines, pieces,
labels, marks, a tally, and for an irregular board a hand-made plate for the text picture.
What has a default may be left out: every picture can be drawn without it.

The text picture is that of the original server's pages. It lives in the engine, not in pbm/render,
because playthroughs and the conformance suite draw boards and the engine may import nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from pbm.engine.types import Seat, frozen


class MarkKind(StrEnum):
    """The reasons why a point is marked in the picture."""

    LAST = "last"  # the point, or points, of the turn just played
    CAPTURED = "captured"  # where that turn took a piece away
    WINNING = "winning"  # part of what decided the game


class Figure(StrEnum):
    """The figures that pictures can show on a stone, in place of its symbol."""

    KING = "\N{BLACK CHESS KING}"
    QUEEN = "\N{BLACK CHESS QUEEN}"
    ROOK = "\N{BLACK CHESS ROOK}"
    BISHOP = "\N{BLACK CHESS BISHOP}"
    KNIGHT = "\N{BLACK CHESS KNIGHT}"
    PAWN = "\N{BLACK CHESS PAWN}"


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
    """The stone or stones on a point. `symbol` is one character; `seat` is None if nobody owns it.

    `height` is how many stones lie on each other, or how many lives the piece has. A `figure` is
    shown on the stone in place of the symbol; then the stone of a capital letter is light. Text
    pictures show only the symbol.
    """

    at: str
    symbol: str
    seat: Seat | None
    height: int = 1
    figure: Figure | None = None


@frozen
class Mark:
    """A mark on a point."""

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

    @classmethod
    def of(
        cls,
        heads: tuple[str, ...],
        seats: tuple[str, ...],
        signs: tuple[str, ...],
        figures: Iterable[Iterable[object]],
    ) -> "Tally":
        """Return the tally with a row for each seat, by its name, its sign and its figures."""
        by_seat = enumerate(zip(seats, signs, figures, strict=True))
        return cls(
            heads,
            tuple(
                TallyRow(name, tuple(map(str, values)), sign, seat)
                for seat, (name, sign, values) in by_seat
            ),
        )


@dataclass(frozen=True, slots=True)
class Plate:
    """A hand-made text picture of the empty board, labels included; `read` makes one of a text.

    `rows` are its lines; `places` says for each point's name where its one character
    stands: (line, column), both from 0.
    """

    rows: tuple[str, ...]
    places: Mapping[str, tuple[int, int]]

    @classmethod
    def read(cls, picture: str, names: Iterable[str], sign: str) -> "Plate":
        """Return the plate that `picture` shows, with `sign` where the points `names` are.

        A point is called by the letter above its column in the first line, in any case, and the
        label that its own line begins with.
        """
        rows = tuple(picture.splitlines())
        by_label = {name.lower(): name for name in names}
        places = {
            by_label[f"{rows[0][x].lower()}{row.split()[0]}"]: (y, x)
            for y, row in enumerate(rows)
            for x, drawn in enumerate(row)
            if drawn == sign
        }
        return cls(rows, places)


@frozen
class Diagram:
    """One position as its viewer sees it.

    A grid board gives `columns` and `rows`, the labels from left to right and from top to
    bottom, and a point for each cell. `above` and `below` are lines of plain text beside
    the board: stones in hand, stock, best values. `empty` is the sign of an empty point.
    `told` are lines of sentences below all that: whose stones are whose, what a turn can be.
    A board with `lines` has its points on them; one without is drawn as cells. Cells with a `lean`
    are hexagons: with 1 each row is half a cell further right than the one above, with -1 further
    left. In all pictures but text, whose lines are rows, their columns are upright. The `shaded`
    cells of squares are darker, as on a chessboard. A `tally` says the same as `above` and `below`
    where a real table can be shown.
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
    lean: int = 0
    shaded: frozenset[str] = frozenset()


def stones(by_seat: Iterable[Iterable[str]], signs: Iterable[str]) -> tuple[Piece, ...]:
    """Return a piece for each point that is named for a seat, with the sign of that seat."""
    seats = enumerate(zip(by_seat, signs, strict=True))
    return tuple(Piece(at, sign, seat) for seat, (names, sign) in seats for at in names)


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


MARGIN = " " * 6
"""The margin left of every grid, which sets a board off from the text around it."""

WIDTH_LIMIT = 72
"""Columns that no picture may exceed: what a mail client shows without folding."""

_BRACKETS = {MarkKind.LAST: "()", MarkKind.WINNING: "[]"}
"""The signs beside a marked point; where a piece was captured, there are none."""

_PARTING = "|"
"""The sign between two neighbours with different brackets: "[x x|o)"."""


def draw(diagram: Diagram) -> str:
    """Return the picture as lines joined by newlines, none with trailing blanks.

    The last move is in parentheses, what decided the game in square brackets.
    """
    plate = diagram.plate or (_leaning(_Layout(diagram)) if diagram.lean else None)
    board = _on_plate(diagram, plate) if plate else _grid(diagram)
    told = ["", *[f"{MARGIN}{line}" for line in diagram.told]] if diagram.told else ()
    if not (diagram.above or diagram.below or told):
        return board
    return "\n".join([*_stripped(diagram.above), board, *_stripped((*diagram.below, *told))])


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.rstrip() for line in lines]


class _Layout:
    """The parts that all diagrams of a match share: labels, points, the empty sign.

    Most games give the very same tuples each time. It is known again by these objects themselves,
    which is quicker than to compare hundreds of points, and keeps them, so that no other object
    can take their place in memory.
    """

    __slots__ = ("_same", "columns", "empty", "lean", "points", "rows")

    def __init__(self, diagram: Diagram) -> None:
        self.columns, self.rows = diagram.columns, diagram.rows
        self.points, self.empty, self.lean = diagram.points, diagram.empty, diagram.lean
        self._same = id(self.columns), id(self.rows), id(self.points), self.empty, self.lean

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


def first_points(points: Iterable[Point]) -> tuple[list[Point], list[Point]]:
    """Return the first point of each column and of each row, at which a leaning board has labels.

    Of a column that is the uppermost, of a row the one on the left.
    """
    columns: dict[int, Point] = {}
    rows: dict[int, Point] = {}
    for point in sorted(points, key=lambda point: (point.row, point.column)):
        columns.setdefault(point.column, point)
        rows.setdefault(point.row, point)
    return [*columns.values()], [*rows.values()]


@lru_cache(64)
def _leaning(layout: _Layout) -> Plate:
    """Return the empty board of hexagons; a label is where its column or row would go on."""
    width, lean = max(2, *map(len, layout.rows)), layout.lean
    starts = [2 * point.column + lean * point.row for point in layout.points]
    left = len(MARGIN) + width + 2 - min(starts)
    canvas = [[" "] * (left + max(starts) + 2) for _ in range(len(layout.rows) + 1)]
    places = {
        point.name: (point.row + 1, left + start)
        for point, start in zip(layout.points, starts, strict=True)
    }
    for y, x in places.values():
        canvas[y][x] = layout.empty
    uppermost, leftmost = first_points(layout.points)
    for point in uppermost:
        y, x = places[point.name]
        canvas[y - 1][x - lean] = layout.columns[point.column]
    for point in leftmost:
        (y, x), label = places[point.name], layout.rows[point.row]
        canvas[y][x - 2 - len(label) : x - 2] = label
    return Plate(tuple(map("".join, canvas)), places)


def _on_plate(diagram: Diagram, plate: Plate) -> str:
    """Return the hand-made picture with the pieces and marks set into it.

    Marks fill the gaps beside a point as they do on a grid: the gap between two points
    that are marked alike stays as it is in the picture.
    """
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
