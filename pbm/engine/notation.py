"""Reading what people type: one form for the many that a keyboard or mail client makes."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

MOVE_LENGTH_LIMIT = 400
"""Characters of a move that are looked at; no game's longest turn comes near."""

_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_QUOTES = re.compile("[\u2018-\u201f\u00ab\u00bb\u00b4`]")
_ARROWS = re.compile(
    "[\u2192\u219d\u21a6\u21d2\u21d8\u21e2\u21e8\u21fe\u2794\u2798-\u27af\u27f6\u27f9\u27fc\u2b95"
    "\U0001f812\U0001f852\U0001f862\U0001f872\U0001f882]"
)
"""The arrows to the right that keyboards and mail programs make."""

_SPACES = re.compile(r"\s+")
_RAISED = re.compile("(?<=[0-9])(?=[\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u249b])")
"""The place before a small or circled digit that is not part of the number before it."""

_DIGIT = re.compile(r"[^\D0-9]")
_FORM_OF_SIGN = re.compile("[\ufe0e\ufe0f]")
"""The sign after an arrow that says whether it is text or a small picture."""


def fold(text: str) -> str:
    """Return `text` in the one form that moves are compared in.

    Compatibility forms are resolved (full-width letters, NBSP), every digit is one of ASCII, every
    dash is "-", every arrow "->", every quotation mark "'", invisible characters are gone, runs of
    white space are one space, and letters are in lower case. This reads and returns at most one
    character more than `MOVE_LENGTH_LIMIT`, so that an overlong text stays overlong. Folding a
    folded text again changes nothing.
    """
    return _folded(text[: MOVE_LENGTH_LIMIT + 1])


@lru_cache(maxsize=256)
def _folded(seen: str) -> str:
    """Return what `fold` does. It is kept, because a line is folded again for each way to read it.

    Otherwise a comment of many lines in another script costs a tenth of a second.
    """
    if seen.isascii() and seen.isprintable():
        # A short cut for nearly everything that people type, with the same result.
        return " ".join(seen.lower().replace("`", "'").split())
    # What is neither printable nor a space is invisible.
    visible = "".join(filter(str.isprintable, _SPACES.sub(" ", seen)))
    visible = _RAISED.sub(" ", _FORM_OF_SIGN.sub("", visible))
    # NFKC resolves a lone accent to a space and more, so marks are read before it. They are read
    # again after it because it makes new ones. Small letters can join where capitals do not.
    plain = unicodedata.normalize("NFKC", _marks(visible)).lower()
    plain = _marks(unicodedata.normalize("NFKC", plain))
    plain = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)
    return _SPACES.sub(" ", plain).strip()[: MOVE_LENGTH_LIMIT + 1].strip()


def _marks(text: str) -> str:
    """Return `text` with every dash as "-", arrow as "->" and quotation mark as "'"."""
    return _QUOTES.sub("'", _ARROWS.sub("->", _DASHES.sub("-", text)))


def quote(text: str, limit: int = 40) -> str:
    """Return `text` in quotation marks, fit for an error: printable, on one line, and short."""
    shown = _SPACES.sub(" ", "".join(c if c.isprintable() else " " for c in text[: 4 * limit]))
    shown = shown.strip()
    return f'"{shown}"' if len(shown) <= limit else f'"{shown[: limit - 3]}..."'


def near(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return up to `most` of the `known` names that look like `word`, the nearest first."""
    by_folded = {fold(name): name for name in known}
    close = difflib.get_close_matches(fold(word), list(by_folded), n=most, cutoff=0.63)
    return tuple(by_folded[name] for name in close)


def did_you_mean(names: Iterable[str]) -> str:
    """Return " Did you mean a or b?", to follow a sentence; "" if there are no `names`."""
    meant = listing(names)
    return f" Did you mean {meant}?" if meant else ""


def listing(words: Iterable[str], most: int = 20, last: str = "or") -> str:
    """Return "a, b or c" for a sentence; beyond `most` words, the number of the rest.

    Where a word has a comma of its own, as a move may, semicolons stand between them.

    >>> listing(["a", "b", "c"])
    'a, b or c'
    >>> listing("abcd", most=2)
    'a, b and 2 more'
    >>> listing(["a1,b2", "a1,b3", "a1,b4"])
    'a1,b2; a1,b3 or a1,b4'
    """
    all_words = list(words)
    shown = all_words[:most]
    comma = "; " if any("," in word for word in shown) else ", "
    if len(all_words) > most:
        return f"{comma.join(shown)} and {len(all_words) - most} more"
    if len(all_words) < 2:
        return "".join(all_words)
    return f"{comma.join(all_words[:-1])} {last} {all_words[-1]}"


def counted(number: int, noun: str) -> str:
    """Return "1 day" or "3 days": a number with a noun that takes an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
