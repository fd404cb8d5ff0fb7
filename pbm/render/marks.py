"""Marks in a rendered text: what its HTML form shows otherwise than its plain form.

A template is rendered once. Control characters, which no text of ours or of a player holds, say
which words are a link, which lines keep their columns, what a player wrote, and where a board is.
The plain form is the text without them (`plain`), the HTML form is made of it by
`pbm.render.page`.
"""

import re
from typing import Final

LINK, SENDS, LINK_END = "\x02", "\x04", "\x03"
"""Around words that are a link, and before the command that it sends, if that is another one."""

SHAPE, SHAPE_END = "\x0e\n", "\x0f\n"
"""Before and after lines that keep their columns; each mark has a line of its own."""

WORDS, WORDS_END = "\x11\n", "\x12\n"
"""Before and after what a player wrote."""

BOARD, BOARD_END = "\x13\n", "\x14\n"
"""Before and after the picture of a board, and what stands beside it."""

HEADING, HEADING_END = "\x15\n", "\x16\n"
"""Before and after the heading of what follows."""

TABLE, TABLE_END = "\x17\n", "\x18\n"
"""Before and after a table (`pbm.render.rows`)."""

ROW, CELL, MINOR = "\x19", "\x1a", "\x1b"
"""Before a row of a table, before a cell, and before the name of a column that is minor."""

_CELLS: Final = dict.fromkeys(map(ord, (ROW, CELL, MINOR)))
_COMMAND = re.compile("\x04[^\x03]*+")
_SIGNATURE = "-- "
_LINES = (
    *(SHAPE, SHAPE_END, WORDS, WORDS_END, BOARD, BOARD_END, HEADING, HEADING_END),
    *(TABLE, TABLE_END),
)

BEGINS: Final = "".join(mark.strip() for mark in _LINES[::2])
OVER: Final = "".join(mark.strip() for mark in _LINES[1::2])
"""The marks that stand in a line of their own, before lines of a kind and after them."""

KEPT: Final = re.compile(f"([{BEGINS}]\n)([^{OVER}]*+)(?:[{OVER}]\n?|\\Z)")
"""Lines of a kind: the mark before them, and the lines up to the mark after them.

A mark begins a line in any case, and to look for the beginnings of lines takes four times as long.
"""


def plain(marked: str) -> str:
    """Return the text without marks."""
    for mark in _LINES:
        if mark[0] in marked:  # to look for one character is quicker than for two
            marked = marked.replace(mark, "")
    if SENDS in marked:
        marked = _COMMAND.sub("", marked)
    if ROW in marked:
        marked = marked.translate(_CELLS)
    return marked.replace(LINK, "").replace(LINK_END, "")


def flowed(marked: str) -> str:
    """Return the text without marks as format=flowed (RFC 3676), so that phones wrap its prose.

    A line of prose that goes on in the next one ends in a space: the same lines that are one
    paragraph in HTML. A space is put before what could be taken for something else (section 4.4).
    """
    soft: list[str] = []
    end = 0
    for kept in KEPT.finditer(marked):
        soft += (_prose(marked[end : kept.start()]), _without_ends(kept[2]))
        end = kept.end()
    text = "\n" + plain("".join((*soft, _prose(marked[end:]))))
    for begin in _STUFFED:
        text = text.replace(f"\n{begin}", f"\n {begin}")
    return text[1:]


_STUFFED: Final = (" ", ">", "From ")


def _prose(text: str) -> str:
    """Return `text`, between lines of a kind, with a space where a line goes on in the next.

    What is blank or indented goes on in no other.
    """
    done: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        ended = line if line == _SIGNATURE else line.rstrip(" ")  # else it would flow
        is_prose = ended != "" and ended[0] != " " and ended != _SIGNATURE
        if is_prose and goes_on:
            done[-1] += " "
        done.append(ended)
        goes_on = is_prose
    return "\n".join(done)


def _without_ends(kept: str) -> str:
    """Return lines without the spaces at their ends, which hardly any of ours has."""
    if " \n" not in kept:
        return kept
    return "\n".join(line if line == _SIGNATURE else line.rstrip(" ") for line in kept.split("\n"))


def link(text: str, command: str = "") -> str:
    """Return `text`, marked as a link that sends it, or that sends `command`."""
    sends = f"{SENDS}{command}" if command else ""
    return f"{LINK}{text}{sends}{LINK_END}"


def shape(text: str) -> str:
    """Return lines that keep their columns, without a line end behind them."""
    return _around(SHAPE, text, SHAPE_END)


def heading(text: str) -> str:
    """Return the heading of what follows, without a line end behind it."""
    return _around(HEADING, text, HEADING_END)


def table(text: str) -> str:
    """Return the rows of a table, without a line end behind it."""
    return _around(TABLE, text, TABLE_END)


def words(text: str) -> str:
    """Return what a player wrote, without a line end behind it."""
    return _around(WORDS, text, WORDS_END)


def board(text: str) -> str:
    """Return the picture of a board, without a line end behind it."""
    return _around(BOARD, text, BOARD_END)


def _around(begin: str, text: str, end: str) -> str:
    stripped = text.rstrip("\n")
    return f"{begin}{stripped}\n{end.strip()}" if stripped else ""
