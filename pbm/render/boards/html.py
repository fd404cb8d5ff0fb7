"""A PlottedPicture as HTML for mails: a table with a cell for each point, and figures beside it.

The table has the few inline styles without which it would not look like a board. All other rules
are in `css.rules`, once in the head of a mail. A client that drops them shows bold signs and names
on a plain board, which can still be read and tapped.

A cell is as large as a phone 360 px wide allows; on a wide screen a rule makes it larger. Each cell
has a line of its own, so that no line is too long for a mail; between cells that means nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import pairwise

from pbm.engine import frozen
from pbm.engine.diagram import Figure, MarkKind, Tally, TallyRow
from pbm.render.boards import css
from pbm.render.boards.honeycomb import honeycomb
from pbm.render.boards.plotted_picture import (
    Edge,
    Form,
    Ground,
    PlottedPicture,
    Spot,
    Stone,
    spot_words,
)
from pbm.render.boards.plotting import stone_of
from pbm.render.boards.theme import LIGHT, Role

Link = Callable[[str], str | None]
"""Returns the target of the link for a point's name, or None for a point without a link."""

Place = tuple[int, int]
"""Column and row of a cell."""

_ROOM = 314
"""The space for cells on a phone, in pixels: 360 without margins, padding and labels."""

FORM_CLASS = {Form.DARK: "d", Form.LIGHT: "l", Form.NEUTRAL: "n"}

_MATCHES = 64
"""Empty boards whose frames are cached."""

_GROUNDS = ((MarkKind.LAST, "k", Role.LAST_GROUND), (MarkKind.WINNING, "w", Role.WIN_GROUND))
"""The class and the colour of a marked cell. A chain is not broken by the last move in it."""


def no_link(point: str) -> None:
    """Return None, because no point has a link."""


def card(plotted: PlottedPicture, *parts: str) -> str:
    """Return `parts`, such as a board and its figures, on a card as wide as the board."""
    columns, size = _columns(plotted.ground)
    width = css.LABELS + columns * size
    kind = "pb e" if size in css.DENSE else "pb"
    return (
        f'<div class="{kind}" style="background:{LIGHT[Role.BOARD]};max-width:{width:.0f}px;'
        f'padding:6px 4px 6px 2px;border-radius:8px">{"".join(parts)}</div>\n'
    )


@frozen
class _Frame:
    """The parts of a board's table that stay the same throughout a match.

    `top` is all above the first row of points, and each row begins with one of `heads`. `cells` are
    the row and column of each spot, and the sides to which lines lead there. `gaps` are the cells
    of each row with only lines in them.
    """

    columns: int
    top: str
    heads: tuple[str, ...]
    cells: tuple[tuple[int, int, int], ...]
    gaps: Mapping[int, list[tuple[int, str]]]


@lru_cache(_MATCHES)
def _frame(ground: Ground) -> _Frame:
    columns, size = _columns(ground)
    labels = {round(at.y): escape(at.text) for at in ground.labels if at.edge is Edge.LEFT}
    sides = _sides(ground)
    cells = [(s.row, s.column, sides.pop((s.column, s.row), css.CROSS)) for s in ground.spots]
    gaps: dict[int, list[tuple[int, str]]] = {row: [] for row, _, _ in cells}
    for (column, row), mask in sides.items():
        gaps.setdefault(row, []).append((column, f'<td class="l{mask}"></td>\n'))
    # The first cell of a row gives it its height.
    head = f'<td class="y" style="height:{size}px">{{}}</td>' if labels else ""
    return _Frame(
        columns,
        _opening(ground, columns, size) + _column_labels(ground),
        tuple(head.format(labels.get(row, "")) for row in range(max(gaps, default=-1) + 1)),
        tuple(cells),
        gaps,
    )


def board(plotted: PlottedPicture, link: Link = no_link) -> str:
    """Return the board as a table whose cells are links to the targets that `link` returns."""
    if plotted.ground.lean:
        return _honeycomb(plotted, link)
    frame = _frame(plotted.ground)
    rows = _rows(plotted, frame, link)
    body = "".join(
        f"<tr>{head}{_row(rows.get(row, []), frame.columns)}</tr>\n"
        for row, head in enumerate(frame.heads)
    )
    return f"{frame.top}{body}</table>\n"


def _honeycomb(plotted: PlottedPicture, link: Link) -> str:
    """Return a board of hexagons."""
    columns, size = _columns(plotted.ground)
    cells = [_cell(spot, css.CROSS, link, ' rowspan="2"') for spot in plotted.spots]
    body = "".join(
        f'<tr style="height:{size // 2}px">'
        f"{''.join(cells[item] if isinstance(item, int) else item for item in row)}</tr>\n"
        for row in honeycomb(plotted.ground)
    )
    return f"{_opening(plotted.ground, columns, size)}{body}</table>\n"


