"""Text as a terminal and a log may have it: nothing in it moves a cursor or hides other text."""

import codecs
import json
import logging
import unicodedata
from typing import Any

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls (C0, C1, DEL), formats (bidi, zero width), lone surrogates, separators of lines."""


_escaped = codecs.getencoder("unicode_escape")
"""Looked up now: it is a module, and the log must be able to say that no file can be opened."""


def printable(text: str, kept: str = "\n\t") -> str:
    r"""Return `text` with every harmful character written as its number, such as \x1b.

    Those in `kept` stay.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter in kept else _shown(letter) for letter in text)


def _shown(letter: str) -> str:
    if unicodedata.category(letter) not in _HARMFUL:
        return letter
    return _escaped(letter)[0].decode("ascii")


def as_json(value: Any, indent: int | None = 2) -> str:
    """Return `value` as JSON in printable ASCII, with times in ISO 8601."""
    # To JSON, DEL is a letter like any other.
    return json.dumps(value, indent=indent, default=str).replace("\x7f", "\\u007f")


class PrintableFormatter(logging.Formatter):
    """Formats a record as one printable line, followed by its traceback if it has one."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line; a line break in it is shown, so no text can pass for a record."""
        return printable(super().formatMessage(record), kept="\t")

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Return the traceback in its lines."""
        return printable(super().formatException(ei))
