"""Tables for people: columns as wide as they need to be, or as the terminal lets them be."""

import shutil
import sys
from collections.abc import Sequence

_GAP = "  "

_LEAST = 8
"""A column is not made narrower than this: less of a value says nothing."""


def room() -> int | None:
    """Return how many columns standard output has; None if it is no terminal, and all is shown."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table_lines(rows: Sequence[Sequence[str]], most: int | None) -> list[str]:
    """Return the rows as lines of at most `most` letters, if that is possible.

    The widest columns are cut first, and what is cut ends with an ellipsis.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if most is not None:
        widths = _narrowed(widths, most - len(_GAP) * (len(widths) - 1))
    return [
        _GAP.join(f"{_cut(cell, width):<{width}}" for cell, width in zip(row, widths, strict=True))
        .rstrip()
        for row in rows
    ]  # fmt: skip


def _narrowed(widths: Sequence[int], most: int) -> list[int]:
    narrowed = list(widths)
    while sum(narrowed) > most and max(narrowed) > _LEAST:
        narrowed[narrowed.index(max(narrowed))] -= 1
    return narrowed


def _cut(cell: str, width: int) -> str:
    if len(cell) <= width:
        return cell
    # A terminal that knows ASCII only could not print the one letter.
    utf = (sys.stdout.encoding or "").lower().startswith("utf")
    end = "\N{HORIZONTAL ELLIPSIS}" if utf else "..."
    return cell[: width - len(end)] + end
