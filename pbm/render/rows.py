"""A list of things with their figures: in text a table, in HTML what a phone has room for.

In HTML a row takes two lines. The first holds the main columns, the second, small, the `minor`
ones with their names. The cells are told apart by marks that the plain text does not show.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbm.render import marks


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, how a cell is laid out in text, and whether HTML shows it below.

    A minor column without a name holds words that need none.
    """

    name: str
    form: str = "{}"
    minor: bool = False


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """Return the names of the columns and the rows, one below the other, with marks.

    A cell may be a link, and the last ones of a row may be missing.
    """
    named = (column.name for column in columns)
    head = _row(columns, named, [column.minor for column in columns])
    return "\n".join((head, *(_row(columns, row) for row in rows)))


def _row(columns: Sequence[Column], cells: Iterable[str], minor: Sequence[bool] = ()) -> str:
    """Return a row of the text; in that of the names each minor column is marked."""
    parts = []
    for number, (column, cell) in enumerate(zip(columns, cells, strict=False)):
        shown = marks.plain(cell)
        padded = column.form.format(shown)
        mark = marks.MINOR if any(minor[number : number + 1]) else marks.CELL
        parts.append(mark + (padded.replace(shown, cell, 1) if shown else padded))
    return marks.ROW + "".join(parts).rstrip()


Inline = Callable[[str], str]
"""Makes HTML of the text of a cell, which may hold a link."""


def html(text: str, inline: Inline) -> Iterator[str]:
    """Yield the HTML of a table as `table` has marked it, without its first and last line."""
    names, *rows = (_CELL.findall(row) for row in text.split(marks.ROW)[1:])
    main = [n for n, (mark, _) in enumerate(names) if mark == marks.CELL]
    heads = "".join(
        f'<th scope="col" class="pbf" style="{_HEAD}">{inline(names[n][1])}</th>' for n in main
    )
    yield f'<table cellpadding="0" cellspacing="0" style="{_TABLE}">\n<tr>{heads}</tr>\n'
    for row in rows:
        cells = [inline(cell) for _, cell in row] + [""] * (len(names) - len(row))
        first, *others = main
        upper = "".join(f'<td class="pbr" style="{_UPPER}">{cells[n]}</td>\n' for n in others)
        name = f'<th scope="row" class="pbr" style="{_UPPER}">{cells[first]}</th>\n'
        yield f"<tr>{name}{upper}</tr>\n"
        named = ((inline(name), cell) for (_, name), cell in zip(names, cells, strict=True))
        told = [f"{name} {cell}" for n, (name, cell) in enumerate(named) if cell and n not in main]
        if told:
            lower = f'<td colspan="{len(others)}" class="pbf" style="{_LOWER}">'
            yield f"<tr><td></td>{lower}{' &middot; '.join(told)}</td></tr>\n"
    yield "</table>\n"


_CELL = re.compile(f"([{marks.CELL}{marks.MINOR}])([^{marks.CELL}{marks.MINOR}]*+)")

_TABLE = "width:100%;margin:12px 0;border-collapse:collapse;font-size:15px;text-align:left"
_HEAD = "padding:0 12px 4px 0;font-size:13px;font-weight:normal"
_UPPER = "padding:6px 12px 4px 0;vertical-align:top;border-top:1px solid #d8cfc0"
_LOWER = "padding:0 0 6px;font-size:13px"
