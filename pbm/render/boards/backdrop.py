"""The empty board in pixels, prepared once for a match: lines or cells, dots and labels."""

from functools import cache
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from pbm.render.boards.drawing import Ground, Place
from pbm.render.boards.sprites import FINE, disc, write
from pbm.render.boards.theme import (
    CELL_WIDTH,
    DOT,
    FAINT_TO_LABEL,
    FAINT_TO_LINE,
    GROUND,
    LABEL_SIZE,
    LINE_WIDTH,
    TINT,
)

FILTER_PIXELS: Final = 2
"""Columns of colour 0 left of a picture. Packed, they are the octet that starts a PNG's row."""

_LEAST_LABEL = 22
"""The smallest size of a label: 11 px on a screen, as a picture has twice the pixels."""

_LEAST_LINE = 2

_LEAST_COVER = 42
"""How much of a pixel a shape must cover to change it, from 0 to 255."""


def empty_board(ground: Ground, unit: int) -> Image.Image:
    """Return the board without stones, `unit` pixels to a unit, with the filter's columns.

    Without these columns the size is even: two pixels share an octet, and a pixel of the screen.
    """
    width, height = (round(n * unit) // 2 * 2 for n in (ground.width, ground.height))
    board = Image.new("P", (width + FILTER_PIXELS, height), GROUND)
    _draw_slanted(board, ground, unit)
    _draw_straight(board, ground, unit)
    _draw_dots(board, ground, unit)
    _draw_labels(board, ground, unit)
    return board


def pixel(ground: Ground, unit: int, x: float, y: float) -> tuple[int, int]:
    """Return which pixels a place lies between, counted from the filter's columns."""
    return round((x - ground.left) * unit) + FILTER_PIXELS, round((y - ground.top) * unit)


def tint(image: Image.Image, at: tuple[int, int], unit: int) -> None:
    """Colour the ground of the square around the pixel `at`; lines stay."""
    x, y = at
    box = x - unit // 2, y - unit // 2, x + unit // 2, y + unit // 2
    image.paste(image.crop(box).point([TINT, *range(1, 256)]), box)


def _paths(ground: Ground) -> list[tuple[Place, Place]]:
    """Return the straight pieces of all lines, or the edges of all cells."""
    corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5))
    cells = [tuple((x + dx, y + dy) for dx, dy in corners) for x, y in ground.cells]
    return [piece for path in (*ground.lines, *cells) for piece in pairwise(path)]


def _width(ground: Ground, unit: int) -> int:
    """Return the width of a line, an even number of pixels, so that its edges are sharp."""
    wide = CELL_WIDTH if ground.cells else LINE_WIDTH
    return max(_LEAST_LINE, round(wide * unit / 2) * 2)


def _draw_straight(board: Image.Image, ground: Ground, unit: int) -> None:
    """Draw level and upright lines, which need no smooth edges."""
    draw = ImageDraw.Draw(board)
    half = _width(ground, unit) // 2
    for start, end in _paths(ground):
        (ax, ay), (bx, by) = sorted(pixel(ground, unit, *place) for place in (start, end))
        if ax == bx or ay == by:
            box = (ax - half, ay - half, bx + half - 1, by + half - 1)
            draw.rectangle(box, FAINT_TO_LINE[-1])


def _draw_slanted(board: Image.Image, ground: Ground, unit: int) -> None:
    if not ground.is_slanted:
        return
    large = Image.new("L", (board.width * FINE, board.height * FINE))
    draw = ImageDraw.Draw(large)
    for start, end in _paths(ground):
        ends = [n * FINE for place in (start, end) for n in pixel(ground, unit, *place)]
        draw.line(ends, 255, _width(ground, unit) * FINE)
    colours, cover = _inked(large, FAINT_TO_LINE)
    board.paste(colours, (0, 0), cover)


def _draw_dots(board: Image.Image, ground: Ground, unit: int) -> None:
    radius = round(DOT * unit)
    large = Image.new("L", (2 * radius * FINE, 2 * radius * FINE))
    disc(ImageDraw.Draw(large), (radius * FINE, radius * FINE), radius * FINE, 255)
    colours, cover = _inked(large, FAINT_TO_LINE)
    for place in ground.dots:
        x, y = pixel(ground, unit, *place)
        board.paste(colours, (x - radius, y - radius), cover)


def _draw_labels(board: Image.Image, ground: Ground, unit: int) -> None:
    size = round(max(_LEAST_LABEL, LABEL_SIZE * unit))
    places: dict[str, list[tuple[int, int]]] = {}
    for label in ground.labels:
        places.setdefault(label.text, []).append(pixel(ground, unit, label.x, label.y))
    for text, middles in places.items():
        wide, high = size * (len(text) + 1) // 2, size
        large = Image.new("L", (2 * wide * FINE, 2 * high * FINE))
        write(ImageDraw.Draw(large), text, (wide * FINE, high * FINE), size * FINE, 255)
        colours, cover = _inked(large, FAINT_TO_LABEL)
        for x, y in middles:
            board.paste(colours, (x - wide, y - high), cover)


def _inked(large: Image.Image, inks: tuple[int, ...]) -> tuple[Image.Image, Image.Image]:
    """Return a shape in one ink and what it covers; `large` is white on black, `FINE` too large."""
    cover = large.reduce(FINE)
    # Pillow's own `point` goes through a table in Python, which took half of drawing a board.
    pixels = cover.tobytes()
    colours = Image.frombytes("P", cover.size, pixels.translate(_ink_by_cover(inks)))
    return colours, Image.frombytes("L", cover.size, pixels.translate(_whole_by_cover()))


@cache
def _ink_by_cover(inks: tuple[int, ...]) -> bytes:
    most = len(inks) - 1
    return bytes(inks[(value * most + 127) // 255] for value in range(256))


@cache
def _whole_by_cover() -> bytes:
    return bytes(255 * (value > _LEAST_COVER) for value in range(256))
