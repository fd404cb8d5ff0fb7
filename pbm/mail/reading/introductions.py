"""The lines above a quote: an introduction, a header block, a line between dashes.

A *head* shows by itself that a quote begins. Above lines that are marked with ">" the shape of a
paragraph is enough.
"""

import re
from collections.abc import Sequence

from pbm.mail.reading.phrases import (
    DATE_LABELS,
    FROM_LABELS,
    LABELS,
    OPENINGS,
    SEPARATORS,
    SUBJECT_LABELS,
    TO_LABELS,
    VERBS,
)
from pbm.mail.reading.quotes import (
    COLONS,
    DATE,
    LONGEST,
    OurMails,
    divides,
    folded,
    is_bar,
    is_quoted,
    quoted_lines,
)

_LINES = 3
"""Lines of the longest introduction, with a name, an address and a date."""

_HEADER_LINES = 4
"""Lines of a quoted header within which the date follows the sender."""

_HEAD_LINES = 14
"""Lines of the longest header block, including blank ones."""

_RULE = 10
"""Underscores of the shortest line that Outlook draws above a quote."""

_FOLLOWING_LABELS = {
    **dict.fromkeys(DATE_LABELS, FROM_LABELS),
    **dict.fromkeys(FROM_LABELS, DATE_LABELS | SUBJECT_LABELS),
}

_LABELLED = re.compile(r"\W{0,3}[^\W\d][^:\uff1a@<>\d]{0,25}[:\uff1a](?:\s|\Z)")

_DASHED = re.compile(r"[-_=*~\u2013\u2014]{2,}+[^-_=*~\u2013\u2014]{1,60}+[-_=*~\u2013\u2014]{2,}+")

_JOINED = re.compile(
    r"[-\u2013\u2014]{2,}+ ?+([^-\u2013\u2014]{1,60}?) ?[-\u2013\u2014]{2,}+(?=\w)"
)
"""A separator with a label on its line, as phones of Samsung write it."""

_MAY_BE_HEAD = re.compile(
    r"[:\uff1a@<_=\u2013\u2014]|--| - |>>>|Reply with|invites you,|\(move \d|\A[ *]{0,20}\d{1,2} "
)
"""Signs of a head that most lines of prose lack; to look for them only saves time."""

_BROKEN = re.compile(r"\s*+(?:\d{1,9} )?[(<]")
"""A line that begins with an address, or with the number before one: the name is above it."""

_NUMBER = re.compile(r"(?<!\w)\d{1,2}(?!\w)")


def head(lines: Sequence[str], at: int, ours: OurMails) -> int:
    """Return the number of lines in the head of a quote that begins at `at`, or 0."""
    line = lines[at][:LONGEST]
    if not (_MAY_BE_HEAD.search(line) or folded(line).startswith(OPENINGS)):
        return 0
    count = _introduction(lines, at)
    if count:
        return count + _rest(lines, at + count)
    if not (_is_head(lines, at) or ours.begins_quote(lines, at)):
        return 0
    end = _end_of_header(lines, at + 1)
    return end - at if end > at + 1 else 1 + _rest(lines, at + 1)


def _is_head(lines: Sequence[str], at: int) -> bool:
    """Return whether the line at `at` shows that a quote of anybody begins."""
    return (
        _is_separator(lines[at])
        or is_rule(lines[at])
        or divides(lines[at])
        or _is_header(lines, at)
        or _introduces_on_its_line(lines[at])
    )


def _rest(lines: Sequence[str], at: int) -> int:
    """Return the number of lines from `at` on that belong to the introduction above them.

    They end in a colon. The introduction above may end in one too, because clients break a name
    such as "Gonnect 104: your move" behind its colon.
    """
    for count in range(1, _LINES):
        line = folded(lines[at + count - 1]) if at + count <= len(lines) else ""
        if not line or is_quoted(line):
            break
        if line.endswith(COLONS):
            return count
    return 0


