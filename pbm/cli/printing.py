"""Print for the operator: harmless text, JSON, tables, bars, errors, and masked mails."""

import codecs
import json
import logging
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

import click

from pbm.errors import PlainError

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls (C0, C1, DEL), formats (bidi, zero width), lone surrogates, separators of lines."""


_escaped = codecs.getencoder("unicode_escape")
"""Looked up now, because it is a module: the log must work when no file can be opened."""


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


_GAP = "  "

_LEAST = 8
"""The least width of a column; less of a value is useless."""


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
    # A terminal with only ASCII cannot print the one letter.
    utf = (sys.stdout.encoding or "").lower().startswith("utf")
    end = "\N{HORIZONTAL ELLIPSIS}" if utf else "..."
    return cell[: width - len(end)] + end


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print `text`, harmless to the terminal; commands print in no other way."""
    click.echo(printable(str(text)), err=err, nl=nl)


def echo_json(value: Any) -> None:
    """Print `value` as JSON, with times in ISO 8601."""
    echo(as_json(value))


def echo_table(header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """Print rows under a header; on a terminal, cells that are too wide are cut."""
    texts = [header, *(tuple(map(_cell, row)) for row in rows)]
    most = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in table_lines(texts, most):
        echo(line)


def fields_of(row: Any) -> dict[str, Any]:
    """Return the fields of a slotted value by their names."""
    return {name: getattr(row, name) for name in row.__slots__}


def echo_rows(
    rows: Iterable[Any],
    header: tuple[str, ...],
    cells: Callable[[Any], tuple[Any, ...]],
    *,
    as_json: bool,
    facts: Callable[[Any], Mapping[str, Any]] = fields_of,
) -> None:
    """Print the `facts` of each row as JSON, or its `cells` in a table."""
    if as_json:
        echo_json(list(map(facts, rows)))
    else:
        echo_table(header, [cells(row) for row in rows])


def echo_facts(facts: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print `facts` as JSON, or else these lines about them."""
    if as_json:
        echo_json(facts)
    else:
        for line in lines:
            echo(line)


def _cell(value: object) -> str:
    """Return the text of a cell, in which a line break must not begin a row."""
    return "" if value is None else printable(str(value), kept="")


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes how many more of `length` steps are done.

    The bar is on standard error, and only on a terminal.
    """
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, hidden=hidden) as bar:
        yield bar.update


def as_one_line(error: Exception) -> str | None:
    """Return the line to print for `error`, or None for a bug, which needs its traceback."""
    if not isinstance(error, PlainError | OSError):
        return None
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


HIDDEN = "***"
"""The text in place of a hidden word; its length does not reveal that of the word."""

_SHOWN = frozenset(
    [
        "arc-seal",
        "auto-submitted",
        "authentication-results",
        "cc",
        "content-transfer-encoding",
        "content-type",
        "date",
        "delivered-to",
        "from",
        "in-reply-to",
        "list-id",
        "message-id",
        "mime-version",
        "precedence",
        "received",
        "references",
        "reply-to",
        "return-path",
        "to",
        "user-agent",
        "x-mailer",
        "x-original-to",
        "x-pbm-loop",
    ]
)
"""Headers whose values are shown. No others: Outlook repeats the subject in Thread-Topic."""

_FIELD = re.compile(r"([!-9;-~]++)[ \t]*+:")

_WORD = re.compile(r"\S++")

_ADDRESS_WORD = re.compile(r"[^\s<>\"',;:@]++")


def mask(text: str) -> str:
    """Return a raw mail with its secrets made unreadable, line by line.

    The names of all headers stay, and the values of those about the mail's origin, except what
    follows "+" in an address, which is a token. Every word of the other headers, including the
    subject, and of the text is replaced by `HIDDEN`.
    """
    head, blank, body = _halves(text.replace("\r\n", "\n"))
    shown, lines = False, []
    for line in head.split("\n"):
        field = _FIELD.match(line)
        name_end = field.end() if field else 0
        if not line.startswith((" ", "\t")):
            shown = field is not None and field[1].lower() in _SHOWN
        # Some programs end lines with a lone CR, so this line may include another header.
        masked = _without_tokens if shown and "\r" not in line else _hidden
        lines.append(line[:name_end] + masked(line[name_end:]))
    return "\n".join(lines) + blank + _hidden(body)


def _halves(text: str) -> tuple[str, str, str]:
    """Return the headers, the blank line, and the rest; a mail may be all body."""
    return ("", "\n", text[1:]) if text.startswith("\n") else text.partition("\n\n")


def _hidden(text: str) -> str:
    return _WORD.sub(HIDDEN, text)


def _without_tokens(value: str) -> str:
    return _ADDRESS_WORD.sub(_without_token, value)


def _without_token(word: re.Match[str]) -> str:
    """Return the word, hidden after its "+"; one that begins with "+" is a time zone (+0200)."""
    name, plus, _ = word[0].partition("+")
    return f"{name}+{HIDDEN}" if name and plus else word[0]


class Noun(click.Group):
    """A group of commands about one thing, whose list shows whole sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the code, without those that are hidden."""
        del ctx
        return [name for name, command in self.commands.items() if not command.hidden]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with the first paragraph of its page; click would cut it."""
        told = {name: self.commands[name].help or "" for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            rows = [(name, " ".join(text.split("\n\n")[0].split())) for name, text in told.items()]
            formatter.write_dl(rows)


def hidden(command: click.Command) -> click.Command:
    """Return the same command for a place where it still works and no page lists it."""
    other = copy(command)
    other.hidden = True
    return other
