"""The figures that stand for pieces in pictures, drawn in strokes and discs.

Lengths are parts of the radius of the stone that carries the figure; x grows to the right and y
downwards from its middle.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from pbm.engine import Figure

_Line = tuple[float, float, float, float, float]
"""A stroke with round ends: from x, y to x, y, and its width. It may be a dot."""

_BASE: Final[_Line] = (-0.36, 0.5, 0.36, 0.5, 0.18)

_INK: Final[Mapping[Figure, tuple[_Line, ...]]] = {
    Figure.PAWN: (
        _BASE,
        (0, -0.3, 0, -0.3, 0.46),
        (-0.14, 0.0, 0.14, 0.0, 0.12),
        (0, 0, 0, 0.3, 0.26),
        (-0.16, 0.34, 0.16, 0.34, 0.2),
    ),
    Figure.ROOK: (
        _BASE,
        (0, -0.08, 0, 0.3, 0.46),
        (-0.1, 0.36, 0.1, 0.36, 0.3),
        (-0.3, -0.3, 0.3, -0.3, 0.16),
        (-0.32, -0.46, -0.32, -0.34, 0.14),
        (0, -0.46, 0, -0.34, 0.14),
        (0.32, -0.46, 0.32, -0.34, 0.14),
    ),
    Figure.KNIGHT: (
        _BASE,
        (0.08, 0.36, 0.26, -0.02, 0.34),
        (0.26, -0.02, 0.1, -0.32, 0.32),
        (0.1, -0.3, -0.34, 0.0, 0.24),
        (-0.08, 0.36, 0.1, 0.2, 0.26),
        (0.02, -0.42, 0.0, -0.58, 0.12),
    ),
    Figure.BISHOP: (
        _BASE,
        (0, -0.56, 0, -0.5, 0.16),
        (0, -0.18, 0, 0.02, 0.46),
        (0, -0.36, 0, -0.2, 0.24),
        (-0.2, 0.3, 0.2, 0.3, 0.16),
    ),
    Figure.QUEEN: (
        _BASE,
        (-0.26, 0.32, 0.26, 0.32, 0.24),
        (-0.26, 0.18, 0.26, 0.18, 0.22),
        (-0.26, 0.2, -0.52, -0.26, 0.12),
        (-0.14, 0.1, -0.27, -0.4, 0.12),
        (0, 0.1, 0, -0.46, 0.12),
        (0.14, 0.1, 0.27, -0.4, 0.12),
        (0.26, 0.2, 0.52, -0.26, 0.12),
        *((x, y, x, y, 0.2) for x, y in ((-0.54, -0.3), (-0.28, -0.44), (0, -0.5))),
        *((x, y, x, y, 0.2) for x, y in ((0.28, -0.44), (0.54, -0.3))),
    ),
    Figure.KING: (
        _BASE,
        (-0.24, 0.32, 0.24, 0.32, 0.24),
        (-0.26, 0.06, -0.24, 0.08, 0.46),
        (0.26, 0.06, 0.24, 0.08, 0.46),
        (0, -0.2, 0, 0.2, 0.3),
        (0, -0.62, 0, -0.2, 0.13),
        (-0.17, -0.48, 0.17, -0.48, 0.13),
    ),
}

_PAPER: Final[Mapping[Figure, tuple[_Line, ...]]] = {
    Figure.KNIGHT: ((0.0, -0.28, 0.0, -0.28, 0.1),),
    Figure.BISHOP: ((0, -0.2, 0, 0.06, 0.08), (-0.1, -0.08, 0.1, -0.08, 0.08)),
    Figure.KING: ((0, 0.0, 0, 0.16, 0.06),),
}
"""The parts of figures that are left open."""


def lines(figure: Figure) -> Iterator[tuple[_Line, bool]]:
    """Yield the strokes of a figure from the lowest to the highest, and whether they are ink."""
    yield from ((line, True) for line in _INK[figure])
    yield from ((line, False) for line in _PAPER.get(figure, ()))
