"""Stones as parts to paste, prepared once for a size, and the drawing of smooth shapes.

Everything is drawn four times as large and then reduced, which gives smooth edges. Edges are
mixed with the ground, not with a line that may run behind them; at two pixels to a point
nobody can tell, and so a part is drawn once and pasted everywhere.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from pbm.render.boards.theme import (
    COLOURS,
    EXTENT,
    LIGHT,
    Disc,
    Letters,
    Rgb,
    Shape,
    Stroke,
    palette,
    rgb,
)

FINE: Final = 4
"""How much larger shapes are drawn before they are reduced."""


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow (Aileron, CC0), the same on every machine."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - every wheel has FreeType
    return font


def write(
    draw: ImageDraw.ImageDraw,
    text: str,
    at: tuple[float, float],
    size: float,
    ink: Rgb | int,
    anchor: str = "ms",
) -> None:
    """Write `text` centred at `at`, all in fine pixels; capitals and digits are centred exactly.

    With the `anchor` "ls" it begins there, and is centred only from top to bottom.
    """
    font = _font(round(size))
    capital = -font.getbbox("H", anchor="ls")[1]
    draw.text((at[0], at[1] + capital / 2), text, ink, font, anchor=anchor)


class Sprite:
    """A part to paste: its colours, where they count, and how far its middle is from its corner."""

    def __init__(self, shapes: Iterable[Shape], radius: float, ground: int) -> None:
        """Draw `shapes`, for stones of `radius` pixels, on the colour `ground`."""
        self.half = int(EXTENT * radius) + 2
        side = 2 * self.half * FINE
        picture = Image.new("RGB", (side, side), COLOURS[ground])
        cover = Image.new("L", (side, side))
        for shape in shapes:
            _draw(ImageDraw.Draw(picture), shape, self.half * FINE, radius * FINE, None)
            _draw(ImageDraw.Draw(cover), shape, self.half * FINE, radius * FINE, 255)
        small = picture.reduce(FINE)
        self.image = small.quantize(palette=palette(), dither=Image.Dither.NONE)
        self.mask = cover.reduce(FINE).point(lambda value: 255 * (value > 0), "1")


def _draw(
    draw: ImageDraw.ImageDraw, shape: Shape, middle: int, radius: float, ink: int | None
) -> None:
    """Draw one shape around `middle`, in its own colour or in `ink`."""
    colour = rgb(LIGHT[shape.role]) if ink is None else ink
    if isinstance(shape, Disc):
        disc(draw, (middle, middle + shape.y * radius), shape.radius * radius, colour)
    elif isinstance(shape, Letters):
        write(draw, shape.text, (middle, middle + shape.y * radius), shape.size * radius, colour)
    else:
        _stroke(draw, shape, middle, radius, colour)


def disc(draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, ink: Rgb | int) -> None:
    """Draw a filled circle around `at`, all in fine pixels."""
    x, y = at
    draw.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill=ink)


def _stroke(
    draw: ImageDraw.ImageDraw, shape: Stroke, middle: int, radius: float, ink: Rgb | int
) -> None:
    ends = [(middle + x * radius, middle + y * radius) for x, y in (shape.start, shape.end)]
    draw.line(ends, fill=ink, width=round(shape.width * radius))
    for end in ends:
        disc(draw, end, shape.width * radius / 2, ink)
