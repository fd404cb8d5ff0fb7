"""Marks in a rendered text, from which its plain form and its HTML form are made.

A template is rendered once. Control characters, which are in no other text, mark the words of a
link, lines that keep their columns, the words of a player, and boards. The plain form is the text
without them (`plain`); `pbm.render.html` makes the HTML form.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from pbm.engine import frozen

LINK, SENDS, LABEL, LINK_END = "\x02", "\x04", "\x05", "\x03"
"""Around the words of a link, before the command that it sends, and before its words in HTML, where
these differ.

A link with the sign of a command, and none behind it, opens its words: they are an address.
"""

BLOCK, BLOCK_END = "\x0e", "\x0f"
"""Before and after lines of a kind, each on a line of its own. The kind follows the first.

They are the same for all kinds, so that a text is divided by looking for one character.
"""

SHAPE: Final = "shape"
"""Lines that keep their columns."""

WORDS: Final = "words"
"""The words of a player."""

BOARD: Final = "board"
"""The picture of a board, and the figures beside it."""

HEADING: Final = "heading"
"""The heading of the text below it."""

TABLE: Final = "table"
"""The rows of a table (see `table`)."""

ACTIONS: Final = "actions"
"""A line of links, which are buttons in HTML; what is between them is for the text alone."""

TERMS: Final = "terms"
"""Terms with what they mean, in two columns, or one below the other."""

PROSE: Final = ""
"""All other lines, between these."""

ROW, CELL, MINOR = "\x19", "\x1a", "\x1b"
"""Before a row of a table, before a cell, and before the name of a column that is minor."""

_CELLS: Final = dict.fromkeys(map(ord, (ROW, CELL, MINOR)))
DARK_DISC, LIGHT_DISC = "\x06", "\x07"
"""A small stone, which the text does without."""

BULLET = re.compile(r" *+(?:\d{1,2}\.|-) ")
"""The beginning of an item of a list. A number of three digits is a board's, after a sentence."""

_COMMAND = re.compile(f"[{SENDS}{LABEL}][^{LINK_END}]*+")
_AROUND = re.compile(f"{BLOCK}(?:[a-z]*\n)?|{BLOCK_END}\n?")
_SIGNATURE = "-- "


def blocks(marked: str) -> list[tuple[str, str]]:
    """Return the kind and the lines of each block, with the prose before and after each."""
    prose, *others = marked.split(BLOCK)
    found = [(PROSE, prose)]
    for other in others:
        block, _, prose = other.partition(BLOCK_END)
        kind, _, lines = block.partition("\n")
        found += ((kind, lines), (PROSE, prose.removeprefix("\n")))
    return found


def plain(marked: str) -> str:
    """Return the text without marks."""
    if BLOCK in marked or BLOCK_END in marked:
        marked = _AROUND.sub("", marked)
    return _unmarked(marked)


def _unmarked(lines: str) -> str:
    """Return lines without the marks within them."""
    if SENDS in lines or LABEL in lines:
        lines = _COMMAND.sub("", lines)
    if DARK_DISC in lines or LIGHT_DISC in lines:
        lines = lines.replace(DARK_DISC, "").replace(LIGHT_DISC, "")
    if ROW in lines:
        lines = lines.translate(_CELLS)
    return lines.replace(LINK, "").replace(LINK_END, "")


LINE = 72
"""Characters in a line of text, so that a quoted reply still fits a terminal."""


def fill(text: str) -> str:
    """Return one paragraph, white space folded, in lines of at most LINE characters.

    A longer word has a line of its own. It takes a tenth of textwrap's time; a test compares them.
    """
    folded = " ".join(text.split())
    lines, begin = [], 0
    while len(folded) > begin + LINE:
        end = folded.rfind(" ", begin, begin + LINE + 1)
        if end < 0:
            return textwrap.fill(folded, LINE, break_on_hyphens=False, break_long_words=False)
        lines.append(folded[begin:end])
        begin = end + 1
    lines.append(folded[begin:])
    return "\n".join(lines)


def flowed(marked: str) -> str:
    """Return the text without marks as format=flowed (RFC 3676), so that phones wrap its prose.

    The lines of prose that are one paragraph in HTML are filled, and all but the last one end in a
    space. A space is put before lines that could be read otherwise (section 4.4).
    """
    return "".join([_kept(ls) if kind else _prose(ls) for kind, ls in blocks(marked)])


def _prose(text: str) -> str:
    """Return paragraphs, with blank lines between them."""
    return "\n\n".join(map(_paragraph, text.split("\n\n")))


_MANY = 500
"""Parts of texts that are cached: many are the same in the next mail."""


@lru_cache(_MANY)
def _paragraph(text: str) -> str:
    """Return `text`, without marks, with its prose filled.

    Blank lines, indented ones and items of a list are no prose. A link before a sentence ends it.
    """
    done: list[str] = []
    prose: list[str] = []
    for line in text.split("\n"):
        ended = _without_end(line)  # else it would flow
        is_prose = ended[:1] not in ("", " ") and ended != _SIGNATURE and not BULLET.match(ended)
        is_said = bool(prose) and prose[-1].endswith(LINK_END) and line[:1].isupper()
        if prose and (is_said or not is_prose):
            done.append(_filled(prose))
            prose = []
        if is_prose:
            prose.append(ended)
        else:
            done.append(_unmarked(ended))
    if prose:
        done.append(_filled(prose))
    return _stuffed("\n".join(done))


