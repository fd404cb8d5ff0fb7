"""The lines and the subject that a sender wrote.

Everything that mail clients and gateways put around them is cut off. Each line is looked at a
fixed number of times, by comparisons from its beginning or its end. The popular packages for this
search with nested repeats and hang on 60 KB of "On On On" (measured).
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import unquote

from pbm.mail.reading.decoding import clean
from pbm.mail.reading.introductions import (
    head,
    is_rule,
    lines_above_head,
    lines_above_quote,
    own_header,
    own_quote,
)
from pbm.mail.reading.phrases import ANSWERED, BANNERS, DISCLAIMERS, SIGNATURES, WARNED
from pbm.mail.reading.quotes import (
    OurMails,
    below_our_mail,
    folded,
    is_bar,
    is_quoted,
    next_text,
    quoted_lines,
)

_CUT = "\f"
"""The mark of a quote that was cut out; a cleaned text has no control characters."""

_SIGNATURE_BELOW = frozenset({"--", "-- "})
"""Lines that end the text, because a signature follows."""


def own_lines(text: str, address: str) -> tuple[str, ...]:
    r"""Return the lines that the sender wrote, without blank ones at the beginning and end.

    Lines that are marked as quoted are dropped wherever they are, with their introductions; text
    below them is kept. The text ends at a signature ("-- "), or at a quote that is not marked
    line by line, because the writer of a line below it is unknown. If there is nothing above
    such a quote of a mail of ours, the text below its footer is read. Banners, disclaimers and the
    signatures of phones are dropped as well. `address` is the server's; by it a quote of its mails
    is recognised. `text` is clean, with "\n" between its lines.
    """
    ours = OurMails.of(address)
    written = _without_banners(_without_armour(text.split("\n")))
    begin = _text_at(written, 0)
    own = own_header(written, begin, ours)
    lines = _with_marks(written[begin + own :] if own else written)
    kept = _without_quotes(lines, ours) or _without_quotes(below_our_mail(lines), ours)
    kept = _without_disclaimer(_without_signatures(kept))
    done: list[str] = []
    for line in kept:
        # One blank line is enough where a quote between two of them was cut out.
        if line != _CUT and (line or (done and done[-1])):
            done.append(line)
    whole = done if not done or done[-1] else done[:-1]
    return tuple(piece for line in whole for piece in unescaped(line).split("\n"))


_ESCAPED = re.compile(r"(?!\S*?://)[^\s%]*+(?:%[0-9A-Fa-f]{2}[^\s%]*+)++")


def unescaped(line: str) -> str:
    """Return the text of a link that a client has not decoded, such as "help%20gonnect"."""
    if "%" not in line or not _ESCAPED.fullmatch(line):
        return line
    return clean(unquote(line)).strip()


_SIGNED, _SIGNATURE, _END = (
    f"-----{words}-----"
    for words in ("BEGIN PGP SIGNED MESSAGE", "BEGIN PGP SIGNATURE", "END PGP SIGNATURE")
)


def _without_armour(lines: list[str]) -> list[str]:
    """Return the lines without what OpenPGP puts around a text that it signs (RFC 9580, 7)."""
    if _SIGNED not in lines:
        return lines
    begin = lines.index(_SIGNED)
    end = lines.index(_SIGNATURE, begin) if _SIGNATURE in lines[begin:] else len(lines)
    text = lines.index("", begin, end) if "" in lines[begin:end] else end
    below = lines.index(_END, end) + 1 if _END in lines[end:] else len(lines)
    signed = (line.removeprefix("- ") for line in lines[text:end])
    return [*lines[:begin], *signed, *lines[below:]]


_NARROW = 30
"""Characters of the shortest lines that a host breaks a mail into."""


def _with_marks(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines with a mark before each piece of a quoted line that was broken up.

    A host that breaks lines leaves the further pieces without a mark. The pieces of one quote are
    two or more, and none of them begins with a word that had room in the line above it.
    """
    quoted = [line.startswith("> ") or is_quoted(line) for line in lines]
    ends = (n for n in range(1, len(lines)) if quoted[n - 1] and not quoted[n])
    if not any(lines[n].strip() for n in ends):
        return lines
    width = max((len(line) for line, mark in zip(lines, quoted, strict=True) if mark), default=0)
    pieces: list[int] = []
    for n, (above, line) in enumerate(pairwise(lines), 1):
        goes_on = quoted[n - 1] or pieces[-1:] == [n - 1]
        if goes_on and not quoted[n] and line.strip():
            if len(above) + len(line.split()[0]) < width:
                return lines
            pieces.append(n)
    if len(pieces) < 2 or width < _NARROW:
        return lines
    broken = frozenset(pieces)
    return [f"> {line}" if n in broken else line for n, line in enumerate(lines)]


