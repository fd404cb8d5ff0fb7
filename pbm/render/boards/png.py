"""A PlottedPicture as PNG: prepared stones pasted on a prepared board, in four bits a pixel.

Shapes are drawn four times as large and then reduced, which gives smooth edges. The edges of a
stone are mixed with the board's colour, not with a line behind them. At two pixels to a point
nobody can see that, so a stone is drawn once and pasted everywhere.

We write the file ourselves: sixteen colours without filters need neither a second look at each
row nor a library's choice, and equal pictures are equal octets wherever zlib is the same.
"""

import struct
import zlib
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from pbm.engine.diagram import MarkKind
from pbm.render.boards import theme
from pbm.render.boards.plotted_picture import Ground, Place, PlottedPicture, Stone
from pbm.render.boards.plotting import Cache
from pbm.render.boards.theme import LIGHT, Disc, Letters, Role, Shape

Rgb = tuple[int, int, int]


def rgb(colour: str) -> Rgb:
    """Return the three octets of `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _mixed(one: Role, other: Role, share: float) -> Rgb:
    """Return the colour of `one` with a `share` of `other`."""
    pairs = zip(rgb(LIGHT[one]), rgb(LIGHT[other]), strict=True)
    red, green, blue = (round(a + (b - a) * share) for a, b in pairs)
    return red, green, blue


COLOURS: Final[tuple[Rgb, ...]] = (
    *(rgb(LIGHT[role]) for role in (Role.BOARD, Role.LIGHT, Role.DARK, Role.LABEL)),
    *(rgb(LIGHT[role]) for role in (Role.LINE, Role.NEUTRAL, Role.MARK, Role.WIN)),
    rgb(LIGHT[Role.SHADE]),
    _mixed(Role.BOARD, Role.LINE, 0.65),
    _mixed(Role.DARK, Role.LIGHT, 0.25),
    _mixed(Role.DARK, Role.LIGHT, 0.5),
    _mixed(Role.DARK, Role.LIGHT, 0.75),
    _mixed(Role.MARK, Role.BOARD, 0.5),
    _mixed(Role.WIN, Role.BOARD, 0.5),
    rgb(LIGHT[Role.WIN_GROUND]),
)
"""The sixteen colours of a picture, which fit into four bits a pixel, by their numbers.

Ten are colours of the theme; the others are for the smooth edges between them.
"""

_GROUND: Final = 0
"""The number of the board's colour."""

_SHADE: Final = 8
"""The number of the colour of shaded cells, which is also that of a line's faint edge."""

_TINT: Final = 15
"""The number of the colour of the ground under a stone that decided the game."""


