"""Laws and readings as tables of text, `input -> answer`, with one reader.

    # dates of the command language
    21 days            -> 2026-12-11
    3 weeks | alice    -> 2026-12-11
    tomorrow!          -> ! "tomorrow!" is not a date

A line that begins with `#` is a remark. Columns of the input are separated by ` | `. In columns and
answers `\\n`, `\\t` and other escapes of Python stand for their character. An answer that begins
with `! ` is an error and its sentence.

A file may hold several tables, each below a line `== title ==`. A table may also be a list, of
inputs that all get the same answer.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any


def answers(table: str, answer: Callable[..., Any], *errors: type[Exception]) -> str:
    """Return the table with the answer that each line gets; equal to the table if all are right.

    So a test is `assert answers(TABLE, read_date, NotUnderstood) == TABLE`, and its failure shows
    every wrong line beside the right one.
    """
    return "\n".join(_answered(line, answer, errors) for line in table.split("\n"))


def _answered(line: str, answer: Callable[..., Any], errors: tuple[type[Exception], ...]) -> str:
    if not line.strip() or line.lstrip().startswith("#"):
        return line
    # A row whose answer is empty may end in the arrow, as editors cut blanks off.
    given, arrow, expected = f"{line} ".partition("-> ")
    assert arrow, f"a row without an arrow: {line!r}"
    expected = expected.removesuffix(" ")
    columns = [_unescaped(column.strip()) for column in given.split(" | ")]
    try:
        found = str(answer(*columns))
    except errors as error:
        found = f"! {error}"
    # The line stays as it is written if its answer is right, escapes and all.
    return line if found == _unescaped(expected) else f"{given}-> {found}"


def sections(path: Path) -> dict[str, str]:
    """Return the tables of a file by their titles."""
    _, *parts = re.split(r"^== (.+) ==\n", path.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def rows(table: str) -> list[str]:
    """Return the lines of a list."""
    return [_unescaped(line) for line in table.splitlines() if line and not line.startswith("#")]


def _unescaped(text: str) -> str:
    return text.encode("latin-1", "backslashreplace").decode("unicode-escape")