def _without_quotes(lines: Sequence[str], ours: OurMails) -> list[str]:
    """Return the lines that are not quoted, with marks where lines were cut out."""
    kept: list[str] = []
    at = settled = 0
    introduced = _first_introduction(lines, ours)
    while at < len(lines):
        line = lines[at]
        count = 1
        if not line.strip():
            kept += [""] if kept and kept[-1] else []
        elif is_quoted(line):
            own = own_quote(kept, lines, at, ours) if at < introduced else 0
            kept += lines[at : at + own]
            settled = len(kept) if own else _cut_above_quote(kept, ours, settled)
            count = own or (quoted_lines(lines, at) if len(kept) == settled else 1)
        elif line in _SIGNATURE_BELOW:
            break
        elif begun := head(lines, at, ours):
            if not kept and is_rule(line) and begun == 1:
                pass  # Nothing is above this line that it could set apart.
            elif is_quoted(next_text(lines, at + begun)):
                _cut(kept, lines_above_head(kept, line, ours))
                count, settled = begun, 0
            else:
                del kept[len(kept) - lines_above_head(kept, line, ours) :]
                break
        else:
            kept.append(line.rstrip())
        at += count
    return kept


def _first_introduction(lines: Sequence[str], ours: OurMails) -> int:
    """Return the index of the first line that introduces a quote of our mail, or 0."""
    named = (n for n, line in enumerate(lines) if "@" in line and not is_quoted(line))
    return next((n for n in named if ours.introduces(lines, n)), 0)


def _cut_above_quote(kept: list[str], ours: OurMails, settled: int) -> int:
    """Drop the introduction of a quoted line; return the length of `kept` if there was none.

    This length is `settled`. While it stays the same, further quoted lines change nothing, and
    most quotes have many.
    """
    if len(kept) == settled:
        return settled
    introduction = lines_above_quote(kept, ours)
    _cut(kept, introduction)
    return 0 if introduction else len(kept)


def _cut(kept: list[str], count: int) -> None:
    """Drop the last `count` lines and leave a mark in their place."""
    del kept[len(kept) - count :]
    if kept and kept[-1] != _CUT:
        kept.append(_CUT)


# The lines that phones, apps and services put under a text.

_LONGEST_SIGNATURE = 100

_BEGINNINGS = tuple(begin for begin, _ in SIGNATURES if begin)

_CAPITALIZED = tuple(begin.capitalize() for begin in _BEGINNINGS if len(begin) > 5)

_SHORTEST = min(map(len, _CAPITALIZED))
"""The length of the shortest of these: most lines of moves have no room for one behind a word."""

_ENDINGS = tuple(end for begin, end in SIGNATURES if not begin)
"""These and `_BEGINNINGS` rule most lines out at once."""

_LINK = re.compile(r"[\[(<]*(?:https?://|www\.)\S{1,300}\s*+")

_LINK_BEHIND = re.compile(r"\s*[\[(<]{1,2}\s?(?:https?://|#)[^\s<>]{1,300}+.{0,3}\Z")


def _without_signatures(kept: list[str]) -> list[str]:
    """Return the lines without signatures.

    A signature is a paragraph of its own, with a link or without, or the last line above a cut
    or the end.
    """
    done: list[str] = []
    paragraph: list[str] = []
    for line, below in pairwise((*kept, _CUT, _CUT)):
        if line and line != _CUT:
            paragraph.append(line)
            continue
        if paragraph:
            done += _without(paragraph, at_end=_CUT in (line, below))
            paragraph = []
        done.append(line)
    return done[:-1]


def _without(paragraph: list[str], *, at_end: bool) -> list[str]:
    if at_end:
        paragraph[-1] = _without_joined(paragraph[-1])
    if not _is_signature_or_link(paragraph[-1]):
        return paragraph
    if all(map(_is_signature_or_link, paragraph)) and any(map(_is_signature, paragraph)):
        return []
    end = len(paragraph)
    while at_end and end and _is_signature(paragraph[end - 1]):
        end -= 1
    return paragraph[:end]


def _without_joined(line: str) -> str:
    """Return the line without a signature right behind its last word: "Hello!Sent from my X"."""
    if len(line) <= _SHORTEST:
        return line
    begin = max((line.rfind(begin) for begin in _CAPITALIZED), default=0)
    joined = begin > 0 and not line[begin - 1].isspace() and _is_signature(line[begin:])
    return line[:begin] if joined else line


def _is_signature_or_link(line: str) -> bool:
    return _is_link(line) or _is_signature(line)


