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

_ENDS: Final = dict.fromkeys(map(ord, "\x02\x03"))
_COMMAND = re.compile("\x04[^\x03]*+")
_LINES = (SHAPE, SHAPE_END, WORDS, WORDS_END, BOARD, BOARD_END, HEADING, HEADING_END)


def plain(marked: str) -> str:
    """Return the text without marks."""
    for mark in _LINES:
        marked = marked.replace(mark, "")
    return _COMMAND.sub("", marked).translate(_ENDS)


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


def words(text: str) -> str:
    """Return what a player wrote, without a line end behind it."""
    return _around(WORDS, text, WORDS_END)


def board(text: str) -> str:
    """Return the picture of a board, without a line end behind it."""
    return _around(BOARD, text, BOARD_END)


def _around(begin: str, text: str, end: str) -> str:
    stripped = text.rstrip("\n")
    return f"{begin}{stripped}\n{end.strip()}" if stripped else ""
