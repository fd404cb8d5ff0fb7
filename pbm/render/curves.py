"""What a match was worth to a side after each move, as lines of text and in words.

A line of text is a move: its bar goes to the side that stands better, so nobody needs colours. In a
long match a line is several moves. Lines have room on a phone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A move by its number, one character for whoever made it, and its notation.

    `share` is what the match was worth to the first side after it, from 0 to 1. `flag` is one
    character that marks it, or "".
    """

    ply: int
    sign: str
    text: str
    share: float
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """The course of a match between `side` and `other`, whose share is the rest.

    `start` is the share of `side` before the first step, of which there is at least one. `dark`
    says whether its stones are the darker ones.
    """

    side: str
    other: str
    start: float
    steps: tuple[Step, ...]
    dark: bool = True


MOST_ROWS = 60
"""Lines of a curve; if there are more moves, a line is several of them."""

_HALF = 10
"""Columns of a bar to each side of the middle."""

_WIDEST = 12
"""Columns of a notation; more are cut off."""


def text_of(curve: Curve) -> str:
    """Return the curve as lines, each with the share of `side` in per cent.

    A bar that goes to the right says that `side` stands better, one to the left the other.
    """
    moves = -(-len(curve.steps) // MOST_ROWS)
    rows = [_row(group) for group in _grouped(curve.steps, moves)]
    wide = max(len(label) for label, _ in rows)
    head = f"{'':{wide}}  {_cut(curve.other):>{_HALF}}|{_cut(curve.side)}"
    return "\n".join([head, *(f"{label:<{wide}}  {bar}".rstrip() for label, bar in rows)])


def _grouped(steps: Sequence[Step], moves: int) -> Iterator[tuple[Step, ...]]:
    for start in range(0, len(steps), moves):
        yield tuple(steps[start : start + moves])


def _cut(name: str) -> str:
    return name[:_HALF]


def _row(group: Sequence[Step]) -> tuple[str, str]:
    """Return what names a line, and its bar with all that follows."""
    first, last = group[0], group[-1]
    label = f"{first.ply:>3}"
    if len(group) == 1:
        label = f"{label} {first.sign:1} {first.text[:_WIDEST]}"
    else:
        label = f"{label} - {last.ply}"
    flags = "".join(step.flag for step in group)
    return label, f"{bar_of(last.share)} {per_cent(last.share):>3} {flags}"


def bar_of(share: float) -> str:
    """Return a bar of 21 columns that goes from the middle to the side that has more."""
    length = round(abs(share - 0.5) * 2 * _HALF)
    bar = "#" * length
    return f"{'':{_HALF}}|{bar:<{_HALF}}" if share > 0.5 else f"{bar:>{_HALF}}|{'':{_HALF}}"


def per_cent(share: float) -> int:
    """Return a share in per cent; nothing that is not certain is 0 or 100."""
    if share in (0, 1):
        return int(100 * share)
    return max(1, min(99, round(100 * share)))


def words_of(curve: Curve) -> str:
    """Return one sentence on the curve, for who cannot see its picture."""
    best = max(curve.steps, key=lambda step: step.share)
    worst = min(curve.steps, key=lambda step: step.share)
    return (
        f"Curve of what the match was worth to {curve.side}, in per cent: {per_cent(curve.start)} "
        f"before move {curve.steps[0].ply}, at most {per_cent(best.share)} after move {best.ply}, "
        f"at least {per_cent(worst.share)} after move {worst.ply}, "
        f"{per_cent(curve.steps[-1].share)} at the end."
    )
