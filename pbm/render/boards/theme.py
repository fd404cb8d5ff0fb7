"""The look of boards: colours by role, by day and by night, and the shapes of stones and marks.

Text has a contrast of at least 4.5 against its background, and shapes at least 3 (WCAG 2.2, 1.4.3
and 1.4.11); a test computes both. No meaning depends on colour alone: stones differ by form, the
last move is a dot or a small ring, and a deciding stone has a ring around it.

The sizes of shapes are parts of a stone's radius.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from pbm.engine.diagram import Figure, MarkKind
from pbm.render.boards import figurines
from pbm.render.boards.plotted_picture import Form, Spot, Stone


class Role(StrEnum):
    """The use of a colour."""

    BOARD = "board"  # the background of everything
    SHADE = "shade"  # dark cells: the board below 30 % of the colour of lines by day (css.py)
    LINE = "line"  # lines and the edges of cells
    LABEL = "label"  # the names of columns, rows and points
    DARK = "dark"  # the dark stone
    LIGHT = "light"  # the light stone
    RIM = "rim"  # the ring around the light stone, and the edge of the dark one
    NEUTRAL = "neutral"  # a stone that belongs to nobody
    LETTER = "letter"  # the letter on a neutral stone
    LINK = "link"  # the name of a point that can be tapped, in a table
    MARK = "mark"  # the last move
    WIN = "win"  # what decided the game
    LAST_GROUND = "last_ground"  # the cell of the last move, in a table
    WIN_GROUND = "win_ground"  # the cell of a deciding stone, in a table


_COLOURS: Final[Mapping[Role, tuple[str, str]]] = {
    Role.BOARD: ("#f4e9d2", "#2c2823"),
    Role.SHADE: ("#d7c9af", "#4b4234"),
    Role.LINE: ("#927d5c", "#8b7b62"),
    Role.LABEL: ("#5d4c34", "#c9b89a"),
    Role.DARK: ("#292524", "#0d0b0a"),
    Role.LIGHT: ("#fffdf8", "#f3ead9"),
    Role.RIM: ("#292524", "#b7a688"),
    Role.NEUTRAL: ("#8a5f33", "#c2935c"),
    Role.LETTER: ("#fffdf8", "#0d0b0a"),
    Role.LINK: ("#1f588f", "#93c4ee"),
    Role.MARK: ("#c8501a", "#d4622c"),
    Role.WIN: ("#0b6f80", "#4fb6c4"),
    Role.LAST_GROUND: ("#f5cfa6", "#6b3d1a"),
    Role.WIN_GROUND: ("#b5dbdc", "#1c5560"),
}
"""The colour of each role by day and by night: dark stones on warm paper, and the same darkened."""

Palette = Mapping[Role, str]
"""A colour, `#rrggbb`, for each role."""

LIGHT: Final[Palette] = {role: day for role, (day, _) in _COLOURS.items()}
"""The colours by day. Pictures with pixels always use them."""

DARK: Final[Palette] = {role: night for role, (_, night) in _COLOURS.items()}


class Disc(NamedTuple):
    """A filled circle; `y` is the distance of its middle below the spot."""

    radius: float
    role: Role
    y: float = 0.0


class Stroke(NamedTuple):
    """A straight stroke with round ends, as wide as `width`, from one place to another."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    role: Role


class Letters(NamedTuple):
    """Text in the middle of a stone; `size` is its height from line to line."""

    text: str
    size: float
    role: Role
    y: float = 0.0


Shape = Disc | Stroke | Letters

LINE_WIDTH = 0.03
"""The width of a line or of the edge of a cell, in units: a pixel, as in a table."""

LABEL_SIZE = 0.42
"""The size of a label in units; a picture with pixels may have a smallest size."""

DOT = 0.07
"""The radius in units of an empty point that the lines alone do not show."""

EXTENT = 1.3
"""No shape reaches further than this from the middle of its spot, in radii."""

