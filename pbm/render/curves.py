"""The winning chances of a side after each move: as lines of text, in words, and as a picture.

A line of text is a move, or several in a long match. Its bar points to the side that is ahead, so
nobody needs colours, and it has room on a phone. In the picture the area below the curve is the
share of one side, and the area above it that of the other. The two are as dark and as light as
their stones, so they too differ without colours. A marked move is a disc with its sign.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from pbm.engine import frozen
from pbm.render.boards import png
from pbm.render.boards.theme import LIGHT, Role


@frozen
class CurveStep:
    """A move: its number, one character for the side that made it, and its notation.

    `share` is the chance of the first side after it, from 0 to 1. `flag` is one character that
    marks it, or "".
    """

    ply: int
    sign: str
    text: str
    share: float
    flag: str = ""


@frozen
class Curve:
    """The course of a match between `side` and `other`, whose share is the rest.

    `start` is the share of `side` before the first step, of which there is at least one. `dark` is
    whether its stones are the darker ones.
    """

    side: str
    other: str
    start: float
    steps: tuple[CurveStep, ...]
    dark: bool = True


MOST_ROWS = 60
"""Lines of a curve; if there are more moves, a line is several of them."""

_HALF = 10
"""Columns of a bar to each side of the middle."""

_WIDEST = 12
"""Columns of a notation; more are cut off."""


def text_of(curve: Curve) -> str:
    """Return the curve as lines, each with the share of `side` in per cent.

    A bar to the right means that `side` is ahead, one to the left that the other is.
    """
    moves = -(-len(curve.steps) // MOST_ROWS)
    starts = range(0, len(curve.steps), moves)
    rows = [_row(curve.steps[start : start + moves]) for start in starts]
    wide = max(len(label) for label, _ in rows)
    head = f"{'':{wide}}  {curve.other[:_HALF]:>{_HALF}}|{curve.side[:_HALF]}"
    return "\n".join([head, *(f"{label:<{wide}}  {bar}".rstrip() for label, bar in rows)])


def _row(group: Sequence[CurveStep]) -> tuple[str, str]:
    """Return the label of a line, and its bar with all that follows."""
    first, last = group[0], group[-1]
    rest = f"- {last.ply}" if len(group) > 1 else f"{first.sign:1} {first.text[:_WIDEST]}"
    label = f"{first.ply:>3} {rest}"
    flags = "".join(step.flag for step in group)
    return label, f"{bar_of(last.share)} {per_cent(last.share):>3} {flags}"


def bar_of(share: float) -> str:
    """Return a bar of 21 columns that goes from the middle to the side that has more."""
    length = round(abs(share - 0.5) * 2 * _HALF)
    bar = "#" * length
    return f"{'':{_HALF}}|{bar:<{_HALF}}" if share > 0.5 else f"{bar:>{_HALF}}|{'':{_HALF}}"


def per_cent(share: float) -> int:
    """Return a share in per cent; only what is certain is 0 or 100."""
    if share in (0, 1):
        return int(100 * share)
    return max(1, min(99, round(100 * share)))


def words_of(curve: Curve) -> str:
    """Return one sentence on the curve, for readers who cannot see its picture."""
    best = max(curve.steps, key=lambda step: step.share)
    worst = min(curve.steps, key=lambda step: step.share)
    return (
        f"{curve.side}'s winning chances (%): {per_cent(curve.start)} "
        f"before move {curve.steps[0].ply}, at most {per_cent(best.share)} after move {best.ply}, "
        f"at least {per_cent(worst.share)} after move {worst.ply}, "
        f"{per_cent(curve.steps[-1].share)} at the end."
    )


WIDTH: Final = 360
"""The width of the picture, in pixels of the screen: that of a phone."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 10, 350, 28, 168
"""The edges of the plot, in pixels of the screen."""

_HEIGHT: Final = 216

_NUMBERS, _NAME = 180, 200
"""The heights of the numbers of moves and of the name of the lower side."""

_LETTERS, _DISC = 12, 8
"""The size of letters and the radius of a mark, in pixels of the screen."""

