"""What gateways and virus scanners put around a text: banners above it, disclaimers below."""

import re

from pbm.mail.reading.phrases import BANNERS, DISCLAIMERS, WARNED
from pbm.mail.reading.quotes import folded, is_bar
from pbm.mail.reading.signatures import is_link

_BANNERS = 4
"""The most banners above a text."""

_BEGINNING = 200
"""Characters at the beginning of a line in which a phrase is looked for."""

_FULL = range(60, 90)
"""The length of a line that a gateway has broken: its sentence goes on in the next one."""

_FRAME = "*[](){}<>-_=!:# \u26a0\ufe0f"

_TAG = re.compile(r"[\[({*<]{1,8}\s?([^\[\](){}*<>]{2,30}?)\s?[\])}*>]{1,8}:?")


def without_banners(lines: list[str]) -> list[str]:
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
    """Return the index behind the banner that begins at `at`; `at` if none does."""
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


def without_disclaimer(kept: list[str]) -> list[str]:
    """Return the lines up to the paragraph that is about the mail; the first line is kept."""
    end = 1
    while end < len(kept) and not (kept[end].strip() and _begins_disclaimer(kept, end)):
        end += 1
    while 1 < end < len(kept) and _is_drawn(kept[end - 1]):
        end -= 1
    return kept[:end]


def _begins_disclaimer(kept: list[str], n: int) -> bool:
    begin = folded(kept[n][:_BEGINNING]).lstrip(_FRAME)
    return _is_drawn(kept[n - 1]) and begin.startswith(DISCLAIMERS)


def _is_drawn(line: str) -> bool:
    """Return whether the line is no text: blank, the place of a quote, a bar, or a link."""
    return not line.strip() or is_bar(line) or is_link(line)
