"""The lines that phones, apps and services put under a text."""

import re
from itertools import pairwise

from pbm.mail.reading.phrases import SIGNATURES
from pbm.mail.reading.quotes import folded

DELIMITERS = frozenset({"--", "-- "})
"""What stands above a signature, alone on its line; all ends there."""

_LENGTH = 100

_BEGINNINGS = tuple(begin for begin, _ in SIGNATURES if begin)

_ENDINGS = tuple(end for begin, end in SIGNATURES if not begin)
"""With `_BEGINNINGS`, what rules most lines out at once."""

_LINK = re.compile(r"[\[(<]*(?:https?://|www\.)\S{1,300}\s*+")

_LINK_BEHIND = re.compile(r"\s*[\[(<]{1,2}\s?(?:https?://|#)[^\s<>]{1,300}+.{0,3}\Z")


def without_signatures(kept: list[str], cut: str) -> list[str]:
    """Return the lines without signatures; `cut` stands where a quote was cut out.

    A signature is a paragraph of its own, with a link or without, or the last line above a cut
    or the end.
    """
    done: list[str] = []
    paragraph: list[str] = []
    for line, below in pairwise((*kept, cut, cut)):
        if line and line != cut:
            paragraph.append(line)
            continue
        if paragraph:
            done += _without(paragraph, at_end=cut in (line, below))
            paragraph = []
        done.append(line)
    return done[:-1]


def _without(paragraph: list[str], *, at_end: bool) -> list[str]:
    if not _is_signature_or_link(paragraph[-1]):
        return paragraph
    if all(map(_is_signature_or_link, paragraph)) and any(map(is_signature, paragraph)):
        return []
    end = len(paragraph)
    while at_end and end and is_signature(paragraph[end - 1]):
        end -= 1
    return paragraph[:end]


def _is_signature_or_link(line: str) -> bool:
    return is_link(line) or is_signature(line)


def is_link(line: str) -> bool:
    """Return whether the line is an address of the web and nothing else."""
    return bool(_LINK.fullmatch(line.strip()))


def is_signature(line: str) -> bool:
    """Return whether the line is "Sent from my (phone)" in any of the languages."""
    words = _LINK_BEHIND.sub("", folded(line)).rstrip(".").replace("[", "")
    if len(words) > _LENGTH or not (words.startswith(_BEGINNINGS) or words.endswith(_ENDINGS)):
        return False
    return any(words.startswith(begin) and words.endswith(end) for begin, end in SIGNATURES)
