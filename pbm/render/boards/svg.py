"""A Drawing as SVG: sharp at any size, light or dark as the reader's screen is."""

from collections.abc import Iterator
from html import escape

from pbm.engine.diagram import MarkKind
from pbm.render.boards.drawing import Drawing, Ground, board_words
from pbm.render.boards.theme import (
    CELL_WIDTH,
    DARK,
    DOT,
    LABEL_SIZE,
    LIGHT,
    LINE_WIDTH,
    Disc,
    Letters,
    Role,
    Shape,
    Stroke,
    layered,
    shapes,
)

_SCALE = 40
"""Pixels to a unit, before the picture is scaled to the space that it has."""

_CAP = 0.36
"""Half the height of a capital letter as a part of a font's size: what centres a line of text."""

_FONT = "Helvetica,Arial,sans-serif"


def svg(drawing: Drawing, *, fixed: bool = False) -> str:
    """Return a whole SVG document. If it is `fixed`, it stays light on a dark screen."""
    ground = drawing.ground
    width, height = _number(ground.width), _number(ground.height)
    corner = f"{_number(ground.left)} {_number(ground.top)}"
    body = "".join((_card(ground), *_tints(drawing), *_ground(ground), *_spots(drawing)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{corner} {width} {height}" '
        f'width="{ground.width * _SCALE:.0f}" height="{ground.height * _SCALE:.0f}" role="img">'
        f"<title>{escape(board_words(drawing))}</title><style>{_style(fixed=fixed)}</style>"
        f"{body}</svg>\n"
    )


def _style(*, fixed: bool) -> str:
    rules = f"text{{font-family:{_FONT};text-anchor:middle}}.g{{stroke-linecap:square}}"
    day = "".join(f".{role}{{fill:{LIGHT[role]};stroke:{LIGHT[role]}}}" for role in Role)
    night = "".join(f".{role}{{fill:{DARK[role]};stroke:{DARK[role]}}}" for role in Role)
    ends = ".f{stroke:none}.g{fill:none}.s{stroke-linecap:round}"
    if fixed:
        return rules + day + ends
    return f"{rules}{day}@media(prefers-color-scheme:dark){{{night}}}{ends}"


def _card(ground: Ground) -> str:
    return (
        f'<rect class="f board" x="{_number(ground.left)}" y="{_number(ground.top)}" '
        f'width="{_number(ground.width)}" height="{_number(ground.height)}" rx=".25"/>'
    )


def _tints(drawing: Drawing) -> Iterator[str]:
    """Yield a square under each deciding stone, where squares meet."""
    if drawing.ground.is_tiled:
        for spot in drawing.spots:
            if MarkKind.WINNING in spot.marks:
                corner = f'x="{_number(spot.x - 0.5)}" y="{_number(spot.y - 0.5)}"'
                yield f'<rect class="f win_ground" {corner} width="1" height="1"/>'


def _ground(ground: Ground) -> Iterator[str]:
    width = CELL_WIDTH if ground.cells else LINE_WIDTH
    if ground.cells:
        path = "".join(f"M{_number(x - 0.5)} {_number(y - 0.5)}h1v1h-1z" for x, y in ground.cells)
    else:
        path = "".join(
            "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in line) for line in ground.lines
        )
    yield f'<path class="line g" stroke-width="{width}" d="{path}"/>'
    for x, y in ground.dots:
        yield f'<circle class="f line" cx="{_number(x)}" cy="{_number(y)}" r="{DOT}"/>'
    for label in ground.labels:
        yield _text(label.text, label.x, label.y, LABEL_SIZE, Role.LABEL)


def _spots(drawing: Drawing) -> Iterator[str]:
    radius = drawing.ground.radius
    for spot in layered(drawing.shown):
        for shape in shapes(spot.stone, spot.marks):
            yield _shape(shape, spot.x, spot.y, radius)


def _shape(shape: Shape, x: float, y: float, radius: float) -> str:
    if isinstance(shape, Disc):
        return (
            f'<circle class="f {shape.role}" cx="{_number(x)}" '
            f'cy="{_number(y + shape.y * radius)}" r="{_number(shape.radius * radius)}"/>'
        )
    if isinstance(shape, Stroke):
        (ax, ay), (bx, by) = shape.start, shape.end
        start = f"{_number(x + ax * radius)} {_number(y + ay * radius)}"
        end = f"{_number(x + bx * radius)} {_number(y + by * radius)}"
        width = _number(shape.width * radius)
        return f'<path class="s {shape.role}" stroke-width="{width}" d="M{start}L{end}"/>'
    return _letters(shape, x, y, radius)


def _letters(shape: Letters, x: float, y: float, radius: float) -> str:
    return _text(shape.text, x, y + shape.y * radius, shape.size * radius, shape.role, bold=True)


def _text(text: str, x: float, y: float, size: float, role: Role, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text class="f {role}" x="{_number(x)}" y="{_number(y + _CAP * size)}" '
        f'font-size="{_number(size)}"{weight}>{escape(text)}</text>'
    )


def _number(value: float) -> str:
    """Return `value` with at most three decimals and no idle zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
