"""A match as one SVG that shows any of its positions, without a script.

There is a group for each ply, and it paints only the spots that the ply changed. Without a target
all groups show, which is the last position; with the group of a ply as the target of a link, the
groups after it are hidden. A spot that must be cleared is covered with the ground: a disc and the
lines within it. A position with deciding stones is painted whole, because their rings reach under
their neighbours.

What is painted often is defined once and used by its id. Colours are custom properties, because not
every browser applies rules with ancestors to what is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import chain, pairwise
from math import sqrt
from typing import Final

from pbm.engine import frozen
from pbm.engine.diagram import MarkKind
from pbm.render.boards import theme
from pbm.render.boards.plotted_picture import (
    SQUARE,
    Ground,
    Place,
    PlottedPicture,
    Spot,
    Stone,
    position_words,
)
from pbm.render.boards.theme import DARK, LIGHT, Disc, Letters, Palette, Role, Shape

_SCALE: Final = 10
"""The SVG's units to one of the board. Browsers draw text badly whose size is below one."""

_PIXELS: Final = 40
"""Pixels of the screen to a unit of the board, if there is room."""

_CAP: Final = 0.36
"""Half the height of a capital letter as a part of a font's size: what centres a line of text."""

_REACH: Final = 1.16
"""No shape but a ring around a deciding stone reaches further than this, in radii."""


def css() -> str:
    """Return the rules for replays, and the colours of boards by day and by night."""
    return (
        f".board,.curve{{{_colours(LIGHT)}}}\n"
        f"@media(prefers-color-scheme:dark){{.board,.curve{{{_colours(DARK)}}}}}\n"
        ".board,.curve{display:block;max-width:100%;height:auto;"
        "font-family:Helvetica,Arial,sans-serif;text-anchor:middle}\n"
        ".board g:target~g{display:none}\n"
        ".board a{fill:transparent}\n"
        ".board a:hover,.board a:focus-visible{fill:var(--mark);fill-opacity:.4}\n"
        ".board a:focus-visible{outline:1px solid var(--link);outline-offset:0}\n"
    )


def _colours(palette: Palette) -> str:
    return ";".join(f"--{role}:{colour}" for role, colour in palette.items())


def replay(
    plotted: Sequence[PlottedPicture],
    *,
    prefix: str = "p",
    taps: Mapping[str, str] = {},
    title: str = "",
) -> str:
    """Return the positions of a match, one or more, as an SVG in which ply 7 has the id "p7".

    `taps` are the targets of links over points of the last position, by name. Without a `title` the
    words for that position are the name of the SVG. In a page no prefix may begin with another.
    """
    sheet, last = _Sheet(prefix), plotted[-1]
    steps = [_whole(sheet, plotted[0]), *(_step(sheet, *pair) for pair in pairwise(plotted))]
    steps[-1] = chain(steps[-1], _links(sheet, last, taps))
    groups = [f'<g id="{prefix}{ply}">{"".join(step)}</g>' for ply, step in enumerate(steps)]
    return (
        f'<svg class="board" viewBox="{_box(last.ground)}" '
        f'width="{last.ground.width * _PIXELS:g}" height="{last.ground.height * _PIXELS:g}" '
        f'role="{"group" if taps else "img"}" aria-label="{escape(title or position_words(last))}">'
        f"<defs>{sheet.definitions()}</defs>{''.join(groups)}</svg>"
    )


class _Sheet:
    """The parts that a replay is painted of, each defined once, with an id."""

    def __init__(self, prefix: str) -> None:
        self._prefix = f"{prefix}s"
        self._ids: dict[str, str] = {}

    def use(self, content: str, at: str = "") -> str:
        """Return the element that paints `content` at a spot."""
        name = self._ids.setdefault(content, f"{self._prefix}{len(self._ids)}")
        return f'<use href="#{name}"{at}/>'

    def definitions(self) -> str:
        """Return all that was used."""
        return "".join([f'<g id="{name}">{content}</g>' for content, name in self._ids.items()])