_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Moves between two numbers below the plot: the first that gives at most _MOST_TICKS."""

_MOST_TICKS = 8


def chart(curve: Curve) -> png.PngPicture:
    """Return the picture of a curve."""
    return png.PngPicture(_Sheet(curve).png(), WIDTH, _HEIGHT)


class _Sheet:
    """A chart in the making. Sizes are pixels of the screen; it is drawn FINE times too large."""

    def __init__(self, curve: Curve) -> None:
        self._curve = curve
        self._scale = png.DENSITY * png.FINE
        size = WIDTH * self._scale, _HEIGHT * self._scale
        self._image = Image.new("RGB", size, LIGHT[Role.BOARD])
        self._draw = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        """Return the octets of the picture."""
        below, above = Role.DARK, Role.LIGHT
        if not self._curve.dark:
            below, above = above, below
        shares = (self._curve.start, *(step.share for step in self._curve.steps))
        heights = (_BOTTOM - share * (_BOTTOM - _TOP) for share in shares)
        line = [(self._column(number), height) for number, height in enumerate(heights)]
        ground = [(_LEFT, _BOTTOM), *line, (_RIGHT, _BOTTOM)]
        self._box((_LEFT - 1, _TOP - 1, _RIGHT + 1, _BOTTOM + 1), Role.LINE)
        self._box((_LEFT, _TOP, _RIGHT, _BOTTOM), above)
        self._draw.polygon([self._at(*place) for place in ground], LIGHT[below])
        for start, end in pairwise(line):
            self._draw.line([self._at(*start), self._at(*end)], LIGHT[Role.LINE], self._scale * 2)
        self._middle()
        self._numbers()
        self._side(self._curve.other, above, _TOP - 14)
        self._side(self._curve.side, below, _NAME)
        flagged = zip(self._curve.steps, line[1:], strict=True)
        marks = sorted((step.flag, place) for step, place in flagged if step.flag)
        for flag, place in reversed(marks):  # the first covers its neighbours
            self._mark(flag, *place)
        small = png.reduced(self._image)
        whole = Image.new("P", (small.width + png.FILTER_PIXELS, small.height))
        whole.paste(small, (png.FILTER_PIXELS, 0))
        return png.file_of(whole)

    def _column(self, number: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * number / len(self._curve.steps)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self._scale, y * self._scale

    def _box(self, edges: tuple[float, float, float, float], role: Role) -> None:
        self._draw.rectangle([self._at(*edges[:2]), self._at(*edges[2:])], LIGHT[role])

    def _middle(self) -> None:
        """Draw the line of equal chances, in dashes."""
        y = (_TOP + _BOTTOM) / 2
        for x in range(_LEFT, _RIGHT, 10):
            self._box((x, y - 0.5, x + 5, y + 0.5), Role.LINE)

    def _numbers(self) -> None:
        """Write the numbers of some moves below their places."""
        moves = len(self._curve.steps)
        tick = next((tick for tick in _TICKS if moves / tick <= _MOST_TICKS), _TICKS[-1])
        for number, step in enumerate(self._curve.steps, start=1):
            if step.ply % tick == 0:
                x = self._column(number)
                self._box((x - 0.5, _BOTTOM + 1, x + 0.5, _BOTTOM + 5), Role.LINE)
                inside = min(max(x, _LEFT + _LETTERS), _RIGHT - _LETTERS)
                self._write(str(step.ply), inside, _NUMBERS, Role.LABEL)

    def _side(self, name: str, role: Role, y: float) -> None:
        """Write the name of the side whose area has this colour, beside its stone."""
        x = _LEFT + 6
        png.disc(self._draw, self._at(x, y), 6 * self._scale, LIGHT[Role.RIM])
        png.disc(self._draw, self._at(x, y), 5 * self._scale, LIGHT[role])
        self._write(name, x + 12, y, Role.LABEL, "ls")

    def _mark(self, sign: str, x: float, y: float) -> None:
        x = min(max(x, _LEFT + _DISC), _RIGHT - _DISC)
        y = min(max(y, _TOP + _DISC), _BOTTOM - _DISC)
        png.disc(self._draw, self._at(x, y), _DISC * self._scale, LIGHT[Role.LIGHT])
        png.disc(self._draw, self._at(x, y), (_DISC - 1.5) * self._scale, LIGHT[Role.MARK])
        self._write(sign, x, y, Role.LIGHT)

    def _write(self, text: str, x: float, y: float, role: Role, anchor: str = "ms") -> None:
        size = _LETTERS * self._scale
        png.write(self._draw, text, self._at(x, y), size, LIGHT[role], anchor)