def is_rule(line: str) -> bool:
    """Return whether this is the line that Outlook draws above a quote."""
    return len(line) >= _RULE and not line.strip("_ ")


def _end_of_header(lines: Sequence[str], at: int) -> int:
    """Return the index behind the header block or the introduction that goes on at `at`."""
    end = at
    for n in range(at, min(at + _HEAD_LINES, len(lines))):
        if not lines[n].strip():
            continue
        count = _introduction(lines, n)
        if count:
            return n + count
        if _label(lines[n]) not in LABELS and not is_bar(lines[n]):
            break
        end = n + 1
    return end


def _introduction(lines: Sequence[str], at: int) -> int:
    """Return the number of lines in the introduction of a quote that begins at `at`, or 0."""
    first = folded(lines[at])
    if first.endswith(COLONS):
        return int(_introduces(first))
    if not (first.startswith(OPENINGS) or first.endswith("<") or ("@" in first and _says(first))):
        return 0
    whole = first
    for count in range(2, min(_LINES, len(lines) - at) + 1):
        more = folded(lines[at + count - 1])
        if not more or more.startswith((*OPENINGS, ">")) or _introduces(more):
            return 0
        whole = f"{whole} {more}"
        if more.endswith(COLONS):
            return count if _introduces(whole) else 0
    return 0


def _introduces(line: str) -> bool:
    """True for "On (date), (name) wrote:" and, with the address, "(name) wrote on (date):"."""
    return (
        line.endswith(COLONS)
        and len(line) <= LONGEST
        and any(map(str.isdigit, line))
        and (line.startswith(OPENINGS) or "@" in line or len(DATE.findall(line)) > 1)
        and _says(line)
    )


def _says(line: str) -> bool:
    return any(map(line.__contains__, VERBS))


def _introduces_on_its_line(line: str) -> bool:
    """True for "On (date), (name) (address) wrote: (quote)", as Yahoo writes it on phones."""
    begin = folded(line[:LONGEST])
    return (
        begin.startswith(OPENINGS)
        and "@" in begin
        and any(f"{verb}:" in begin for verb in VERBS)
        and not begin.endswith(COLONS)
    )


def _is_separator(line: str) -> bool:
    """True for "-----Original Message-----", whatever follows, and "Begin forwarded message:"."""
    words = folded(line[:LONGEST])
    joined = _JOINED.match(words)
    bare = joined[1] if joined else words.strip("-\u2013\u2014 :")
    return bare != words and bare in SEPARATORS


def _is_header(lines: Sequence[str], at: int) -> bool:
    """True for a "From:" with a "Sent:", "Date:" or "Subject:" below it, or the other way round."""
    awaited = _FOLLOWING_LABELS.get(_label(lines[at]))
    below = lines[at + 1 : at + _HEADER_LINES]
    return awaited is not None and any(_label(line) in awaited for line in below)


def _label(line: str) -> str:
    """Return the text before the colon; Gmail writes "*From:*" for bold text."""
    label, colon, _ = line[:40].replace("\uff1a", ":").partition(":")
    return label.replace("*", "").replace(" ", "").lower() if colon else ""


def own_header(lines: Sequence[str], at: int, ours: OurMails) -> int:
    """Return the number of lines at `at` that repeat the header of a mail to us, or 0."""
    end = at + head(lines, at, ours) if at < len(lines) else at
    naming_us = {_label(line) for line in lines[at:end] if ours.address.search(folded(line))}
    return end - at if naming_us & TO_LABELS and not naming_us & FROM_LABELS else 0


def lines_above_head(kept: Sequence[str], head: str, ours: OurMails) -> int:
    """Return the number of last lines of `kept` that belong to the head of a quote below."""
    begin = len(kept)
    if _LABELLED.match(head[:LONGEST]):
        while begin > max(1, len(kept) - 5) and _LABELLED.match(kept[begin - 1][:LONGEST]):
            begin -= 1
    elif "@" in head or ours.names_us(head):
        begin = _beginning(kept, head, ours)
    return len(kept) - _above_line_drawn(kept, begin)


