"""The CSS of boards in mails: the style block in the head, and slanted lines as a background.

The style block is for what inline styles cannot do: lines, discs, wide screens and dark screens.
It has rules only for the sizes of cells in the mail. For dark screens each colour is there twice:
under `prefers-color-scheme`, and under the attributes that Outlook.com sets on what it has darkened
(`data-ogsc` for colours, `data-ogsb` for backgrounds).
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import hypot

from pbm.render.boards.plotted_picture import Ground, Place
from pbm.render.boards.theme import DARK, LIGHT, Palette, Role

WEST, EAST, NORTH, SOUTH = 1, 2, 4, 8
"""The sides of a cell to which lines lead from its middle, added up in a mask."""

CROSS = WEST | EAST | NORTH | SOUTH
"""The mask of a cell inside a grid, which is so common that it has no class."""

SHADED = CROSS + 1
"""In place of a mask: a shaded cell, on a board without lines."""

FONT_SIZES = {16: 8, 20: 9, 24: 11, 28: 11, 34: 13, 39: 13, 44: 13}
"""The sizes of names in a cell, by the cell's side on a phone, in pixels: three signs fit."""

SIZES = tuple(FONT_SIZES)

DENSE = (16, 20, 24)
"""Small cells, which rules enlarge on a wide screen."""

WIDE_CELL = 30
"""The side of an enlarged cell, in pixels."""

LABELS = 20
"""The width of the column of labels, and the height of their row, in pixels."""

_COLOURS = (
    (".pb", "background", Role.BOARD),
    (".pbl td,.pbc td", "color", Role.LINE),
    (".pb .y,.pb .g,.pb i,.pbt td,.pbt th", "color", Role.LABEL),
    (".pb a", "color", Role.LINK),
    (".pbl .k a,.pbl .k i", "color", Role.MARK),
    (".pbl .c", "background-color", Role.BOARD),
    (".pbc .k", "background-color", Role.LAST_GROUND),
    (".pb .w", "background-color", Role.WIN_GROUND),
    (".pb b", "border-color", Role.RIM),
    (".pb .s b", "border-color", Role.LINK),
    (".pb .d", "background-color", Role.DARK),
    (".pb .d", "color", Role.LIGHT),
    (".pb .l", "background-color", Role.LIGHT),
    (".pb .l", "color", Role.DARK),
    (".pb .n", "background-color", Role.NEUTRAL),
    (".pb .n", "color", Role.LETTER),
    (".pb .n", "border-color", Role.NEUTRAL),
    (".pb .w b", "border-color", Role.WIN),
    (".pb .k b", "border-color", Role.MARK),
)
"""The rules for colours: selector, property, role."""

_WIDE = 640
"""The width in pixels from which a screen is wide, so that small cells are enlarged."""

_RIM = 2
"""The width of a stone's edge, in pixels."""

_AIR = 3
"""The space between a stone and the edge of its cell, in pixels."""

_BASE = (
    ".pb td{padding:0;vertical-align:middle;line-height:1}\n"
    ".pb .y{height:20px}\n"
    ".pb i{font-style:normal}\n"
    ".pb .c{font:bold 18px/12px Arial}\n"
    ".pb a{display:block;text-decoration:none}\n"
    ".pb b{display:inline-block;border:2px solid;border-radius:50%;vertical-align:middle}\n"
    ".pbc,.pbl{border-collapse:collapse}\n"
    ".pbc td,.pbl td{border:1px solid}\n"
    ".pb .pbt b{width:16px;line-height:16px;text-align:center}\n"
    ".pb .y,.pb .z{border:0;background:none}\n"
    # The colour of lines over the card's own, which one rule says for day and night: Role.SHADE.
    f".pbc .l{SHADED}{{background:rgba{(*bytes.fromhex(LIGHT[Role.LINE][1:]), 0.3)}}}"
)


def _ring(radius: float, inner: float = 0, colour: str = "currentColor") -> str:
    """Return the background that draws a dot, or a ring, in the middle of an element."""
    hole = f"transparent {inner}px,{colour} {inner + 0.5}px," if inner else ""
    return f"radial-gradient(circle,{hole}{colour} {radius}px,transparent {radius + 1}px)"


# The dot of the last move on a stone of either form, and the rim of the dot.
_LAST = f"{LIGHT[Role.MARK]} 3px,{LIGHT[Role.LIGHT]} 4px,{LIGHT[Role.LIGHT]} 5px,transparent 6px"

