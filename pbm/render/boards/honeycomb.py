"""The table of a board of hexagons: columns of cells, each half a cell off the one before.

A row of the table is half as high as a cell, so a cell spans two. Around the hexagons there are
half cells, with the labels and with the corners of the hexagons beside them; the rest are gaps.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape

from pbm.engine import frozen
from pbm.render.boards import css
from pbm.render.boards.plotted_picture import Edge, Ground

Place = tuple[int, int]
"""Column and row of the table, where -1 is the column left of the board."""

_TIP = 8
"""The width of the column right of the board, in pixels: it has only corners of hexagons."""

_CORNERS = ((-1, 0, css.SW), (-1, 1, css.NW), (1, 0, css.SE), (1, 1, css.NE))
"""A column beside half a cell, the half of a hexagon there, and the corner that its edge cuts."""


@lru_cache(64)
def honeycomb(ground: Ground) -> tuple[tuple[int | str, ...], ...]:
    """Return the cells of each row of the table: the number of a spot, or the HTML of what is none.

    A spot spans two rows.
    """
    spots = {(s.column, s.row): number for number, s in enumerate(ground.spots)}
    texts = dict(_texts(ground))
    top, end = min(y for _, y in texts), 2 + max(y for _, y in spots)
    right = 1 + max(x for x, _ in spots)
    rows: list[list[int | str]] = [[] for _ in range(top, end)]
    for x in range(-1, right + 1):
        # The first row of the table gives its columns their widths.
        width = {-1: css.LABELS, right: _TIP}.get(x)
        for y, item in _column(spots, texts, x, range(top, end)):
            if isinstance(item, _Half):
                rows[y - top].append(item.html(width if y == top else None, css.TIP * (x == right)))
            else:
                rows[y - top].append(item)
    return tuple(map(tuple, rows))


@frozen
class _Half:
    """Half a cell, or a gap of several halves, with the name of a column or row."""

    text: str
    corner: str
    height: int

    def html(self, width: int | None, kind: str) -> str:
        """Return the cell of the table, with a class more."""
        kind = " ".join(filter(None, ("y" * bool(self.text), "z", self.corner, kind)))
        style = f' style="width:{width}px"' if width else ""
        span = f' rowspan="{self.height}"' if self.height > 1 else ""
        return f'<td class="{kind}"{span}{style}>{escape(self.text)}</td>\n'


def _column(
    spots: Mapping[Place, int], texts: Mapping[Place, str], x: int, rows: range
) -> Iterator[tuple[int, int | _Half]]:
    """Yield all that one column has, each with its first row."""
    gap = 0
    for y in rows:
        number = spots.get((x, y))
        half = _Half(texts.get((x, y), ""), _corner(spots, x, y), 1)
        is_gap = number is None and (x, y - 1) not in spots and not (half.text or half.corner)
        if gap and not is_gap:
            yield y - gap, _Half("", "", gap)
        gap = gap + 1 if is_gap else 0
        if number is not None:
            yield y, number
        elif not is_gap and (x, y - 1) not in spots:
            yield y, half
    if gap:
        yield rows.stop - gap, _Half("", "", gap)


def _corner(spots: Mapping[Place, int], x: int, y: int) -> str:
    """Return the corner of half a cell that an edge of a hexagon cuts, or ""."""
    return next((name for dx, low, name in _CORNERS if (x + dx, y - low) in spots), "")


def _texts(ground: Ground) -> Iterator[tuple[Place, str]]:
    """Yield the labels, each in the half of its cell that is nearer to the hexagon it names."""
    step = min(s.x for s in ground.spots if s.x)
    for label in ground.labels:
        nearer = label.edge is Edge.TOP or ground.lean > 0
        yield (round(label.x / step), round(2 * label.y) + nearer), label.text