def _whole(sheet: _Sheet, plotted: PlottedPicture) -> Iterator[str]:
    """Yield a position on an empty board; the cells of deciding stones are tinted."""
    canvas = _canvas(plotted.ground)
    yield sheet.use(canvas.board)
    for spot in plotted.shown if plotted.ground.is_tiled else ():
        if MarkKind.WINNING in spot.marks:
            yield sheet.use(canvas.tint, canvas.places[spot.name])
    yield sheet.use(canvas.lines)
    for spot in theme.layered(plotted.shown):
        figure = _figure(spot.stone, spot.marks, plotted.ground.radius)
        yield sheet.use(figure, canvas.places[spot.name])


def _step(sheet: _Sheet, before: PlottedPicture, after: PlottedPicture) -> Iterator[str]:
    """Yield what turns one position into the next, which is scrolled to as the whole board."""
    if before.ground != after.ground or before.is_decided or after.is_decided:
        yield from _whole(sheet, after)
        return
    canvas, pairs = _canvas(after.ground), zip(before.spots, after.spots, strict=True)
    # Most spots are shared, and comparing them costs more than all the rest.
    changed = [(old, new) for old, new in pairs if old is not new and old != new]
    yield sheet.use(canvas.extent)
    for old, new in changed:
        if old.stone or old.marks:
            yield sheet.use(canvas.covers[new.name], canvas.places[new.name])
    for _, new in changed:
        if new.stone or new.marks:
            figure = _figure(new.stone, new.marks, after.ground.radius)
            yield sheet.use(figure, canvas.places[new.name])


def _links(sheet: _Sheet, plotted: PlottedPicture, taps: Mapping[str, str]) -> Iterator[str]:
    canvas = _canvas(plotted.ground)
    for spot in plotted.spots:
        if spot.name in taps:
            area = sheet.use(canvas.tap, canvas.places[spot.name])
            href, name = escape(taps[spot.name]), escape(spot.name)
            yield f'<a href="{href}"><title>{name}</title>{area}</a>'


@frozen
class _Canvas:
    """The empty board in parts: what lies below tints, and what above.

    `places` are the attributes that place something at a spot, and `covers` what clears it. `tint`
    lies below a deciding stone, `tap` is the area of a link, and `extent` shows nothing.
    """

    board: str
    lines: str
    tint: str
    tap: str
    extent: str
    places: Mapping[str, str]
    covers: Mapping[str, str]


@lru_cache(64)
def _canvas(ground: Ground) -> _Canvas:
    left, top, width, height = _box(ground).split()
    corner = f'x="{left}" y="{top}" rx="2.5"'
    # As wide as the way to the next point.
    wide = ground.radius / 0.44
    tap = ground.outline if ground.cells else tuple((wide * x, wide * y) for x, y in SQUARE)
    return _Canvas(
        f'<rect {corner} width="{width}" height="{height}" {_fill(Role.BOARD)}/>',
        "".join(_parts(ground)),
        f'<path d="{_outlined(0, 0, ground.outline)}" {_fill(Role.WIN_GROUND)}/>',
        f'<path pointer-events="all" d="{_outlined(0, 0, tap)}"/>',
        f'<path d="M{left} {top}h{width}v{height}" fill="none"/>',
        {s.name: f' x="{_number(s.x)}" y="{_number(s.y)}"' for s in ground.spots},
        {s.name: _cover(ground, s) for s in ground.spots},
    )


def _parts(ground: Ground) -> Iterator[str]:
    """Yield the lines of an empty board or its cells and their edges, its dots and its labels."""
    dark = (_outlined(s.x, s.y, ground.outline) for s in ground.spots if s.name in ground.shaded)
    yield f'<path d="{"".join(dark)}" {_fill(Role.SHADE)}/>' if ground.shaded else ""
    path = "".join(_outlined(x, y, ground.outline) for x, y in ground.cells)
    path += "".join(f"M{'L'.join(_point(*place) for place in line)}" for line in ground.lines)
    yield _lines(path, theme.LINE_WIDTH)
    yield from (_disc(theme.DOT, Role.LINE, x, y) for x, y in ground.dots)
    for label in ground.labels:
        yield _text(Letters(label.text, theme.LABEL_SIZE, Role.LABEL), label.x, label.y)