_DRAWN = (
    # Programs that know no media queries know no gradients either: they show the names of points,
    # the signs of stones and the edges of cells.
    "@media(min-width:1px){.pbl td{border:0}\n"
    ".pb td a,.pb td i{display:block;text-indent:99px;overflow:hidden}\n"
    ".pb td b{font-size:0}.pb td b.a{font-size:12px}\n"
    f".pb td a{{background:{_ring(1.5)}}}.pbd td i{{background:{_ring(2)}}}\n"
    f".pbl .k a,.pbl .k i{{background:{_ring(5, 3)}}}\n"
    f".pb .k b{{background-image:radial-gradient(circle,{_LAST})}}\n"
    ".pb .k b.a{background-image:none}\n"
    ".pb td .c,.pb td .s{text-indent:0;background:none}}"
)
"""The rules for what is drawn in place of text."""

_LINE = "linear-gradient(currentColor,currentColor)"


def _lines() -> Iterator[str]:
    """Yield a rule for each pattern of lines in a cell."""
    yield f".pbl td{{background-image:{_LINE},{_LINE};background-repeat:no-repeat}}"
    for mask in range(CROSS + 1):
        level, upright = mask & (WEST | EAST), mask & (NORTH | SOUTH)
        places = f"{_along(mask, WEST)} 50%,50% {_along(mask, NORTH)}"
        sizes = f"{_length(level)} 1px,1px {_length(upright)}"
        selector = ".pbl td" if mask == CROSS else f".pbl .l{mask}"
        yield f"{selector}{{background-position:{places};background-size:{sizes}}}"


def _along(mask: int, low: int) -> str:
    return "0" if mask & low else "100%"


def _length(sides: int) -> str:
    """Return the length of a line to these two sides of a cell, or to one of them."""
    return ("0", "50%", "100%")[sides.bit_count()]


NE, SE, SW, NW = ("h1", "h2", "h3", "h4")
"""The classes of half a cell beside a hexagon: the corner that is an edge of the hexagon."""

TIP = "h"
"""The class of a cell in the narrow column right of the hexagons."""


def _slope(degrees: int, *places: float) -> str:
    """Return the background that draws slanted lines at these percentages of its way."""
    stops = [f"transparent {p - 2}%,currentColor {p}%,transparent {p + 2}%" for p in places]
    return f"linear-gradient({degrees}deg,{','.join(stops)})"


# A cell of the table is as high as a hexagon, and as wide as the way to the next column. So the
# four corners of each cell belong to hexagons beside it. The angle is that of a square cell.
_TOP_AND_BOTTOM = f"{_LINE} 50% 0/67% 1px no-repeat,{_LINE} 50% 100%/67% 1px no-repeat"
_HEXAGONS = "\n".join(
    (
        f".pbh td{{background:{_slope(56, 10, 90)},{_slope(-56, 10, 90)},{_TOP_AND_BOTTOM}}}",
        f".pbh .{NE}{{background:{_slope(236, 12.5)}}}",
        f".pbh .{SE}{{background:{_slope(-56, 12.5)}}}",
        f".pbh .{SW}{{background:{_slope(56, 12.5)}}}",
        f".pbh .{NW}{{background:{_slope(124, 12.5)}}}",
        f".pbh .{TIP}{{background-size:28px}}",
        ".pbh .z{height:0!important}",
    )
)
"""The rules for the edges of hexagons."""


def _sizes(sizes: Collection[int]) -> Iterator[str]:
    """Yield the rules for sizes in cells with these sides, and on wide screens."""
    dense = [size for size in DENSE if size in sizes]
    for size in SIZES:
        if size in sizes:
            yield from _size(f".s{size}", size)
    yield f"@media(max-width:{_WIDE - 1}px){{.pbl,.pbc{{width:100%}}}}"
    if dense:
        yield from _enlarged(dense)


def _enlarged(dense: Collection[int]) -> Iterator[str]:
    """Yield the rules that enlarge small cells on a wide screen."""
    yield f"@media(min-width:{_WIDE}px){{"
    for size in dense:  # the lines behind a table are as large as all of it
        labels = round(LABELS * WIDE_CELL / size)
        yield f".e .q.s{size} .y{{height:{labels}px!important}}"
        yield f".e .q.s{size} .h{{width:{labels}px!important}}"
    yield ".e{display:table;max-width:none!important}"
    yield ".e .pbl,.e .pbc{font-size:12px!important}"
    yield f".e td{{height:{WIDE_CELL}px!important}}.e .pbt td{{height:auto!important}}"
    yield from _size(".e table", WIDE_CELL)
    yield "}"