def lines_above_quote(kept: Sequence[str], ours: OurMails) -> int:
    """Return the number of last lines of `kept` that introduce the marked lines below them.

    They end in a colon or name the person quoted, by address or as the name of a board. The first
    line of the text must say clearly that it introduces something.
    """
    end = len(kept)
    while end and len(kept) - end < 3 and not kept[end - 1].strip():
        end -= 1
    below = kept[end:]
    if below[:1] == [""] and any(below):
        return 0  # The introduction was cut out below this blank line; its mark is there.
    last = kept[end - 1] if end else ""
    named = "@" in last or (_dated(last) and (ours.names_us(last) or _opens_and_says(last)))
    if not last.strip() or not (folded(last).endswith(COLONS) or named):
        return 0
    begin = _beginning(kept[:end][-_LINES:-1], last, ours) + max(0, end - _LINES)
    if begin == 0 and not _is_clear(" ".join(kept[:end]), ours):
        return 0
    return len(kept) - _above_line_drawn(kept, begin)


def own_quote(kept: Sequence[str], lines: Sequence[str], at: int, ours: OurMails) -> int:
    """Return the number of quoted lines from `at` on that belong to the text above them, or 0.

    The introduction of our mail is further down. These lines have the usual mark and no sign of our
    mail, and nothing above them names somebody who is quoted, or a date.
    """
    above = next(filter(None, reversed(kept)), "")
    if not above.strip() or not lines[at].startswith("> "):
        return 0  # Nothing is above it, or an introduction that was cut out.
    count = quoted_lines(lines, at)
    said = " ".join(kept[len(kept) - lines_above_quote(kept, ours) :])
    bare = [line.lstrip("> ") for line in lines[at : at + count]]
    named = _dated(said) or _is_clear(said, ours)
    ends_it = named or any(ours.begins_quote(bare, n) for n in range(count))
    return 0 if ends_it else count


def _beginning(above: Sequence[str], last: str, ours: OurMails) -> int:
    """Return the index in `above` at which the introduction that ends with `last` begins.

    A date or name that `last` lacks is looked for in the two lines above it. The first line of
    the text is taken only if it has a date or names us.
    """
    size = len(above)
    broken = bool(_BROKEN.match(last))
    complete = not broken and _dated(last) and _is_clear(last, ours)
    begin = size
    for n in range(size - 1, max(size - _LINES, -1), -1):
        line = above[n][:LONGEST].rstrip()
        in_name = line.endswith(" -")
        if not line or is_quoted(line) or (complete and not in_name):
            break
        is_part = broken or in_name or bool(_NUMBER.search(line))
        if _dated(line) or ours.names_us(line) or (n and is_part):
            begin = n
    return begin


def _above_line_drawn(kept: Sequence[str], begin: int) -> int:
    """Return the index of a line drawn above `begin`, such as "---- Message ----", or `begin`."""
    end = begin
    while end > 1 and begin - end < 3 and not kept[end - 1].strip():
        end -= 1
    if end < 2:
        return begin  # The first line of the text is never one.
    above = kept[end - 1][:LONGEST].strip()
    drawn = is_bar(above) or bool(_DASHED.fullmatch(above)) or above.lower() in SEPARATORS
    return end - 1 if drawn else begin


def _opens_and_says(line: str) -> bool:
    return folded(line).startswith(OPENINGS) and _says(folded(line))


def _dated(line: str) -> bool:
    return bool(DATE.search(line[:LONGEST]))


def _is_clear(line: str, ours: OurMails) -> bool:
    """Return whether the line names the person quoted, or says that they wrote."""
    return "@" in line or ours.names_us(line) or _says(folded(line))