def _cover(ground: Ground, spot: Spot) -> str:
    """Return the ground around a spot. It does not reach the edge of a cell."""
    reach = _REACH * ground.radius
    inner = reach - 0.4 * theme.LINE_WIDTH  # Ends are square, and show if they overlap more.
    path = "".join(
        f"M{_point(*start)}L{_point(*end)}"
        for line in ground.lines
        for a, b in pairwise((x - spot.x, y - spot.y) for x, y in line)
        for start, end in _within(inner, a, b)
    )
    lines = _lines(path, theme.LINE_WIDTH) if path else ""
    dot = _disc(theme.DOT, Role.LINE) if ground.dots else ""
    below = Role.SHADE if spot.name in ground.shaded else Role.BOARD
    return f"{_disc(reach, below)}{lines}{dot}"


def _within(reach: float, a: Place, b: Place) -> Iterator[tuple[Place, Place]]:
    """Yield the part of a straight line that is within `reach` of (0, 0), if there is one."""
    x, y = b[0] - a[0], b[1] - a[1]
    length, along = x * x + y * y, -(a[0] * x + a[1] * y)
    root = along * along - length * (a[0] * a[0] + a[1] * a[1] - reach * reach)
    if root > 0:
        start, end = max(0, (along - sqrt(root)) / length), min(1, (along + sqrt(root)) / length)
        if start < end:
            yield ((a[0] + start * x, a[1] + start * y), (a[0] + end * x, a[1] + end * y))


@lru_cache(400)
def _figure(stone: Stone | None, marks: tuple[MarkKind, ...], radius: float) -> str:
    """Return what a spot shows, around (0, 0)."""
    return "".join(_shape(shape, radius) for shape in theme.shapes(stone, marks))


def _shape(shape: Shape, radius: float) -> str:
    if isinstance(shape, Disc):
        return _disc(shape.radius * radius, shape.role, 0, shape.y * radius)
    if isinstance(shape, Letters):
        sized = shape._replace(size=shape.size * radius)
        return f'<g font-weight="700">{_text(sized, 0, shape.y * radius)}</g>'
    ends = "L".join(_point(x * radius, y * radius) for x, y in (shape.start, shape.end))
    ink = f'stroke="var(--{shape.role})" stroke-linecap="round"'
    return f'<path d="M{ends}" stroke-width="{_number(shape.width * radius)}" {ink}/>'


def _disc(radius: float, role: Role, x: float = 0, y: float = 0) -> str:
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" {_fill(role)}/>'


def _text(letters: Letters, x: float, y: float) -> str:
    at = f'x="{_number(x)}" y="{_number(y + _CAP * letters.size)}"'
    text = escape(letters.text)
    return f'<text {at} font-size="{_number(letters.size)}" {_fill(letters.role)}>{text}</text>'


def _lines(path: str, width: float) -> str:
    ink = f'fill="none" stroke="var(--{Role.LINE})" stroke-linecap="square"'
    return f'<path d="{path}" stroke-width="{_number(width)}" {ink}/>'


def _outlined(x: float, y: float, outline: tuple[Place, ...]) -> str:
    """Return the path along the edge of a cell around a place."""
    steps = (_way(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(outline))
    return f"M{_point(x + outline[0][0], y + outline[0][1])}{''.join(steps)}z"


def _way(x: float, y: float) -> str:
    return f"h{_number(x)}" if not y else f"v{_number(y)}" if not x else f"l{_point(x, y)}"


def _fill(role: Role) -> str:
    return f'fill="var(--{role})"'


def _box(ground: Ground) -> str:
    return " ".join(map(_number, (ground.left, ground.top, ground.width, ground.height)))


def _point(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


def _number(value: float) -> str:
    """Return a length in the SVG's units with at most two decimals."""
    return f"{round(value * _SCALE, 2) + 0:g}"  # not "-0"