def _size(selector: str, size: int) -> Iterator[str]:
    """Yield the rules for a stone and a link in a cell with this side."""
    disc = size - _AIR - 2 * _RIM
    yield f"{selector} b{{width:{disc}px;line-height:{disc}px}}"
    yield f"{selector} td{{height:{size}px}}"
    yield f"{selector} a,{selector} i{{height:{size}px;line-height:{size}px}}"


def _colours(palette: Palette, scopes: tuple[str, str] = ("", ""), end: str = "") -> Iterator[str]:
    """Yield the rules for all colours, each in the scope for backgrounds or that for the others."""
    grounds, others = scopes
    lower = f"0 2px 0 -1px {palette[Role.BOARD]},0 4px 0 -1px {palette[Role.RIM]}"
    yield f"{others}.pb .t{{box-shadow:{lower}{end}}}"
    for selector, name, role in _COLOURS:
        scope = grounds if name.startswith("background") else others
        scoped = ",".join(scope + part for part in selector.split(","))
        yield f"{scoped}{{{name}:{palette[role]}{end}}}"


@lru_cache
def rules(sizes: frozenset[int]) -> str:
    """Return the content of <style> in the head of a mail with cards of boards.

    Its lines are short enough for a mail, and all together for Gmail. `sizes` are the sides of the
    cells in the mail's tables of boards; without any, the cards have only figures.
    """
    dark = "\n".join(_colours(DARK, end="!important"))
    found = (
        _BASE,
        *((*_lines(), _HEXAGONS) if sizes else ()),
        *((_DRAWN,) if sizes else ()),
        *_colours(LIGHT),
        *(_sizes(sizes) if sizes else ()),
        f"@media(prefers-color-scheme:dark){{{dark}}}",
        *_colours(DARK, ("[data-ogsb] ", "[data-ogsc] "), "!important"),
    )
    return "\n".join(found)


STYLE = rules(frozenset(SIZES))
"""The rules for boards of all sizes."""


_HALF = 1.2
"""Half the width of a slanted line, with its faint edge, in pixels."""


def slanted_lines(ground: Ground, corner: float, cell: float) -> str:
    """Return the slanted lines of a board as a CSS background for its table, "" if it has none.

    A line is the diagonal of a box: a gradient that has the colour of lines only in its middle. A
    program that knows no gradients shows the board without lines. `cell` is the side of a cell in
    pixels, and `corner` that of the cell between the labels.
    """
    if not ground.is_slanted:
        return ""
    cells = tuple(((spot.x, spot.y), (spot.column, spot.row)) for spot in ground.spots)
    width = corner + cell * (1 + max(column for _, (column, _) in cells))
    height = corner + cell * (1 + max(row for _, (_, row) in cells))
    middle = corner + cell / 2
    # Each has its own line, because a mail may have no line over 998 octets.
    return ",\n".join(
        _diagonal([(middle + x * cell, middle + y * cell) for x, y in line], width, height)
        for line in _slants(ground, dict(cells))
    )


def _diagonal(line: list[Place], width: float, height: float) -> str:
    """Return one line of a picture with this size: the diagonal of its box."""
    (ax, ay), (bx, by) = sorted(line)
    wide, high = bx - ax, abs(by - ay)
    half = 100 * _HALF * hypot(wide, high) / (2 * wide * high)
    to = "top right" if by > ay else "top left"
    return (
        f"linear-gradient(to {to},transparent {50 - half:.1f}%,{LIGHT[Role.LINE]},"
        f"transparent {50 + half:.1f}%) {_position(ax, wide, width)} "
        f"{_position(min(ay, by), high, height)}/"
        f"{100 * wide / width:.2f}% {100 * high / height:.2f}% no-repeat"
    )


def _position(start: float, length: float, whole: float) -> str:
    """Return a background-position, 100% for a length that ends where the whole ends."""
    return f"{100 * start / (whole - length):.2f}%"


def _slants(ground: Ground, cell: Mapping[Place, Place]) -> Iterator[tuple[Place, Place]]:
    """Yield the ends of all slanted lines, in columns and rows; a bent line is several."""
    for line in ground.lines:
        for start, end in pairwise(_corners([cell[place] for place in line])):
            if start[0] != end[0] and start[1] != end[1]:
                yield start, end


def _corners(places: list[Place]) -> list[Place]:
    """Return the first place, the last one, and those between them where the line bends."""
    bends = [b for a, b, c in zip(places, places[1:], places[2:], strict=False) if _bent(a, b, c)]
    return [places[0], *bends, places[-1]]


def _bent(a: Place, b: Place, c: Place) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9