def cell_size(plotted: PlottedPicture) -> int:
    """Return the side of a cell of a board's table on a phone, in pixels."""
    return _columns(plotted.ground)[1]


@lru_cache(_MATCHES)
def _columns(ground: Ground) -> tuple[int, int]:
    """Return the number of columns of cells, and the side of a cell in pixels on a phone."""
    columns = max([spot.column for spot in ground.spots], default=0) + 1
    fitting = (size for size in css.SIZES if size * columns <= _ROOM)
    return columns, max(fitting, default=css.SIZES[0])


def _opening(ground: Ground, columns: float, size: int) -> str:
    """Return the tag that opens the table, with all styles that a board needs inline.

    The table is as wide as on a wide screen; the card makes it narrower on a phone.
    """
    wide = css.WIDE_CELL if size in css.DENSE else size
    kind = "pbc" if ground.cells else "pbl pbd" if ground.dots else "pbl"
    if ground.lean:
        kind = "pbl pbh"
    slants = css.slanted_lines(ground, css.LABELS, size)
    labels = css.LABELS * wide / size if slants else css.LABELS
    if slants:
        kind, slants = f"{kind} q", f"background:{slants};"
    return (
        f'<table class="{kind} s{size}" role="presentation" cellpadding="0" cellspacing="0" '
        f'width="{labels + columns * wide:.0f}" '
        f'style="color:{LIGHT[Role.DARK]};max-width:100%;table-layout:fixed;'
        f'{slants}font:{css.FONT_SIZES[size]}px Helvetica,Arial,sans-serif;text-align:center">\n'
    )


def _column_labels(ground: Ground) -> str:
    """Return the first row, which also gives the columns their widths."""
    named = [label for label in ground.labels if label.edge is Edge.TOP]
    if not named:
        return ""
    corner = f'<td class="y h" style="width:{css.LABELS}px"></td>'
    labels = "".join(f'<td class="y">{escape(label.text)}</td>\n' for label in named)
    return f"<tr>{corner}{labels}</tr>\n"


def _row(cells: list[tuple[int, str]], columns: int) -> str:
    """Return the HTML of one row, with the gaps between its cells filled."""
    if len(cells) == columns:
        return "".join([cell for _, cell in sorted(cells)])
    parts: list[str] = []
    at = 0
    for column, cell in sorted(cells):
        parts += (_gap(column - at), cell)
        at = column + 1
    return "".join((*parts, _gap(columns - at)))


def _gap(columns: int) -> str:
    """Return a cell as wide as `columns` without a point, or "" if there are none."""
    return f'<td class="z" colspan="{columns}"></td>\n' if columns else ""


def _rows(
    plotted: PlottedPicture, frame: _Frame, link: Link
) -> Mapping[int, list[tuple[int, str]]]:
    """Return the cells of each row with their columns: points, and cells where only lines pass."""
    rows = {row: list(gaps) for row, gaps in frame.gaps.items()}
    for spot, (row, column, mask) in zip(plotted.spots, frame.cells, strict=True):
        rows[row].append((column, _cell(spot, mask, link)))
    return rows


def _cell(spot: Spot, mask: int, link: Link, span: str = "") -> str:
    name, stone, marks = spot.name, spot.stone, spot.marks
    target = link(name)
    ground = _ground(marks, mask) if marks or mask != css.CROSS else ""
    if stone is not None:
        content = _stone(stone, spot_words(name, stone, marks), target)
    elif target is not None:
        content = f'<a href="{_quoted(target)}">{_quoted(name)}</a>'
    else:
        content = _nothing(name, marks)
    return f"<td{span}{ground}>{content}</td>\n"


def _quoted(text: str) -> str:
    """Return `text` escaped; most names have nothing to escape, and a check is quick."""
    return text if text.isalnum() or not _ESCAPED.search(text) else escape(text)


_ESCAPED = re.compile("[&<>\"']")


def _ground(marks: tuple[MarkKind, ...], mask: int) -> str:
    """Return the attributes of a cell: the lines that cross it, and its colour if it is marked."""
    classes = [f"l{mask}"] if mask != css.CROSS else []
    colour = ""
    for kind, name, role in _GROUNDS:
        if kind in marks:
            classes.append(name)
            colour = f' bgcolor="{LIGHT[role]}"'
    return f' class="{" ".join(classes)}"{colour}' if classes else ""


