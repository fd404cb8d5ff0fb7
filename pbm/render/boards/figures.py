"""What stands beside a board as figures: a game's tally as a table, or its lines of text."""

from html import escape

from pbm.engine.diagram import Tally, TallyRow
from pbm.render.boards.drawing import Drawing
from pbm.render.boards.html import FORM_CLASS
from pbm.render.boards.plotting import stone_of
from pbm.render.boards.theme import LIGHT, Role

_COLOUR = f"color:{LIGHT[Role.LABEL]}"
_FONT = f"font:14px Helvetica,Arial,sans-serif;margin:4px 0;{_COLOUR}"
_TOLD = f"font:14px/1.4 Helvetica,Arial,sans-serif;margin:4px 8px;max-width:400px;{_COLOUR}"
_KEPT = f"font:13px monospace;margin:8px;{_COLOUR}"
_NAME = "padding:3px 8px;text-align:left;font-weight:normal"
_FIGURE = "padding:3px 8px;text-align:right;font-weight:normal"


def figures(drawing: Drawing) -> str:
    """Return the figures and sentences beside a board as HTML, or "" if there are none.

    A tally is a real table with headings, which a screen reader can walk through. Captions keep
    the columns that they were written in.
    """
    sentences = escape(" ".join(drawing.told))
    told = f'<p class="g" style="{_TOLD}">{sentences}</p>\n' if sentences else ""
    if drawing.tally:
        return _table(drawing.tally) + told
    if drawing.captions:
        lines = "<br>\n".join(escape(line).replace("  ", " &nbsp;") for line in drawing.captions)
        return f'<p class="g" style="{_KEPT}">{lines}</p>\n{told}'
    return told


def _table(tally: Tally) -> str:
    heads = "".join(f'<th scope="col" style="{_FIGURE}">{escape(h)}</th>' for h in tally.heads)
    top = f"<tr><td></td>{heads}</tr>\n" if heads else ""
    rows = "".join(map(_row, tally.rows))
    table = f'<table class="pbt" cellpadding="0" cellspacing="0" style="{_FONT}">'
    return f"{table}{top}{rows}</table>\n"


def _row(row: TallyRow) -> str:
    name = escape(row.name)
    if row.symbol:
        form = FORM_CLASS[stone_of(row.symbol, row.seat).form]
        name = f'<b class="{form}">{escape(row.symbol)}</b> {name}'
    values = "".join(f'<td style="{_FIGURE}">{escape(value)}</td>\n' for value in row.values)
    return f'<tr><th scope="row" style="{_NAME}">{name}</th>{values}</tr>\n'
