"""What senders wrote themselves, without what their mail clients put around it.

Each line is looked at a fixed number of times, by comparisons from its beginning or its end.
The popular packages for this search with nested repeats and hang on 60 KB of "On On On"
(measured). The phrases are in `pbm.mail.reading.reply_phrases`.
"""

from collections.abc import Iterator, Sequence

from pbm.mail.reading import reply_phrases as phrases

_INTRODUCTION_LINES = 3
"""Lines over which clients break an introduction: it holds a name, an address and a date."""

_INTRODUCTION_LENGTH = 400

_HEADER_LINES = 4
"""Lines of a quoted header within which the date follows the sender."""

_RULE = 10
"""Underscores in a row that make up the line that Outlook draws above a quote."""

_SIGNATURE_LENGTH = 80

_OPENINGS = tuple(o for each in phrases.INTRODUCTIONS.values() for o in each.openings)

_VERBS = tuple(v for each in phrases.INTRODUCTIONS.values() for v in each.verbs)

_COLONS = (":", "\uff1a")

_FOLLOWING_LABELS = {
    **dict.fromkeys(phrases.DATE_LABELS, phrases.FROM_LABELS),
    **dict.fromkeys(phrases.FROM_LABELS, phrases.DATE_LABELS),
}

_SIGNATURES = phrases.MOBILE_SIGNATURES

_SIGNATURE_DELIMITERS = frozenset({"--", "-- "})


def own_lines(text: str) -> tuple[str, ...]:
    r"""Return the lines that the sender wrote, without blank ones at the beginning and end.

    Lines quoted with ">" are dropped wherever they are, with the line that introduces them;
    text below a quote is kept. The one-line signature of a phone is dropped too. The text ends
    at a signature ("-- "), or at a quote that is not marked line by line, because from there on
    nobody can tell who wrote a line. `text` is clean, with "\n" between its lines.
    """
    kept: list[str] = []
    for line in _without_quotes(text.split("\n")):
        # One blank line is enough where a quote between two of them was cut out.
        if line or (kept and kept[-1]):
            kept.append(line)
    return tuple(kept if not kept or kept[-1] else kept[:-1])


def _without_quotes(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        introduction = 0
        if not lines[at].strip():
            yield ""
        elif not _is_quoted(lines[at]):
            introduction = _introduction(lines, at)
            marked = introduction and _is_quoted(_next_text(lines, at + introduction))
            if _ends_all(lines, at) or (introduction and not marked):
                return
            if not introduction and not _is_mobile_signature(lines, at):
                yield lines[at].rstrip()
        at += introduction or 1


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(">")


def _next_text(lines: Sequence[str], at: int) -> str:
    """Return the first line from `at` on that is not blank; clients leave at most two."""
    return next((line for line in lines[at : at + 3] if line.strip()), "")


def _introduction(lines: Sequence[str], at: int) -> int:
    """Return how many lines the introduction of a quote that begins at `at` has, or 0."""
    first = _folded(lines[at])
    if first.endswith(_COLONS):
        quoted_next = _is_quoted(_next_text(lines, at + 1))
        return int(_introduces(first) or (quoted_next and _names_somebody(first)))
    if not (first.startswith(_OPENINGS) or first.endswith("<") or _has_verb_and_address(first)):
        return 0
    whole = first
    for count in range(2, min(_INTRODUCTION_LINES, len(lines) - at) + 1):
        more = _folded(lines[at + count - 1])
        if not more or more.startswith((*_OPENINGS, ">")) or _introduces(more):
            return 0
        whole = f"{whole} {more}"
        if more.endswith(_COLONS):
            return count if _introduces(whole) else 0
    return 0


def _introduces(line: str) -> bool:
    """True for "On (date), (name) wrote:" and, with the address, "(name) wrote on (date):"."""
    return (
        line.endswith(_COLONS)
        and len(line) <= _INTRODUCTION_LENGTH
        and any(c.isdigit() for c in line)
        and (line.startswith(_OPENINGS) or "@" in line)
        and any(verb in line for verb in _VERBS)
    )


def _has_verb_and_address(line: str) -> bool:
    return "@" in line and any(verb in line for verb in _VERBS)


def _names_somebody(line: str) -> bool:
    """True for a line that introduces a quote only if one follows at once."""
    return "@" in line or any(verb in line for verb in _VERBS)


def _ends_all(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    return (
        line in _SIGNATURE_DELIMITERS
        or _is_separator(line)
        or (len(line) >= _RULE and not line.strip("_ "))
        or _is_quoted_header(lines, at)
        or _introduces_on_its_line(line)
    )


def _introduces_on_its_line(line: str) -> bool:
    """True for "On (date), (name) (address) wrote: (quote)", as Yahoo writes it on phones."""
    folded = _folded(line[:_INTRODUCTION_LENGTH])
    return (
        folded.startswith(_OPENINGS)
        and "@" in folded
        and any(f"{verb}:" in folded for verb in _VERBS)
        and not folded.endswith(_COLONS)
    )


def _is_separator(line: str) -> bool:
    """True for "-----Original Message-----" and "Begin forwarded message:"."""
    words = _folded(line)
    bare = words.strip("-\u2013\u2014 :")
    return bare != words and bare in phrases.SEPARATORS


def _is_quoted_header(lines: Sequence[str], at: int) -> bool:
    """True for a "From:" with a "Sent:" or "Date:" below it, or the other way round."""
    awaited = _FOLLOWING_LABELS.get(_label(lines[at]))
    below = lines[at + 1 : at + _HEADER_LINES]
    return awaited is not None and any(_label(line) in awaited for line in below)


def _label(line: str) -> str:
    """Return the text before the colon; Gmail writes "*From:*" for bold text."""
    label, colon, _ = line[:40].replace("\uff1a", ":").partition(":")
    return label.replace("*", "").replace(" ", "").lower() if colon else ""


def _is_mobile_signature(lines: Sequence[str], at: int) -> bool:
    """True for "Sent from my (phone)" between blank lines, where a phone puts it."""
    folded = _folded(lines[at]).rstrip(".")
    begins = at == 0 or not lines[at - 1].strip()
    ends = at + 1 == len(lines) or not lines[at + 1].strip() or _ends_all(lines, at + 1)
    return (
        begins
        and ends
        and len(folded) <= _SIGNATURE_LENGTH
        and any(folded.startswith(begin) and folded.endswith(end) for begin, end in _SIGNATURES)
    )


def _folded(line: str) -> str:
    return line.strip().lower().replace("\u2019", "'")
