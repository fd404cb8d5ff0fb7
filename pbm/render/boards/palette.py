"""The colours of a board, as roles, for light and for dark surroundings.

Text has a contrast of at least 4.5 against what it stands on, and what must be seen at least
3 (WCAG 2.2, 1.4.3 and 1.4.11); a test computes both. No meaning hangs on colour alone: stones
differ by form, the last move is a dot or a small ring, a deciding stone stands in a ring.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a colour is for."""

    BOARD = "board"  # the ground of everything
    LINE = "line"  # lines and the edges of cells
    LABEL = "label"  # the names of columns, rows and points
    DARK = "dark"  # the dark stone
    LIGHT = "light"  # the light stone
    RIM = "rim"  # the ring around the light stone, and the edge of the dark one
    NEUTRAL = "neutral"  # a stone that belongs to nobody
    LETTER = "letter"  # what is written on a neutral stone
    LINK = "link"  # the name of a point that can be tapped, in a table
    MARK = "mark"  # the last move
    WIN = "win"  # what decided the game
    LAST_GROUND = "last_ground"  # the cell of the last move, in a table
    WIN_GROUND = "win_ground"  # the cell of a deciding stone, in a table


Palette = Mapping[Role, str]
"""A colour, `#rrggbb`, for each role."""

LIGHT: Final[Palette] = {
    Role.BOARD: "#f4e9d2",
    Role.LINE: "#927d5c",
    Role.LABEL: "#5d4c34",
    Role.DARK: "#292524",
    Role.LIGHT: "#fffdf8",
    Role.RIM: "#292524",
    Role.NEUTRAL: "#8a5f33",
    Role.LETTER: "#fffdf8",
    Role.LINK: "#1f588f",
    Role.MARK: "#c8501a",
    Role.WIN: "#0b6f80",
    Role.LAST_GROUND: "#f5cfa6",
    Role.WIN_GROUND: "#b5dbdc",
}
"""Dark stones on warm paper: what a page is lit by day. Pictures with pixels use it always."""

DARK: Final[Palette] = {
    Role.BOARD: "#2c2823",
    Role.LINE: "#8b7b62",
    Role.LABEL: "#c9b89a",
    Role.DARK: "#0d0b0a",
    Role.LIGHT: "#f3ead9",
    Role.RIM: "#b7a688",
    Role.NEUTRAL: "#c2935c",
    Role.LETTER: "#0d0b0a",
    Role.LINK: "#93c4ee",
    Role.MARK: "#d4622c",
    Role.WIN: "#4fb6c4",
    Role.LAST_GROUND: "#6b3d1a",
    Role.WIN_GROUND: "#1c5560",
}
"""The same by night."""