_DISCS = {
    Form.DARK: ((1.0, Role.RIM), (0.9, Role.DARK)),
    Form.LIGHT: ((1.0, Role.RIM), (0.8, Role.LIGHT)),
    Form.NEUTRAL: ((1.0, Role.NEUTRAL),),
}
"""The discs of each form, from the lowest to the highest."""

_LETTER = {Form.DARK: Role.LIGHT, Form.LIGHT: Role.DARK, Form.NEUTRAL: Role.LETTER}
_LETTER_SIZE = {1: 1.15, 2: 0.98}
"""The size of the text on a stone, by its number of characters."""

_LOWER, _UPPER, _SHRUNK, _GAP = 0.2, -0.14, 0.92, 0.1
"""The places of the lower and the upper disc of a stack, their size, and the gap between them."""

_RING, _INSIDE = 0.86, 0.77
"""Of a lettered stone that was moved last: the inner edge of the ring, and the stone inside."""

_HALO, _HALO_GAP = 1.28, 1.08
"""The ring around a stone that decided the game, and the ground between ring and stone."""


def shapes(stone: Stone | None, marks: tuple[MarkKind, ...]) -> tuple[Shape, ...]:
    """Return the shapes of a spot, from the lowest to the highest."""
    return tuple(_on_empty(marks) if stone is None else _on_stone(stone, marks))


def layered(spots: Iterable[Spot]) -> list[Spot]:
    """Return spots that show anything in the order in which they are drawn.

    Those with a ring come first, because a ring may reach under the edge of a neighbour.
    """
    return sorted(spots, key=lambda spot: MarkKind.WINNING not in spot.marks)


def _on_stone(stone: Stone, marks: tuple[MarkKind, ...]) -> Iterator[Shape]:
    if MarkKind.WINNING in marks:
        yield Disc(_HALO, Role.WIN)
        yield Disc(_HALO_GAP, Role.LIGHT)
    discs = _DISCS[stone.form]
    size, y = (1.0, 0.0) if stone.height == 1 else (_SHRUNK, _UPPER)
    if stone.height > 1:
        yield from (Disc(part * size, role, _LOWER) for part, role in discs)
        yield Disc(size + _GAP, Role.BOARD, y)
    # A dot would hide a letter, so the last move is a ring around one.
    if stone.letter and MarkKind.LAST in marks:
        yield Disc(size, Role.MARK, y)
        yield Disc(size * _RING, Role.LIGHT, y)
        size *= _INSIDE
    yield from (Disc(part * size, role, y) for part, role in discs)
    if stone.letter:
        yield from _written(stone, size, y)
    elif MarkKind.LAST in marks:
        yield Disc(0.46, Role.LIGHT, y)
        yield Disc(0.34, Role.MARK, y)


def _written(stone: Stone, size: float, y: float) -> Iterator[Shape]:
    """Yield the letter or the figure of a stone of this size in the middle of its spot."""
    role = _LETTER[stone.form]
    if not isinstance(stone.letter, Figure):
        yield Letters(stone.letter, _LETTER_SIZE.get(len(stone.letter), 0.8), role, y)
        return
    paper = _DISCS[stone.form][-1][1]
    for line, is_ink in figurines.lines(stone.letter):
        ax, ay, bx, by, width = (size * n for n in line)
        yield Stroke((ax, ay + y), (bx, by + y), width, role if is_ink else paper)


def _on_empty(marks: tuple[MarkKind, ...]) -> Iterator[Shape]:
    """Yield a ring where the last turn began, or a cross where it took a piece."""
    if MarkKind.CAPTURED in marks:
        yield Disc(0.62, Role.BOARD)
        for x in (-0.36, 0.36):
            yield Stroke((-x, -0.36), (x, 0.36), 0.2, Role.MARK)
    elif marks:
        yield Disc(0.62, Role.BOARD)
        yield Disc(0.5, Role.MARK if MarkKind.LAST in marks else Role.WIN)
        yield Disc(0.28, Role.BOARD)