def _by_cover(*inks: int) -> bytes:
    """Return a colour for each cover of a pixel from 0 to 255, as a table to translate bytes."""
    most = len(inks) - 1
    return bytes(inks[(cover * most + 127) // 255] for cover in range(256))


_LINE_BY_COVER, _LABEL_BY_COVER = _by_cover(_GROUND, _SHADE, 9, 4), _by_cover(_GROUND, _SHADE, 9, 3)
"""From the board's colour to that of a line and that of a label."""

_IS_COVERED = bytes(255 * (cover > 42) for cover in range(256))
"""Whether a pixel is covered enough to change: the mask of a shape."""


_Pen = ImageDraw.ImageDraw

FINE: Final = 4
"""The factor by which shapes are drawn larger before they are reduced."""


@cache
def _palette() -> Image.Image:
    """Return an image with the sixteen colours as its palette."""
    image = Image.new("P", (1, 1))
    image.putpalette([value for colour in COLOURS for value in colour])
    return image


def reduced(large: Image.Image) -> Image.Image:
    """Return a picture that was drawn `FINE` times too large in its size and in the palette."""
    return large.reduce(FINE).quantize(palette=_palette(), dither=Image.Dither.NONE)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow (Aileron, CC0), the same on every machine."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - every wheel has FreeType
    return font


def write(
    draw: _Pen, text: str, at: Place, size: float, ink: str | int, anchor: str = "ms"
) -> None:
    """Write `text` centred at `at`, all in fine pixels; capitals and digits are centred exactly.

    With the `anchor` "ls" it begins there, and is centred only from top to bottom.
    """
    font = _font(round(size))
    capital = -font.getbbox("H", anchor="ls")[1]
    draw.text((at[0], at[1] + capital / 2), text, ink, font, anchor=anchor)


class Sprite:
    """A stone to paste: its image, its mask, and the distance of its middle from its corner."""

    def __init__(self, shapes: Iterable[Shape], radius: float, ground: int) -> None:
        """Draw `shapes`, for stones of `radius` pixels, on the colour `ground`."""
        self.half = int(theme.EXTENT * radius) + 2
        side = 2 * self.half * FINE
        picture = Image.new("RGB", (side, side), COLOURS[ground])
        cover = Image.new("L", (side, side))
        for shape in shapes:
            _draw(ImageDraw.Draw(picture), shape, self.half * FINE, radius * FINE, None)
            _draw(ImageDraw.Draw(cover), shape, self.half * FINE, radius * FINE, 255)
        self.image = reduced(picture)
        self.mask = cover.reduce(FINE).point(lambda value: 255 * (value > 0), "1")


def _draw(draw: _Pen, shape: Shape, middle: int, radius: float, ink: int | None) -> None:
    """Draw one shape around `middle`, in its own colour or in `ink`."""
    colour = ink or LIGHT[shape.role]
    if isinstance(shape, Disc):
        disc(draw, (middle, middle + shape.y * radius), shape.radius * radius, colour)
    elif isinstance(shape, Letters):
        write(draw, shape.text, (middle, middle + shape.y * radius), shape.size * radius, colour)
    else:
        ends = [(middle + x * radius, middle + y * radius) for x, y in (shape.start, shape.end)]
        draw.line(ends, fill=colour, width=round(shape.width * radius))
        for end in ends:
            disc(draw, end, shape.width * radius / 2, colour)


def disc(draw: _Pen, at: Place, radius: float, ink: str | int) -> None:
    """Draw a filled circle around `at`, all in fine pixels."""
    x, y = at
    draw.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill=ink)


FILTER_PIXELS: Final = 2
"""Columns of colour 0 left of a picture. Packed, they are the octet that starts a PNG's row."""

_LEAST_LABEL = 22
"""The smallest size of a label: 11 px on a screen, as a picture has twice the pixels."""


def _empty_board(ground: Ground, unit: int) -> Image.Image:
    """Return the board without stones, `unit` pixels to a unit, with the filter's columns.

    Without these columns the size is even: two pixels share an octet, and a pixel of the screen.
    """
    width, height = (round(n * unit) // 2 * 2 for n in (ground.width, ground.height))
    board = Image.new("P", (width + FILTER_PIXELS, height), _GROUND)
    for spot in ground.spots:
        if spot.name in ground.shaded:
            _fill(board, _pixel(ground, unit, spot.x, spot.y), unit, ground, _SHADE)
    _draw_slanted(board, ground, unit)
    _draw_straight(board, ground, unit)
    _draw_dots(board, ground, unit)
    _draw_labels(board, ground, unit)
    return board


def _pixel(ground: Ground, unit: int, x: float, y: float) -> tuple[int, int]:
    """Return the corner of pixels nearest to a place, counted from the filter's columns."""
    return round((x - ground.left) * unit) + FILTER_PIXELS, round((y - ground.top) * unit)


def _fill(image: Image.Image, at: tuple[int, int], unit: int, ground: Ground, ink: int) -> None:
    """Colour the background of the cell around the pixel `at`; lines stay."""
    x, y = at
    wide, high = (round(unit * max(sizes)) for sizes in zip(*ground.outline, strict=True))
    box = x - wide, y - high, x + wide, y + high
    mask = Image.new("1", (2 * wide, 2 * high))
    corners = [(round(wide + dx * unit), round(high + dy * unit)) for dx, dy in ground.outline]
    ImageDraw.Draw(mask).polygon(corners, 1)
    inks = [ink if n in (_GROUND, _SHADE) else n for n in range(256)]
    image.paste(image.crop(box).point(inks), box, mask)


def _paths(ground: Ground) -> list[tuple[Place, Place]]:
    """Return the straight pieces of all lines, or the edges of all cells."""
    corners = (*ground.outline, ground.outline[0])
    cells = [tuple((x + dx, y + dy) for dx, dy in corners) for x, y in ground.cells]
    return [piece for path in (*ground.lines, *cells) for piece in pairwise(path)]


_LINE = 2
"""The width of a line: a pixel of the screen, as in a table, and even, so that edges are sharp."""


def _draw_straight(board: Image.Image, ground: Ground, unit: int) -> None:
    """Draw level and upright lines, which need no smooth edges."""
    draw = ImageDraw.Draw(board)
    half = _LINE // 2
    for start, end in _paths(ground):
        (ax, ay), (bx, by) = sorted(_pixel(ground, unit, *place) for place in (start, end))
        if ax == bx or ay == by:
            box = (ax - half, ay - half, bx + half - 1, by + half - 1)
            draw.rectangle(box, _LINE_BY_COVER[-1])


def _draw_slanted(board: Image.Image, ground: Ground, unit: int) -> None:
    if not (ground.is_slanted or ground.lean):
        return
    large = Image.new("L", (board.width * FINE, board.height * FINE))
    draw = ImageDraw.Draw(large)
    for start, end in _paths(ground):
        ends = [n * FINE for place in (start, end) for n in _pixel(ground, unit, *place)]
        draw.line(ends, 255, _LINE * FINE)
    colours, cover = _inked(large, _LINE_BY_COVER)
    board.paste(colours, (0, 0), cover)


def _draw_dots(board: Image.Image, ground: Ground, unit: int) -> None:
    radius = round(theme.DOT * unit)
    large = Image.new("L", (2 * radius * FINE, 2 * radius * FINE))
    disc(ImageDraw.Draw(large), (radius * FINE, radius * FINE), radius * FINE, 255)
    colours, cover = _inked(large, _LINE_BY_COVER)
    for place in ground.dots:
        x, y = _pixel(ground, unit, *place)
        board.paste(colours, (x - radius, y - radius), cover)


def _draw_labels(board: Image.Image, ground: Ground, unit: int) -> None:
    size = round(max(_LEAST_LABEL, theme.LABEL_SIZE * unit))
    places: dict[str, list[tuple[int, int]]] = {}
    for label in ground.labels:
        places.setdefault(label.text, []).append(_pixel(ground, unit, label.x, label.y))
    for text, middles in places.items():
        wide, high = size * (len(text) + 1) // 2, size
        large = Image.new("L", (2 * wide * FINE, 2 * high * FINE))
        write(ImageDraw.Draw(large), text, (wide * FINE, high * FINE), size * FINE, 255)
        colours, cover = _inked(large, _LABEL_BY_COVER)
        for x, y in middles:
            board.paste(colours, (x - wide, y - high), cover)


def _inked(large: Image.Image, by_cover: bytes) -> tuple[Image.Image, Image.Image]:
    """Return a shape in one ink and its mask; `large` is white on black, `FINE` times too large."""
    cover = large.reduce(FINE)
    # Pillow's own `point` goes through a table in Python, which took half of drawing a board.
    pixels = cover.tobytes()
    colours = Image.frombytes("P", cover.size, pixels.translate(by_cover))
    return colours, Image.frombytes("L", cover.size, pixels.translate(_IS_COVERED))


DENSITY = 2
"""Pixels of the picture to one pixel of the screen."""

WIDTH_LIMIT = 360
"""The width that a phone shows without scaling, in pixels of the screen."""

_LARGEST_UNIT = 80
"""Pixels to a unit on a small board, so that it does not look like a toy."""

_LEAST_UNIT = 12
"""The least size that is visible; a board of more than 60 columns is wider than a phone."""

_SLANTED_LIMIT = 270
"""The same for a board with slanted lines, each row of which costs octets."""

_HONEYCOMB_LIMIT = 260
"""The same for a board of hexagons, whose edges cost more of them."""

_LEVEL = 5
"""The level of zlib: 6 takes twice as long and saves a twentieth."""

_PIXELS_PER_METRE = 5669
"""144 to an inch; Outlook uses it for a picture without a width."""


class PngPicture(NamedTuple):
    """A PNG, and the width and height at which it is shown, in pixels of the screen."""

    data: bytes
    width: int
    height: int


class Painter:
    """Draws boards, and caches empty boards, stones and whole pictures."""

    def __init__(self, boards: int = 12, sprites: int = 400, pictures: int = 200) -> None:
        self._boards: Cache[tuple[Ground, int], Image.Image] = Cache(boards)
        self._sprites: Cache[tuple[object, ...], Sprite] = Cache(sprites)
        self._pictures: Cache[PlottedPicture, PngPicture] = Cache(pictures)

    def png(self, plotted: PlottedPicture) -> PngPicture:
        """Return the picture of `plotted`, at most 360 pixels of the screen wide."""
        return self._pictures.get(plotted, lambda: self._paint(plotted))

    def _paint(self, plotted: PlottedPicture) -> PngPicture:
        ground = plotted.ground
        unit = unit_of(ground)
        image = self._boards.get((ground, unit), lambda: _empty_board(ground, unit)).copy()
        spots = theme.layered(plotted.shown)
        shown = [(spot, *_pixel(ground, unit, spot.x, spot.y)) for spot in spots]
        winning = (spot.name for spot in spots if MarkKind.WINNING in spot.marks)
        tinted = frozenset(winning if ground.is_tiled else ())
        for spot, x, y in shown:
            if spot.name in tinted:
                _fill(image, (x, y), unit, ground, _TINT)
        sprites: dict[tuple[Stone | None, tuple[MarkKind, ...], int], Sprite] = {}
        for spot, x, y in shown:
            below = _SHADE if spot.name in ground.shaded else _GROUND
            kind = spot.stone, spot.marks, _TINT if spot.name in tinted else below
            sprite = sprites.get(kind)  # dozens of stones are of a few kinds
            if sprite is None:
                sprite = sprites[kind] = self._sprite(*kind, ground.radius * unit)
            image.paste(sprite.image, (x - sprite.half, y - sprite.half), sprite.mask)
        width, height = image.width - FILTER_PIXELS, image.height
        return PngPicture(file_of(image), width // DENSITY, height // DENSITY)

    def _sprite(
        self, stone: Stone | None, marks: tuple[MarkKind, ...], below: int, radius: float
    ) -> Sprite:
        # Only what can be seen is part of the key: the forms of two symbols may be the same.
        seen = stone and Stone(stone.form, "", stone.height, stone.letter)
        key = (seen, marks, radius, below)
        return self._sprites.get(key, lambda: Sprite(theme.shapes(seen, marks), radius, below))


def unit_of(ground: Ground) -> int:
    """Return the pixels in a unit: an even number, so that lines and cells are sharp."""
    limit = _SLANTED_LIMIT if ground.is_slanted else WIDTH_LIMIT
    if ground.lean:
        limit = _HONEYCOMB_LIMIT
    fitting = int(limit * DENSITY / ground.width)
    return max(_LEAST_UNIT, min(_LARGEST_UNIT, fitting)) // 2 * 2


def file_of(image: Image.Image) -> bytes:
    """Return `image` as a PNG (RFC 2083), its rows packed behind the filter's octet, 0.

    It has the palette of COLOURS, the columns of the filter, and an even width without them.
    """
    size = struct.pack(">IIBBBBB", image.width - FILTER_PIXELS, image.height, 4, 3, 0, 0, 0)
    rows = image.tobytes("raw", "P;4")
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", size),
            _chunk(b"PLTE", bytes(value for colour in COLOURS for value in colour)),
            _chunk(b"pHYs", struct.pack(">IIB", _PIXELS_PER_METRE, _PIXELS_PER_METRE, 1)),
            _chunk(b"IDAT", zlib.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