def _filled(lines: Sequence[str]) -> str:
    """Return lines of prose as a paragraph; a single one that fits stays as it is."""
    text = _unmarked(" ".join(lines))
    if len(lines) == 1 and len(text) <= LINE:
        return text
    return fill(text).replace("\n", " \n")


@lru_cache(_MANY)
def _kept(lines: str) -> str:
    """Return lines of a kind without marks, and without the spaces at their ends."""
    if " \n" in lines:  # hardly any of ours has one
        lines = "\n".join(map(_without_end, lines.split("\n")))
    return _stuffed(_unmarked(lines))


def _without_end(line: str) -> str:
    return line if line == _SIGNATURE else line.rstrip(" ")


def _stuffed(text: str) -> str:
    """Return whole lines, with a space before those that could be read otherwise."""
    text = f"\n{text}"
    for begin in _STUFFED:
        text = text.replace(f"\n{begin}", f"\n {begin}")
    return text[1:]


_STUFFED: Final = (" ", ">", "From ")


def link(text: str, command: str = "", label: str = "") -> str:
    """Return `text` marked as a link that sends it, or `command`; `label` is its words in HTML."""
    sends = f"{SENDS}{command}" if command else ""
    shown = f"{LABEL}{label}" if label else ""
    return f"{LINK}{text}{sends}{shown}{LINK_END}"


def disc(sentence: str) -> str:
    """Return a sentence with a stone of its form before each side, such as "Eks (x)"."""
    if " (" not in sentence:
        return sentence
    return _SIDE.sub(lambda found: f"{_DISCS[found[1]]}{found[0]}", sentence)


_SIDE = re.compile(r"[A-Z]\w{0,20} \(([xo])\)")

_DISCS = {"x": DARK_DISC, "o": LIGHT_DISC}


def web(url: str) -> str:
    """Return an address of the web, marked as a link that opens it; "" as it is."""
    return f"{LINK}{url}{SENDS}{LINK_END}" if url else ""


def _around(kind: str, text: str) -> str:
    """Return lines of a kind, without a line end behind them."""
    stripped = text.rstrip("\n")
    return f"{BLOCK}{kind}\n{stripped}\n{BLOCK_END}" if stripped else ""


shape = partial(_around, SHAPE)
heading = partial(_around, HEADING)
table_block = partial(_around, TABLE)
terms = partial(_around, TERMS)
actions = partial(_around, ACTIONS)
words = partial(_around, WORDS)
board = partial(_around, BOARD)

_INDENT = "    "
"""The beginning of lines that keep their columns, such as those of a board."""

_WIDEST = 56
"""The most columns of a board; lines that are longer are sentences, or a list with them."""


_COLUMNS = re.compile(r" {2,}+(?!\d{1,3}\.)\S+(?: \S+)* {2,}+\S")
"""The beginning of a term and its meaning; a number begins a row of moves."""


def article(text: str) -> str:
    """Return `text` with marks: its headings, and the lines that keep their columns.

    A heading is a line by itself with two blank lines above, or the first line of the text. Other
    indented lines that begin with two columns are terms.
    """
    return "\n\n".join(_marked(text.strip("\n").split("\n\n")))


def _marked(blocks: list[str]) -> Iterator[str]:
    for number, block in enumerate(blocks):
        lines = block.strip("\n").split("\n")
        apart = block.startswith("\n")
        above = "\n" if apart else ""
        if (apart or number == 0) and len(lines) == 1 and lines[0][:1].strip():
            yield above + heading(lines[0])
        elif all(line.startswith(_INDENT) and len(line) <= _WIDEST for line in lines):
            yield above + shape("\n".join(lines))
        elif _COLUMNS.match(lines[0]):
            yield above + terms("\n".join(lines))
        else:
            yield block


@frozen
class Column:
    """A column: its name, the layout of a cell in text, and whether HTML shows it below.

    The cells of a minor column without a name are words that need none.
    """

    name: str
    form: str = "{}"
    minor: bool = False


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """Return the names of the columns and the rows, one below the other, with marks.

    A cell may be a link, and the last ones of a row may be missing.
    """
    head = _row((MINOR if column.minor else CELL, column, column.name) for column in columns)
    body = (((CELL, *cell) for cell in zip(columns, row, strict=False)) for row in rows)
    return "\n".join((head, *map(_row, body)))


def _row(cells: Iterable[tuple[str, Column, str]]) -> str:
    """Return a row of the text, with a mark before each cell."""
    parts = []
    for mark, column, cell in cells:
        shown = plain(cell)
        padded = column.form.format(shown)
        parts.append(mark + (padded.replace(shown, cell, 1) if shown else padded))
    return ROW + "".join(parts).rstrip()
