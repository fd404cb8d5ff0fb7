"""A Drawing as PNG: prepared stones pasted on a prepared board, in four bits a pixel.

We write the file ourselves: sixteen colours without filters need neither a second look at each
row nor a library's choice, and equal pictures are equal octets wherever zlib is the same.
"""

import struct
import zlib
from typing import NamedTuple

from PIL import Image

from pbm.engine.diagram import MarkKind
from pbm.render.boards.backdrop import FILTER_PIXELS, empty_board, pixel, tint
from pbm.render.boards.drawing import Drawing, Ground, Spot, Stone
from pbm.render.boards.plotting import Kept
from pbm.render.boards.sprites import Sprite
from pbm.render.boards.theme import COLOURS, GROUND, TINT, layered, shapes

DENSITY = 2
"""Pixels of the picture to one pixel of the screen."""

WIDTH_LIMIT = 360
"""What a phone shows without scaling, in pixels of the screen."""

_LARGEST_UNIT = 80
"""Pixels to a unit on a small board, so that it does not look like a toy."""

_LEAST_UNIT = 12
"""Below this nothing can be seen; a board of more than 60 columns is wider than a phone."""

_SLANTED_LIMIT = 270
"""The same for a board with slanted lines, each row of which costs octets."""

_LEVEL = 5
"""How hard zlib tries: 6 takes twice as long and saves a twentieth."""

_PIXELS_PER_METRE = 5669
"""144 to an inch; Outlook shows a picture without a width by it."""


class Picture(NamedTuple):
    """A PNG, and the width and height at which it is shown, in pixels of the screen."""

    data: bytes
    width: int
    height: int


class Painter:
    """Draws boards, and keeps empty boards, stones and whole pictures for the next time."""

    def __init__(self, boards: int = 12, sprites: int = 400, pictures: int = 200) -> None:
        self._boards: Kept[tuple[Ground, int], Image.Image] = Kept(boards)
        self._sprites: Kept[tuple[object, ...], Sprite] = Kept(sprites)
        self._pictures: Kept[Drawing, Picture] = Kept(pictures)

    def png(self, drawing: Drawing) -> Picture:
        """Return the picture of `drawing`, at most 360 pixels of the screen wide."""
        return self._pictures.get(drawing, lambda: self._paint(drawing))

    def _paint(self, drawing: Drawing) -> Picture:
        ground = drawing.ground
        unit = unit_of(ground)
        image = self._boards.get((ground, unit), lambda: empty_board(ground, unit)).copy()
        shown = [(spot, *pixel(ground, unit, spot.x, spot.y)) for spot in layered(drawing.shown)]
        tinted = {spot.name for spot, _, _ in shown if ground.is_tiled and _is_winning(spot)}
        for spot, x, y in shown:
            if spot.name in tinted:
                tint(image, (x, y), unit)
        sprites: dict[tuple[Stone | None, tuple[MarkKind, ...], int], Sprite] = {}
        for spot, x, y in shown:
            kind = spot.stone, spot.marks, TINT if spot.name in tinted else GROUND
            sprite = sprites.get(kind)  # dozens of stones are of a few kinds
            if sprite is None:
                sprite = sprites[kind] = self._sprite(*kind, ground.radius * unit)
            image.paste(sprite.image, (x - sprite.half, y - sprite.half), sprite.mask)
        width, height = image.width - FILTER_PIXELS, image.height
        return Picture(file_of(image), width // DENSITY, height // DENSITY)

    def _sprite(
        self, stone: Stone | None, marks: tuple[MarkKind, ...], below: int, radius: float
    ) -> Sprite:
        # Only what can be seen is part of the key: the forms of two symbols may be the same.
        seen = stone and Stone(stone.form, "", stone.height, stone.letter)
        key = (seen, marks, radius, below)
        return self._sprites.get(key, lambda: Sprite(shapes(seen, marks), radius, below))


def _is_winning(spot: Spot) -> bool:
    return MarkKind.WINNING in spot.marks


def unit_of(ground: Ground) -> int:
    """Return how many pixels a unit has: an even number, so that lines and cells are sharp."""
    limit = _SLANTED_LIMIT if ground.is_slanted else WIDTH_LIMIT
    fitting = int(limit * DENSITY / ground.width)
    return max(_LEAST_UNIT, min(_LARGEST_UNIT, fitting)) // 2 * 2


def file_of(image: Image.Image) -> bytes:
    """Return `image` as a PNG (RFC 2083), its rows packed behind the filter's octet, 0.

    It has the palette of `theme`, the columns of the filter, and beside them an even width.
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
