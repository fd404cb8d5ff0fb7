"""A Drawing as SVG: sharp at any size, light or dark as the reader's screen is."""

from collections.abc import Iterator
from html import escape

from pbm.engine.diagram import MarkKind
from pbm.render.boards import theme
from pbm.render.boards.drawing import Drawing, Ground, board_words
from pbm.render.boards.theme import DARK, LIGHT, Role

_SCALE = 40
"""Pixels to a unit, before the picture is scaled to the space that it has."""

_CAP = 0.36
"""Half the height of a capital letter as a part of a font's size: what centres a line of text."""


def svg(drawing: Drawing, *, fixed: bool = False) -> str:
    """Return a whole SVG document. If it is `fixed`, it stays light on a dark screen."""
    ground = drawing.ground
    left, top, width, height = map(_number, (ground.left, ground.top, ground.width, ground.height))
    body = "".join((*_tints(drawing), *_board(ground), *_spots(drawing)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" '
        f'width="{ground.width * _SCALE:.0f}" height="{ground.height * _SCALE:.0f}" role="img">'
        f"<title>{escape(board_words(drawing))}</title><style>{_style(fixed=fixed)}</style>"
        f'<rect class="f board" x="{left}" y="{top}" width="{width}" height="{height}" rx=".25"/>'
        f"{body}</svg>\n"
    )


def _style(*, fixed: bool) -> str:
    text = "text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle}"
    day = "".join(f".{role}{{fill:{LIGHT[role]};stroke:{LIGHT[role]}}}" for role in Role)
    night = "".join(f".{role}{{fill:{DARK[role]};stroke:{DARK[role]}}}" for role in Role)
    dark = "" if fixed else f"@media(prefers-color-scheme:dark){{{night}}}"
    ends = ".f{stroke:none}.g{fill:none}.s{stroke-linecap:round}"
    return f"{text}.g{{stroke-linecap:square}}{day}{dark}{ends}"


def _tints(drawing: Drawing) -> Iterator[str]:
    """Yield a square under each deciding stone, where squares meet."""
    for spot in drawing.shown if drawing.ground.is_tiled else ():
        if MarkKind.WINNING in spot.marks:
            corner = f'x="{_number(spot.x - 0.5)}" y="{_number(spot.y - 0.5)}"'
            yield f'<rect class="f win_ground" {corner} width="1" height="1"/>'


def _board(ground: Ground) -> Iterator[str]:
    """Yield the empty board: its lines or the edges of its cells, its dots and its labels."""
    if ground.cells:
        width = theme.CELL_WIDTH
        path = "".join(f"M{_number(x - 0.5)} {_number(y - 0.5)}h1v1h-1z" for x, y in ground.cells)
    else:
        width = theme.LINE_WIDTH
        lines = ("L".join(f"{_number(x)} {_number(y)}" for x, y in line) for line in ground.lines)
        path = "".join(f"M{line}" for line in lines)
    yield f'<path class="line g" stroke-width="{width}" d="{path}"/>'
    for x, y in ground.dots:
        yield f'<circle class="f line" cx="{_number(x)}" cy="{_number(y)}" r="{theme.DOT}"/>'
    for label in ground.labels:
        yield _text(label.text, label.x, label.y, theme.LABEL_SIZE, Role.LABEL)


def _spots(drawing: Drawing) -> Iterator[str]:
    for spot in theme.layered(drawing.shown):
        for shape in theme.shapes(spot.stone, spot.marks):
            yield _shape(shape, spot.x, spot.y, drawing.ground.radius)


def _shape(shape: theme.Shape, x: float, y: float, radius: float) -> str:
    if isinstance(shape, theme.Stroke):
        (ax, ay), (bx, by) = shape.start, shape.end
        start = f"{_number(x + ax * radius)} {_number(y + ay * radius)}"
        end = f"{_number(x + bx * radius)} {_number(y + by * radius)}"
        width = _number(shape.width * radius)
        return f'<path class="s {shape.role}" stroke-width="{width}" d="M{start}L{end}"/>'
    y += shape.y * radius
    if isinstance(shape, theme.Letters):
        return _text(shape.text, x, y, shape.size * radius, shape.role, ' font-weight="bold"')
    size = _number(shape.radius * radius)
    return f'<circle class="f {shape.role}" cx="{_number(x)}" cy="{_number(y)}" r="{size}"/>'


def _text(text: str, x: float, y: float, size: float, role: Role, weight: str = "") -> str:
    return (
        f'<text class="f {role}" x="{_number(x)}" y="{_number(y + _CAP * size)}" '
        f'font-size="{_number(size)}"{weight}>{escape(text)}</text>'
    )


def _number(value: float) -> str:
    """Return `value` with at most three decimals and no idle zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
