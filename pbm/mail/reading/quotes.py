"""The marks at the beginning of a quoted line, and what a line looks like apart from its words."""

import re
from collections.abc import Sequence

LONGEST = 400
"""Characters of the longest line that is looked at as an introduction or a header."""

COLONS = (":", "\uff1a")

DATE = re.compile(
    r"\d{1,2}[:.h]\d\d|(?<!\d)\d{4}(?!\d)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d|(?<!\d)\d{6}(?!\d)"
)
"""A time of day, a year, or a date in numbers; digits of all scripts."""

# ">" of nearly all clients, its full-width form, bars, and the sender's initials: "GP> ".
_MARK = re.compile(r"\s*+(?:[>\uff1e\u2502]|\|(?:[\s|]|\Z)|[A-Za-z]{1,12}+>+(?:\s|\Z))")

_PLAIN_MARK = re.compile(">(?!>>)")
"""How nearly all clients mark a line."""

_BAR = re.compile(r"\s*+[-_=*~\u2013\u2014]{3,}+\s*+")


def is_quoted(line: str) -> bool:
    """Return whether the line is marked as quoted."""
    if not _MARK.match(line):
        return False
    return bool(_PLAIN_MARK.match(line)) or not (divides(line) or _is_row(line))


def quoted_lines(lines: Sequence[str], at: int) -> int:
    """Return how many lines from the quoted one at `at` on are quoted, at a glance."""
    end = at + 1
    while end < len(lines) and _PLAIN_MARK.match(lines[end]):
        end += 1
    return end - at


def _is_row(line: str) -> bool:
    """Return whether this is a row of a table, such as "| a | b |"."""
    bare = line.strip()
    return len(bare) > 1 and bare.startswith("|") and bare.endswith("|")


def divides(line: str) -> bool:
    """Return whether this is the line that GroupWise puts above a quote: ">>> (name, date) >>>".

    It looks quoted, but what is below it has no marks.
    """
    return line.startswith(">>>") and len(line) > 8 and line.rstrip().endswith(" >>>")


def is_bar(line: str) -> bool:
    """Return whether the line is drawn: dashes, underscores, equals signs or asterisks alone."""
    return bool(_BAR.fullmatch(line))


def next_text(lines: Sequence[str], at: int) -> str:
    """Return the first line from `at` on that is not blank; clients leave at most two."""
    for line in lines[at : at + 3]:
        if line.strip():
            return line
    return ""


def folded(line: str) -> str:
    """Return the line in lower case with straight apostrophes; "" if it is too long for a head."""
    return line.strip().lower().replace("\u2019", "'") if len(line) <= LONGEST else ""
