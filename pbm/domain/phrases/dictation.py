"""A move as phones write it that was said aloud: "gee seven" for g7."""

import re
from collections.abc import Mapping

MOST_WORDS = 20
"""Words that are looked at; no dictated move has more."""

_SPELLING = (
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike",
    "november anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann konrad",
    "ludwig martha nordpol",
)
"""The words that people spell with, also in German; each begins with its letter."""

_LETTERS: Mapping[str, str] = {
    "ay": "a", "eh": "a", "bee": "b", "be": "b", "cee": "c", "see": "c", "sea": "c", "dee": "d",
    "ee": "e", "eff": "f", "gee": "g", "jee": "g", "ji": "g", "aitch": "h", "eye": "i", "jay": "j",
    "kay": "k", "cay": "k", "el": "l", "ell": "l", "em": "m", "en": "n",
    **{word: word[0] for words in _SPELLING for word in words.split()},
}  # fmt: skip
"""How phones write single letters, and words for them."""

_NUMBERS: Mapping[str, str] = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn",
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze",
        "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien",
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce",
    )
    for number, word in enumerate(words.split(), 1)
}
"""Numbers in English, German, French, Dutch and Spanish."""

_BETWEEN = frozenset({"and", "to", "take", "takes", "und", "et", "y"})
"""What may stand between two points."""


def dictated(text: str) -> str:
    """Return the points that `text` says in words in letters and digits; "" if it says more.

    The number may come first, as in "7g". A text that is written in letters and digits gives "".
    """
    words = re.split(r"[\s,-]+", text.casefold().strip(" .,!?"))[:MOST_WORDS]
    if len(words) == 1:
        turned = _TURNED.fullmatch(words[0])
        return f"{turned[2]}{turned[1]}" if turned else ""
    written = [_NUMBERS.get(word) or _LETTERS.get(word) or word for word in words]
    known = all(word in _BETWEEN or _PART.fullmatch(word) for word in written)
    return _APART.sub(r"\1\2", " ".join(written)) if known and written != words else ""


_TURNED = re.compile(r"(\d{1,2})([a-z])")
_PART = re.compile(r"[a-z]|\d{1,2}")
_APART = re.compile(r"\b([a-z]) (\d)")