def _stone(stone: Stone, words: str, target: str | None) -> str:
    """Return a stone, a disc with its sign, as a link if it has a target."""
    form = FORM_CLASS[stone.form] + " t" * (stone.height > 1) + " a" * bool(stone.letter)
    sign = _quoted(stone.letter or stone.symbol)
    large = ""
    if isinstance(stone.letter, Figure):
        large, sign = ' style="font-size:24px"', _figure(stone.letter, stone.form)
    disc = f'<b class="{form}"{large} role="img" title="{_quoted(words)}">{sign}</b>'
    return disc if target is None else f'<a class="s" href="{_quoted(target)}">{disc}</a>'


def _figure(figure: Figure, form: Form) -> str:
    """Return a figure as a character, which is an outline on light stones, and no emoji."""
    outline = ord(Figure.KING) - ord("\N{WHITE CHESS KING}")
    return f"&#{ord(figure) - outline * (form is Form.LIGHT)};&#xFE0E;"


def _nothing(name: str, marks: tuple[MarkKind, ...]) -> str:
    """Return the sign of an empty point without a link."""
    words = _quoted(spot_words(name, None, marks) if marks else name)
    if MarkKind.CAPTURED in marks:
        return f'<i class="c" role="img" title="{words}">&times;</i>'
    return f'<i role="img" title="{words}">&middot;</i>'


def _sides(ground: Ground) -> dict[Place, int]:
    """Return the sides to which lines lead from the middle of a cell, or that it is shaded."""
    if ground.cells:
        return {(s.column, s.row): css.SHADED for s in ground.spots if s.name in ground.shaded}
    cell = {(spot.x, spot.y): (spot.column, spot.row) for spot in ground.spots}
    sides = dict.fromkeys(cell.values(), 0)
    for line in ground.lines:
        for start, end in pairwise(line):
            if start[0] == end[0] or start[1] == end[1]:
                for place, mask in _way(*sorted((cell[start], cell[end]))):
                    sides[place] = sides.get(place, 0) | mask
    return sides


def _way(start: Place, end: Place) -> Iterator[tuple[Place, int]]:
    """Yield the cells of a level or upright way and the sides it touches in each."""
    (x, y), (end_x, end_y) = start, end
    if y == end_y:
        yield start, css.EAST
        yield end, css.WEST
        yield from (((x + n, y), css.WEST | css.EAST) for n in range(1, int(end_x - x)))
    elif x == end_x:
        yield start, css.SOUTH
        yield end, css.NORTH
        yield from (((x, row), css.NORTH | css.SOUTH) for row in range(y + 1, end_y))


_COLOUR = f"color:{LIGHT[Role.LABEL]}"
_FONT = f"font:14px Helvetica,Arial,sans-serif;margin:4px 0;{_COLOUR}"
_SENTENCES = f"font:14px/1.4 Helvetica,Arial,sans-serif;margin:4px 8px;max-width:400px;{_COLOUR}"
_CAPTION = f"font:13px monospace;margin:8px;{_COLOUR}"
_NAME = "padding:3px 8px;text-align:left;font-weight:normal"
_FIGURE = "padding:3px 8px;text-align:right;font-weight:normal"


def figures(plotted: PlottedPicture) -> str:
    """Return the figures and sentences beside a board as HTML, or "" if there are none.

    A tally is a real table with headings, which a screen reader can walk through. Captions keep
    the columns that they were written in.
    """
    sentences = escape(" ".join(plotted.told))
    said = f'<p class="g" style="{_SENTENCES}">{sentences}</p>\n' if sentences else ""
    if plotted.tally:
        return _tally(plotted.tally) + said
    if plotted.captions:
        lines = "<br>\n".join(escape(line).replace("  ", " &nbsp;") for line in plotted.captions)
        return f'<p class="g" style="{_CAPTION}">{lines}</p>\n{said}'
    return said


def _tally(tally: Tally) -> str:
    heads = "".join(f'<th scope="col" style="{_FIGURE}">{escape(h)}</th>' for h in tally.heads)
    top = f"<tr><td></td>{heads}</tr>\n" if heads else ""
    rows = "".join(map(_tally_row, tally.rows))
    table = f'<table class="pbt" cellpadding="0" cellspacing="0" style="{_FONT}">'
    return f"{table}{top}{rows}</table>\n"


def _tally_row(row: TallyRow) -> str:
    name = escape(row.name)
    if row.symbol:
        form = FORM_CLASS[stone_of(row.symbol, row.seat).form]
        name = f'<b class="{form}">{escape(row.symbol)}</b> {name}'
    values = "".join(f'<td style="{_FIGURE}">{escape(value)}</td>\n' for value in row.values)
    return f'<tr><th scope="row" style="{_NAME}">{name}</th>{values}</tr>\n'
