"""The sixteen colours of a picture with pixels: what fits into four bits a pixel.

Eight are colours of the palette; the others are for the smooth edges between them.
"""

from functools import cache
from typing import Final

from PIL import Image

from pbm.render.boards.palette import LIGHT, Role

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
    _mixed(Role.BOARD, Role.LINE, 0.3),
    _mixed(Role.BOARD, Role.LINE, 0.65),
    _mixed(Role.DARK, Role.LIGHT, 0.25),
    _mixed(Role.DARK, Role.LIGHT, 0.5),
    _mixed(Role.DARK, Role.LIGHT, 0.75),
    _mixed(Role.MARK, Role.BOARD, 0.5),
    _mixed(Role.WIN, Role.BOARD, 0.5),
    rgb(LIGHT[Role.WIN_GROUND]),
)
"""The red, green and blue of each colour, by its number."""

GROUND: Final = 0
"""The number of the board's colour."""

TINT: Final = 15
"""That of the square under a stone that decided the game."""

FAINT_TO_LINE: Final = (0, 8, 9, 4)
FAINT_TO_LABEL: Final = (0, 8, 9, 3)
"""The numbers from the ground to a line, and to a label, by how much of a pixel is covered."""


@cache
def palette() -> Image.Image:
    """Return an image that carries the sixteen colours."""
    image = Image.new("P", (1, 1))
    image.putpalette([value for colour in COLOURS for value in colour])
    return image