def _is_link(line: str) -> bool:
    """Return whether the line is a web address and nothing else."""
    return bool(_LINK.fullmatch(line.strip()))


def _is_signature(line: str) -> bool:
    """Return whether the line is "Sent from my (phone)" in any of the languages."""
    words = _LINK_BEHIND.sub("", folded(line)).rstrip(".").replace("[", "")
    if len(words) > _LONGEST_SIGNATURE or not (
        words.startswith(_BEGINNINGS) or words.endswith(_ENDINGS)
    ):
        return False
    return any(words.startswith(begin) and words.endswith(end) for begin, end in SIGNATURES)


# What gateways and virus scanners put around a text: banners above it, disclaimers below.

_BANNERS = 4
"""The most banners above a text."""

_BEGINNING = 200
"""Characters at the beginning of a line in which a phrase is looked for."""

_FULL = range(60, 90)
"""The lengths of a line that a gateway has broken: its sentence goes on in the next one."""

_FRAME = "*[](){}<>-_=!:# \u26a0\ufe0f"

_TAG = re.compile(r"[\[({*<]{1,8}\s?([^\[\](){}*<>]{2,30}?)\s?[\])}*>]{1,8}:?")


def _without_banners(lines: list[str]) -> list[str]:
    """Return the lines without the banners above the text, and the bars around them."""
    at = 0
    for _ in range(_BANNERS):
        begin = _text_at(lines, at)
        end = _end_of_banner(lines, begin)
        if end == begin:
            break
        at = end
    return lines[_text_at(lines, at) if at else 0 :]


def _text_at(lines: list[str], at: int) -> int:
    """Return the index of the first line from `at` on that is neither blank nor a bar."""
    while at < len(lines) and (not lines[at].strip() or is_bar(lines[at])):
        at += 1
    return at


def _end_of_banner(lines: list[str], at: int) -> int:
    """Return the index behind the banner that begins at `at`, or `at` if none does."""
    if at == len(lines):
        return at
    first = folded(lines[at][:_BEGINNING])
    tag = _TAG.fullmatch(first)
    if tag and tag[1] in WARNED:
        return at + 1
    if not first.lstrip(_FRAME).startswith(BANNERS):
        return at
    at += 1
    while at < len(lines) and lines[at].strip() and _goes_on(lines[at - 1]):
        at += 1
    return at


def _goes_on(line: str) -> bool:
    return len(line) in _FULL and not line.rstrip().endswith((".", "!", "?", "]"))


def _without_disclaimer(kept: list[str]) -> list[str]:
    """Return the lines above the paragraph that is about the mail; the first line is kept."""
    end = 1
    while end < len(kept) and not (kept[end].strip() and _begins_disclaimer(kept, end)):
        end += 1
    while 1 < end < len(kept) and _is_no_text(kept[end - 1]):
        end -= 1
    return kept[:end]


def _begins_disclaimer(kept: list[str], n: int) -> bool:
    begin = folded(kept[n][:_BEGINNING]).lstrip(_FRAME)
    return _is_no_text(kept[n - 1]) and begin.startswith(DISCLAIMERS)


def _is_no_text(line: str) -> bool:
    """Return whether the line is blank, the mark of a cut, a bar, or a link."""
    return not line.strip() or is_bar(line) or _is_link(line)


# What clients and gateways put before a subject.


def _one_of(phrases: tuple[str, ...]) -> str:
    """Return an expression for any of the phrases."""
    return "|".join(sorted(map(re.escape, phrases), reverse=True))


_COUNT = r"(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})"

# A tag names no number, so that "[Gonnect 104]" is never one; a spam filter may add its score.
_PREFIX = re.compile(
    rf"\s*+(?:(?:{_one_of((*ANSWERED, *WARNED))})\s?{_COUNT}?\s?[:\uff1a]"
    rf"|\[(?:{_one_of(WARNED)})(?:[ :]{{1,2}}\d{{1,3}}\.\d{{1,2}})?\]:?"
    rf"|\{{(?:{_one_of(WARNED)})\}}:?"
    rf"|\*{{1,8}}\s?(?:{_one_of(WARNED)})\s?\*{{1,8}}:?)",
    re.IGNORECASE,
)


def without_prefixes(subject: str) -> str:
    """Return `subject` without any leading "Re:", "AW:", "[EXT]", "***SPAM***" and the like.

    Prefixes in all languages of phrases.toml are removed, in any number and order. Our own "[GAME
    NUMBER]" stays, because only the tags in phrases.toml are removed.
    """
    at = 0
    while prefix := _PREFIX.match(subject, at):
        at = prefix.end()
    return subject[at:].strip()
